#include "graph/shader/generate/part_text.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/nodes/not_finite_counter.h"
#include "graph/shader/generate/pixel_view.h"

namespace lacuna {
namespace {

const NodePart& partAt(const ShaderContext& context, int part) {
  return context.node.parts[static_cast<size_t>(part)];
}

// Tested by exponents, because drivers may take isnan() for false.
constexpr const char* notFiniteText = R"(
uint notFinite(float v) { return (floatBitsToUint(v) & 0x7f800000u) == 0x7f800000u ? 1u : 0u; }
uint notFinite(vec2 v) { return notFinite(v.x) + notFinite(v.y); }
uint notFinite(vec3 v) { return notFinite(v.xy) + notFinite(v.z); }
uint notFinite(vec4 v) { return notFinite(v.xy) + notFinite(v.zw); }
)";

bool hasCounter(const ShaderContext& context, int index) {
  return bool(countedOutput(context.graph, context.node, partAt(context, index)));
}

std::string countInputs(const ShaderContext& context, int index) {
  const NodePart& part = partAt(context, index);
  std::string sum;
  for (const PartInput* input : countedInputs(context.graph, context.node, part)) {
    sum += fmt::format("{}notFinite({}_in.{})", sum.empty() ? "" : " + ", partPrefix(context.node, index),
                       memberName(input->name));
  }
  return fill(R"(  {
    uint n = $sum;
    if (n > 0u) {
      atomicAdd($counter.data[0], n);
      atomicMax($counter.data[1], ~(uint(at.y) * uint(push.extent.x) + uint(at.x)));
    }
  }
)",
              {{"sum", sum},
               {"counter", fmt::format("array_notFinite_{}",
                                       countedOutput(context.graph, context.node, part).index())}});
}

std::string callPart(const ShaderContext& context, int index) {
  const NodePart& part = partAt(context, index);
  const std::string prefix = partPrefix(context.node, index);
  std::string text = readInputs(context, index);
  text += hasCounter(context, index) ? countInputs(context, index) : "";
  text += fmt::format("  {0}_Outputs {0}_out_;\n  {0}_apply({0}_in, {0}_out_, {1});\n", prefix,
                      pixelText(context.inTiles(), "at", "push.extent"));
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const ValueType& type = part.outputTypes[i];
    const std::string member = fmt::format("{}_out_.{}", prefix, memberName(part.outputs[i].name));
    // What is only stored is rounded by that.
    text += isReadInside(context.node, part, part.outputs[i].name)
                ? fmt::format("  {0} = round_{1}({0});\n", member, pixelTypeName(type.channels, type.format))
                : "";
    if (part.outputs[i].value)
      text += fmt::format("  store_out_{}(at, {});\n", part.outputs[i].value.index(), member);
  }
  return text;
}

}  // namespace

std::string declareParts(const ShaderContext& context, int first, int end) {
  std::string text;
  bool counts = false;
  for (int p = first; p < end; ++p) {
    const std::string prefix = partPrefix(context.node, p);
    text += declareInputs(prefix, inputMembers(context, partAt(context, p))) +
            declareOutputs(prefix, outputMembers(context, partAt(context, p))) + partBody(context, p).text +
            "#line 1 \"generated\"\n";
    counts = counts || hasCounter(context, p);
  }
  return (counts ? notFiniteText : "") + text;
}

std::string callParts(const ShaderContext& context, int first, int end) {
  std::string text;
  for (int p = first; p < end; ++p)
    text += callPart(context, p);
  return text;
}

std::string readInputs(const ShaderContext& context, int part) {
  const std::string prefix = partPrefix(context.node, part);
  std::string text = fmt::format("  {0}_Inputs {0}_in;\n", prefix);
  for (const Member& member : inputMembers(context, partAt(context, part))) {
    if (!member.type.isArray()) {
      text += fmt::format("  {}_in.{} = {};\n", prefix, memberName(member.name),
                          inputExpression(context, part, member.name));
    }
  }
  return text;
}

std::string inputExpression(const ShaderContext& context, int part, const std::string& name) {
  const PartInput& input = *inputNamed(partAt(context, part), name);
  if (input.value)
    return fmt::format("load_in_{}(at)", input.value.index());
  if (input.part >= 0)
    return fmt::format("{}_out_.{}", partPrefix(context.node, input.part), memberName(input.output));
  for (const Member& member : inputMembers(context, partAt(context, part)))
    if (member.name == name)
      return fmt::format("{}(0)", glslType(member.type.channels, member.type.format));
  return {};
}

std::vector<ValueType> roundedTypes(const ShaderContext& context, int first, int end) {
  std::vector<ValueType> types;
  for (int p = first; p < end; ++p) {
    const std::vector<ValueType>& each = partAt(context, p).outputTypes;
    types.insert(types.end(), each.begin(), each.end());
  }
  return types;
}

GeneratedShader pointwiseShader(const ShaderContext& context, const std::vector<Role>& roles) {
  const int parts = static_cast<int>(context.node.parts.size());
  GeneratedShader out;
  out.block = paramBlock(context, 0, parts);
  out.glsl = shaderHead({32, 8, context.inTiles()}) + out.block.glsl + declareRoles(roles) +
             declareCodecs(roundedTypes(context, 0, parts), roles) + declareParts(context, 0, parts) +
             "void main() {\n  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
             "  if (at.x >= push.extent.x || at.y >= push.extent.y) { return; }\n" +
             callParts(context, 0, parts) + "}\n";
  return out;
}

}  // namespace lacuna
