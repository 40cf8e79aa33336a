#include "graph/shader/compile.h"

#include <algorithm>

#include "graph/shader/compiler_log.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/spirv.h"

namespace lacuna {
namespace {

uint32_t sharedBytes(const Pass& pass, const SpirvWords& words) {
  const uint64_t declared = sharedMemoryOf(words, pass.specialization);
  return std::max(pass.sharedBytes, static_cast<uint32_t>(std::min<uint64_t>(declared, UINT32_MAX)));
}

// Throws for mistakes in the bodies that a pass consists of. ShaderCheck finds them with their columns.
void review(const Passes& passes, const Pass& pass, const ParsedShader& shader) {
  const ShaderContext context{passes.graph, passes.graph.nodes[pass.node], {}};
  const Outline none;
  for (size_t i = 0; i < context.node.parts.size(); ++i) {
    const BodyRules rules = rulesOf(context, context.node.parts[i]);
    const CompiledBody body{rules, none, shader, partPrefix(context.node, static_cast<int>(i))};
    BodyMistakes found = headMistakes(body);
    std::ranges::move(valueMistakes(body, {}), std::back_inserter(found));
    if (!found.empty())
      throw ShaderSourceError(std::move(found));
  }
}

}  // namespace

Shaders compileShaders(Shaders shaders, ShaderCache cache) {
  std::vector<std::string> texts, names;
  for (const Pass& pass : shaders.passes) {
    texts.push_back(pass.glsl);
    names.push_back(pass.name);
  }
  const auto reviewed = [&](size_t i, const ParsedShader& shader) {
    if (!shaders.graph.nodes.empty())  // kernels of benchmarks have none
      review(shaders, *std::next(shaders.passes.begin(), static_cast<std::ptrdiff_t>(i)), shader);
  };
  for (auto& words : cache.compileAll(texts, names, reviewed)) {
    Pass& pass = shaders.passes[shaders.spirv.next()];
    const auto& spirv = shaders.spirv.emplace_back(pass.spirv != nullptr ? pass.spirv : std::move(words));
    if (pass.shader.kind == ShaderKind::kernel && spirv != nullptr)
      pass.sharedBytes = sharedBytes(pass, *spirv);
  }
  return shaders;
}

}  // namespace lacuna
