#include <fmt/format.h>

#include "graph/shader/generate/body_context.h"

namespace lacuna {

GeneratedShader kernelShader(const ShaderContext& context, const std::vector<Role>& roles) {
  const std::string prefix = partPrefix(0);
  const KernelDescription& kernel = context.node.description->kernel;
  const Body body = nodeBody(context, *context.node.description, context.node.module, prefix);
  const auto& module = context.graph.modules.modules[static_cast<size_t>(context.node.module)];
  GeneratedShader out;
  out.block = makeParamBlock({{prefix, context.node.module, module.description.get()}});
  // run() is called by every invocation, also those outside the extent: it may hold barriers.
  out.glsl = shaderHead(kernel.workgroup[0], kernel.workgroup[1]) + out.block.glsl + declareRoles(roles) +
             declareStruct(prefix, "Inputs", inputMembers(context)) + body.text +
             "#line 1 \"generated\"\nvoid main() {\n" +
             fmt::format("  {}_run(Pixel(ivec2(gl_GlobalInvocationID.xy), push.extent, 0, 1));\n}}\n", prefix);
  return out;
}

}  // namespace lacuna
