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

Shaders compileShaders(Shaders shaders, ShaderCache cache) {
  std::vector<std::string> texts, names;
  for (const Pass& pass : shaders.passes) {
    texts.push_back(pass.glsl);
    names.push_back(pass.name);
  }
  for (auto& words : cache.compileAll(texts, names)) {
    Pass& pass = shaders.passes[shaders.spirv.next()];
    const auto& spirv = shaders.spirv.emplace_back(pass.spirv != nullptr ? pass.spirv : std::move(words));
    if (pass.shader.kind == ShaderKind::kernel && spirv != nullptr) {
      pass.sharedBytes = sharedBytes(pass, *spirv);
    }
  }
  return shaders;
}

}  // namespace lacuna
