#include <fmt/format.h>

#include "graph/shader/generate/shaders.h"

namespace lacuna {
namespace {

GeneratedShader generate(const ShaderContext& context, const Pass& pass) {
  switch (pass.shader.kind) {
    case ShaderKind::stencilWeights:
      return stencilWeightsShader(context, pass.roles);
    case ShaderKind::stencilLevel:
      return stencilShader(context, pass.shader, pass.roles);
    case ShaderKind::stencilInit:
      return initShader(context, pass.roles);
    case ShaderKind::synthesis:
      return synthesisShader(context, pass.shader.schedule, pass.roles);
    case ShaderKind::pointwise:
      return pointwiseShader(context, pass.roles);
    case ShaderKind::histogramCount:
      return histogramShader(context, pass.roles);
    case ShaderKind::histogramFinish:
      return histogramFinish(context, pass.roles);
    case ShaderKind::reducePartial:
      return reduceShader(context, pass.roles);
    case ShaderKind::reduceFinish:
      return reduceFinish(context, pass.roles);
    case ShaderKind::kernel:
      if (context.node.description->isSpirv())
        return spirvKernel(context, pass.roles);
      return kernelShader(
          context, pass.shader, pass.roles,
          {static_cast<uint32_t>(pass.pushConstants[0]), static_cast<uint32_t>(pass.pushConstants[1])});
  }
  return {};
}

}  // namespace

void generateShaders(Passes& passes, const std::vector<std::string>& includePath, bool checks) {
  for (Pass& pass : passes.passes) {
    if (pass.kind != PassKind::dispatch)
      continue;
    const VariantDescription* variant = pass.shader.kernel.variant;
    const Node& node = passes.graph.nodes[pass.node];
    const ShaderContext context{passes.graph,
                                node,
                                includePath,
                                variant == nullptr ? "" : node.description->shaderUnder(*variant),
                                pass.shader.matrices.has_value(),
                                pass.inTiles ? std::optional(passes.tiles->extent) : std::nullopt,
                                checks};
    GeneratedShader shader = generate(context, pass);
    pass.glsl = std::move(shader.glsl);
    pass.spirv = std::move(shader.spirv);
    pass.block = std::move(shader.block.fields);
    pass.blockBytes = shader.block.bytes;
  }
}

Shaders shade(FrameGraph passes, const std::vector<std::string>& includePath) {
  generateShaders(passes, includePath);
  return {std::move(passes)};
}

std::string print(const Shaders& shaders) {
  std::string text;
  for (const PassId id : shaders.passes.ids()) {
    const Pass& pass = shaders.passes[id];
    if (shaders.spirv.empty())
      text += pass.glsl.empty() ? "" : fmt::format("// {}\n{}\n", pass.name, pass.glsl);
    else if (shaders.spirv[id] != nullptr)
      text += fmt::format("{}: {} words of SPIR-V\n", pass.name, shaders.spirv[id]->size());
  }
  return text;
}

}  // namespace lacuna
