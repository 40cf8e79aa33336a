#include <fmt/format.h>

#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/pixel_view.h"

namespace lacuna {
namespace {

struct PartText {
  std::string types;
  std::string calls;
  std::string codecs;
};

ValueType typeOf(const ShaderContext& context, const NodePart& part, const PartInput& input) {
  if (input.value != noValue) {
    return context.graph.values[static_cast<size_t>(input.value)].type;
  }
  if (input.part >= 0) {
    const NodePart& producer = context.node.parts[static_cast<size_t>(input.part)];
    for (size_t i = 0; i < producer.outputs.size(); ++i) {
      if (producer.outputs[i].name == input.output) {
        return producer.outputTypes[i];
      }
    }
  }
  return absentType(*context.graph.modules.modules[static_cast<size_t>(part.module)].description,
                    *part.description, input.name);
}

std::string inputExpression(const PartInput& input, const ValueType& type) {
  if (input.value != noValue) {
    return fmt::format("load_in_{}(at)", input.value);
  }
  if (input.part >= 0) {
    return fmt::format("n{}_out_.{}", input.part, memberName(input.output));
  }
  return fmt::format("{}(0)", glslType(type.channels, type.format));
}

PartText partText(const ShaderContext& context, size_t index, std::set<std::string>& codecs, bool hide) {
  const NodePart& part = context.node.parts[index];
  const std::string prefix = partPrefix(index);
  const Body body = nodeBody(context, *part.description, part.module, prefix);
  PartText text;
  std::vector<Member> inputs;
  std::vector<Member> outputs;
  text.calls = fmt::format("  {0}_Inputs {0}_in;\n  {0}_Outputs {0}_out_;\n", prefix);
  for (const PartInput& input : part.inputs) {
    const ValueType type = typeOf(context, part, input);
    inputs.push_back({input.name, type, input.value != noValue || input.part >= 0});
    text.calls +=
        fmt::format("  {}_in.{} = {};\n", prefix, memberName(input.name), inputExpression(input, type));
  }
  text.calls += fmt::format("  {0}_apply({0}_in, {0}_out_, Pixel(at, push.extent, 0, 1));\n", prefix);
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const ValueType& type = part.outputTypes[i];
    const std::string codec = pixelTypeName(type.channels, type.format);
    const std::string member = fmt::format("{}_out_.{}", prefix, memberName(part.outputs[i].name));
    outputs.push_back({part.outputs[i].name, type, true});
    text.calls += fmt::format("  {0} = round_{1}({0});\n", member, codec);
    if (part.outputs[i].value != noValue) {
      text.calls += fmt::format("  store_out_{}(at, {});\n", part.outputs[i].value, member);
    } else if (codecs.insert(codec).second) {
      text.codecs += declareCodec(type.channels, type.format, hide);
    }
  }
  text.types = declareStruct(prefix, "Inputs", inputs) + declareStruct(prefix, "Outputs", outputs) +
               body.text + "#line 1 \"generated\"\n";
  return text;
}

}  // namespace

GeneratedShader pointwiseShader(const ShaderContext& context, const std::vector<Role>& roles) {
  GeneratedShader out;
  std::vector<ParamUser> users;
  for (size_t i = 0; i < context.node.parts.size(); ++i) {
    const int module = context.node.parts[i].module;
    users.push_back({partPrefix(i), module,
                     context.graph.modules.modules[static_cast<size_t>(module)].description.get()});
  }
  out.block = makeParamBlock(users);
  std::set<std::string> codecs;
  for (const Role& role : roles) {
    codecs.insert(pixelTypeName(role.type.channels, role.type.format));
  }
  std::string before;
  std::string types;
  std::string calls;
  for (size_t i = 0; i < context.node.parts.size(); ++i) {
    const PartText text = partText(context, i, codecs, fetchesFloats(roles));
    before += text.codecs;
    types += text.types;
    calls += text.calls;
  }
  out.glsl = shaderHead(32, 8) + out.block.glsl + declareRoles(roles) + before + types +
             "void main() {\n  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
             "  if (at.x >= push.extent.x || at.y >= push.extent.y) { return; }\n" +
             calls + "}\n";
  return out;
}

}  // namespace lacuna
