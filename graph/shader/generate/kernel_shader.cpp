#include <fmt/format.h>

#include "graph/shader/generate/body_context.h"

namespace lacuna {

GeneratedShader kernelShader(const ShaderContext& context, const std::vector<Role>& roles,
                             Extent dispatched) {
  const std::string prefix = partPrefix(0);
  const KernelDescription& kernel = context.node.description->kernel;
  const Body body = nodeBody(context, *context.node.description, context.node.module, prefix);
  const auto& module = context.graph.modules.modules[static_cast<size_t>(context.node.module)];
  GeneratedShader out;
  out.block = makeParamBlock({{prefix, context.node.module, module.description.get()}});
  std::string absent;
  for (const Member& member : inputMembers(context)) {
    if (!member.connected && !member.type.isArray()) {
      absent += fmt::format("{0} load_{1}(ivec2 p) {{ return {0}(0); }}\n",
                            glslType(member.type.channels, member.type.format), member.name);
    }
  }
  // run() is called by every invocation, also those outside the extent: it may hold barriers.
  out.glsl =
      shaderHead(kernel.workgroup[0], kernel.workgroup[1]) + out.block.glsl +
      declareRoles(roles, dispatched) + absent + declareStruct(prefix, "Inputs", inputMembers(context)) +
      body.text + "#line 1 \"generated\"\nvoid main() {\n" +
      fmt::format("  {}_run(Pixel(ivec2(gl_GlobalInvocationID.xy), push.extent, 0, 1));\n}}\n", prefix);
  return out;
}

}  // namespace lacuna
