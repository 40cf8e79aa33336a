#include <fmt/format.h>

#include "graph/shader/generate/body_context.h"

namespace lacuna {

namespace {

// Elements of each array: 0 where nothing is connected.
std::string counts(const ShaderContext& context) {
  std::string text;
  for (const auto& members : {inputMembers(context), outputMembers(context)}) {
    for (const Member& member : members) {
      if (member.type.isArray()) {
        text += fmt::format("const int count_{} = {};\n", member.name,
                            member.connected ? member.type.arrayCount : 0);
      }
    }
  }
  return text;
}

}  // namespace

GeneratedShader kernelShader(const ShaderContext& context, const std::vector<Role>& roles,
                             Extent dispatched) {
  const std::string prefix = ownPrefix;
  const KernelDescription& kernel = context.node.description->kernel;
  const Body body = ownBody(context);
  GeneratedShader out;
  out.block = ownParamBlock(context);
  std::string absent;
  for (const Member& member : inputMembers(context)) {
    if (member.connected) {
      continue;
    }
    absent += member.type.isArray()
                  ? fmt::format("struct Array_{0} {{ {1} data[1]; }};\nArray_{0} array_{0};\n", member.name,
                                member.type.format == Format::u32 ? "uint" : "float")
                  : fmt::format("{0} load_{1}(ivec2 p) {{ return {0}(0); }}\n",
                                glslType(member.type.channels, member.type.format), member.name);
  }
  // run() is called by every invocation, also those outside the extent: it may hold barriers.
  out.glsl =
      shaderHead(kernel.workgroup[0], kernel.workgroup[1]) + out.block.glsl +
      declareRoles(roles, dispatched) + absent + counts(context) +
      declareStruct(prefix, "Inputs", inputMembers(context)) + body.text +
      "#line 1 \"generated\"\nvoid main() {\n" +
      fmt::format("  {}_run(Pixel(ivec2(gl_GlobalInvocationID.xy), push.extent, 0, 1));\n}}\n", prefix);
  return out;
}

}  // namespace lacuna
