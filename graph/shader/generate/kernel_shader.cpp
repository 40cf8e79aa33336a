#include <fmt/format.h>

#include "graph/shader/generate/body_context.h"

namespace lacuna {

namespace {

// Elements of each array: of inputs 0 where nothing is connected.
std::string counts(const ShaderContext& context) {
  std::string text;
  const auto add = [&](const Member& member, uint32_t count) {
    text += member.type.isArray() ? fmt::format("const int count_{} = {};\n", member.name, count) : "";
  };
  for (const Member& member : inputMembers(context)) {
    add(member, member.connected ? member.type.arrayCount : 0);
  }
  for (const Member& member : outputMembers(context)) {
    add(member, member.type.arrayCount);
  }
  return text;
}

// An array of the invocation's own in place of a buffer. Indices of unwanted outputs are made 0
// (BodyRequest).
std::string standInArray(const Member& member) {
  const bool isUint = member.type.format == Format::u32;
  const uint32_t words = wordsPerPixel(member.type.channels, member.type.format);
  const std::string vectors =
      words == 1 ? ""
                 : fmt::format("struct Vectors_{0} {{ {1}vec{2} data[1]; }};\nVectors_{0} vectors_{0};\n",
                               member.name, isUint ? "u" : "", words);
  return fmt::format("struct Array_{0} {{ {1} data[1]; }};\nArray_{0} array_{0};\n", member.name,
                     isUint ? "uint" : "float") +
         vectors;
}

// Inputs that are not connected read as zeros.
std::string absentInputs(const ShaderContext& context) {
  std::string text;
  for (const Member& member : inputMembers(context)) {
    if (!member.connected) {
      text += member.type.isArray()
                  ? standInArray(member)
                  : fmt::format("{0} load_{1}(ivec2 p) {{ return {0}(0); }}\n",
                                glslType(member.type.channels, member.type.format), member.name);
    }
  }
  return text;
}

// Outputs that nothing reads swallow what is stored.
std::string unwantedOutputs(const ShaderContext& context) {
  std::string text;
  for (const Member& member : outputMembers(context)) {
    if (member.connected) {
      continue;
    }
    const ValueType& type = member.type;
    text += type.isArray()
                ? standInArray(member)
                : fmt::format("#define extent_{0} ivec2({1}, {2})\nvoid store_{0}(ivec2 p, {3} v) {{}}\n",
                              member.name, type.extent.width, type.extent.height,
                              glslType(type.channels, type.format));
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
  // run() is called by every invocation, also those outside the extent: it may hold barriers.
  out.glsl =
      shaderHead(kernel.workgroup[0], kernel.workgroup[1]) + out.block.glsl +
      declareRoles(roles, dispatched) + absentInputs(context) + unwantedOutputs(context) + counts(context) +
      declareInputs(prefix, inputMembers(context)) + declareWanted(prefix, outputMembers(context)) +
      body.text + "#line 1 \"generated\"\nvoid main() {\n" +
      fmt::format("  {}_run(Pixel(ivec2(gl_GlobalInvocationID.xy), push.extent, 0, 1));\n}}\n", prefix);
  return out;
}

}  // namespace lacuna
