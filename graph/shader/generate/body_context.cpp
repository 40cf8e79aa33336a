#include "graph/shader/generate/body_context.h"

#include <fmt/format.h>

#include "graph/shader/generate/body_check.h"

namespace lacuna {

std::string partPrefix(size_t part) {
  return fmt::format("n{}", part);
}

Body nodeBody(const ShaderContext& context, const NodeDescription& description, int module,
              const std::string& prefix) {
  BodyRequest request;
  const ModuleDescription& owner = *context.graph.modules.modules[static_cast<size_t>(module)].description;
  request.folder = owner.folder;
  request.made = &owner.made;
  request.file = description.shader;
  request.includePath = context.includePath;
  request.prefix = prefix;
  for (const auto& [parameter, value] : context.node.bound) {
    request.bound[parameter] = fmt::format("array_bound_{}.data[0]", parameter);
  }
  Body body = loadBody(request);
  checkDefinitions(context, description, body);
  return body;
}

std::string declareStruct(const std::string& prefix, const std::string& kind,
                          const std::vector<Member>& members) {
  std::string fields;
  std::string flags;
  for (const Member& member : members) {
    const std::string type(glslType(member.type.channels, member.type.format));
    const bool isInput = kind == "Inputs";
    const std::string array = member.type.arrayCount > 1 ? fmt::format("[{}]", member.type.arrayCount) : "";
    if (!isInput || !member.type.isArray()) {  // kernels have arrays by a name of their own
      fields += fmt::format("  {} {}{};\n", type, memberName(member.name), array);
    }
    if (isInput) {
      flags += fmt::format("const bool {0}_has_{1} = {2};\nconst int {0}_colour_{1} = {3};\n", prefix,
                           member.name, member.connected, static_cast<int>(member.type.colour));
    }
  }
  return fmt::format("struct {}_{} {{\n{}}};\n{}", prefix, kind, fields.empty() ? "  int none;\n" : fields,
                     flags);
}

ValueType absentType(const ModuleDescription& module, const NodeDescription& node, const std::string& input) {
  ValueType type;
  for (const NodeInput& candidate : node.inputs) {
    const ConnectorDescription* connector =
        candidate.name == input ? module.connector(candidate.source) : nullptr;
    if (connector == nullptr) {
      continue;
    }
    if (!connector->channels.empty()) {
      type.channels = connector->channels.front();
      type.format = connector->formats.empty() ? type.format : connector->formats.front();
    }
    type.arrayCount = connector->arrayCount;
  }
  return type;
}

std::vector<Member> inputMembers(const ShaderContext& context) {
  std::vector<Member> members;
  for (const NamedValue& input : context.node.inputs) {
    const bool connected = input.value != noValue;
    const auto& module = context.graph.modules.modules[static_cast<size_t>(context.node.module)];
    members.push_back({input.name,
                       connected ? context.graph.values[static_cast<size_t>(input.value)].type
                                 : absentType(*module.description, *context.node.description, input.name),
                       connected});
  }
  return members;
}

std::vector<Member> outputMembers(const ShaderContext& context) {
  std::vector<Member> members;
  for (const NamedValue& output : context.node.outputs) {
    members.push_back({output.name, context.graph.values[static_cast<size_t>(output.value)].type, true});
  }
  return members;
}

ValueType stateType(const ShaderContext& context) {
  ValueType type;
  type.channels = context.node.description->stencil.stateChannels;
  type.format = context.node.stateFormat;
  if (const int state = valueNamed(context.node.inputs, "state"); state != noValue) {
    type.extent = context.graph.values[static_cast<size_t>(state)].type.extent;
    type.colour = context.graph.values[static_cast<size_t>(state)].type.colour;
  }
  return type;
}

std::string literal(double value) {
  const std::string text = fmt::format("{:.9g}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace lacuna
