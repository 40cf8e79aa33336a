#include "graph/shader/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/shader/spirv.h"

namespace lacuna {
namespace {

uint32_t sharedBytes(const Pass& pass, const SpirvWords& words) {
  const uint64_t declared = sharedMemoryOf(words, pass.specialization);
  return std::max(pass.sharedBytes, static_cast<uint32_t>(std::min<uint64_t>(declared, UINT32_MAX)));
}

}  // namespace

CompiledPasses compileShaders(ShadedPasses passes, ShaderCache cache) {
  CompiledPasses compiled{std::move(passes)};
  std::vector<std::string> texts, names;
  for (const Pass& pass : compiled.passes) {
    texts.push_back(pass.glsl);
    names.push_back(pass.name);
  }
  for (auto& words : cache.compileAll(texts, names)) {
    Pass& pass = compiled.passes[compiled.spirv.next()];
    const auto& spirv = compiled.spirv.emplace_back(pass.spirv != nullptr ? pass.spirv : std::move(words));
    if (pass.shader.kind == ShaderKind::kernel && spirv != nullptr) {
      pass.sharedBytes = sharedBytes(pass, *spirv);
    }
  }
  return compiled;
}

std::string print(const CompiledPasses& passes) {
  std::string text;
  for (const PassId id : passes.passes.ids()) {
    if (passes.spirv[id] != nullptr) {
      text += fmt::format("{}: {} words of SPIR-V\n", passes.passes[id].name, passes.spirv[id]->size());
    }
  }
  return text;
}

}  // namespace lacuna
