#include "graph/shader/generate/body_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "graph/lists.h"
#include "graph/shader/generate/body_check.h"

namespace lacuna {

namespace {

const ModuleDescription& moduleOf(const ShaderContext& context, const NodePart& part) {
  return *context.graph.modules.modules[part.module].description;
}

// Zeros of the first type that the connector takes, or of the node's output, if parameters omit that node.
ValueType absentType(const ModuleDescription& module, const NodeDescription& node, const std::string& input) {
  ValueType type;
  for (const NodeInput& candidate : node.inputs) {
    if (candidate.name == input && module.isPlanes(candidate.source))
      return {Channels::y, Format::f32, ColourTag::data, {1, 1}, 1};
    const size_t dot = candidate.source.find('.');
    if (candidate.name == input && dot != std::string::npos) {
      const NodeDescription* maker = module.node(candidate.source.substr(0, dot));
      const NodeOutput* made = maker ? findNamed(maker->outputs, candidate.source.substr(dot + 1)) : nullptr;
      if (made != nullptr && made->arrayCount > 0 && made->format) {
        return {
            made->channels.value_or(Channels::y), made->format->value, ColourTag::data, {}, made->arrayCount};
      }
    }
    const ConnectorDescription* connector =
        candidate.name == input ? module.connector(candidate.source) : nullptr;
    if (connector == nullptr)
      continue;
    if (!connector->channels.empty()) {
      type.channels = connector->channels.front();
      type.format = connector->formats.empty() ? type.format : connector->formats.front();
    }
    type.arrayCount = connector->arrayCount;
  }
  return type;
}

std::string field(const Member& member) {
  const std::string array = member.type.arrayCount > 1 ? fmt::format("[{}]", member.type.arrayCount) : "";
  return fmt::format("  {} {}{};\n", glslType(member.type.channels, member.type.format),
                     memberName(member.name), array);
}

std::string structOf(const std::string& name, const std::string& fields) {
  return fmt::format("struct {} {{\n{}}};\n", name, fields.empty() ? "  int none;\n" : fields);
}

// Structural choices are constants in pointwise bodies, since CPUs compute both sides of an `if`.
void fixChoices(const ModuleInstance& instance, BodyRequest& request) {
  for (const ParameterDescription& parameter : instance.description->parameters) {
    if (parameter.structural && parameter.type == ParameterType::choice && parameter.count == 1) {
      const auto& word = std::get<std::string>(instance.parameter(parameter.name).values.front());
      const auto found = std::ranges::find(parameter.choices, word);
      request.bound[parameter.name] = std::to_string(found - parameter.choices.begin());
    }
  }
}

}  // namespace

std::string partPrefix(const Node& node, int part) {
  return part < node.own ? fmt::format("b{}", node.own - part) : fmt::format("n{}", part - node.own);
}

BodyRequest bodyRequest(const ShaderContext& context, int index) {
  const NodePart& part = context.node.parts[static_cast<size_t>(index)];
  BodyRequest request;
  const ModuleDescription& owner = moduleOf(context, part);
  request.folder = owner.folder;
  request.made = &owner.made;
  const bool isVariant = index == context.node.own && !context.variant.empty();
  request.file = isVariant ? context.variant : part.description->shader;
  request.includePath = context.includePath;
  request.prefix = partPrefix(context.node, index);
  for (const BoundParameter& bound : context.node.bound)
    if (bound.part == index)
      request.bound[bound.parameter] = fmt::format("array_bound_{}_{}.data[0]", index, bound.parameter);
  if (part.description->kind == NodeKind::pointwise)
    fixChoices(context.graph.modules.modules[part.module], request);
  if (part.description->kind == NodeKind::kernel) {
    for (const Member& output : outputMembers(context, part))
      if (output.type.isArray() && !output.connected)
        request.standIns.insert(output.name);
  }
  return request;
}

Body partBody(const ShaderContext& context, int index) {
  const BodyRequest request = bodyRequest(context, index);
  BodySource source = readBody(request);
  if (context.checks) {
    const NodePart& part = context.node.parts[static_cast<size_t>(index)];
    BodyMistakes found = checkBody(rulesOf(context, part), source.tokens, source.path);
    found.insert(found.begin(), source.mistakes.begin(), source.mistakes.end());
    if (!found.empty())
      throw ShaderSourceError(std::move(found), madeFiles(request));
  }
  return nameApart(source, request);
}

ParamBlock paramBlock(const ShaderContext& context, int first, int end) {
  std::vector<ParamUser> users;
  for (int p = first; p < end; ++p) {
    const NodePart& part = context.node.parts[static_cast<size_t>(p)];
    users.push_back({partPrefix(context.node, p), part.module, &moduleOf(context, part)});
  }
  return makeParamBlock(users);
}

namespace {

constexpr int beyondEdges =
    6 << 20;  // added to positions, which may lie before the first pixel: % needs that

// Two bits a pixel, as in the pattern's words; a sensor without colours counts as green. Bayer patterns have
// no table: compilers unroll windows that use it at each tap.
std::string declareColourAt(const std::string& prefix, const Member& member) {
  const MosaicPattern& pattern = member.type.pattern;
  if (pattern == MosaicPattern{})
    return fmt::format("int {}_colourAt_{}(ivec2 p) {{ return 1; }}\n", prefix, member.name);
  if (isBayer(pattern)) {
    uint32_t block = 0;
    for (uint32_t i = 0; i < 4; ++i)
      block |= (letterAt(pattern, {i % 2, i / 2}) - 1) << (2 * i);
    return fmt::format(
        "int {}_colourAt_{}(ivec2 p) {{ return {} >> (4 * (p.y & 1) + 2 * (p.x & 1)) & 3; }}\n", prefix,
        member.name, block);
  }
  std::string rows;
  for (uint32_t y = 0; y < patternSide; ++y) {
    uint32_t row = 0;
    for (uint32_t x = 0; x < patternSide; ++x)
      row |= (letterAt(pattern, {x, y}) - 1) << (2 * x);
    rows += fmt::format("{}{}", y == 0 ? "" : ", ", row);
  }
  return fmt::format(
      "int {0}_colourAt_{1}(ivec2 p) {{\n"
      "  const int rows[{2}] = int[{2}]({3});\n"
      "  ivec2 q = (p + {4}) % {2};\n"
      "  return rows[q.y] >> (2 * q.x) & 3;\n}}\n",
      prefix, member.name, patternSide, rows, beyondEdges);
}

}  // namespace

std::string declareInputs(const std::string& prefix, const std::vector<Member>& members) {
  std::string fields;
  std::string flags;
  for (const Member& member : members) {
    if (!member.type.isArray())  // kernels have arrays by a name of their own
      fields += field(member);
    flags += fmt::format("const bool {0}_has_{1} = {2};\nconst int {0}_colour_{1} = {3};\n", prefix,
                         member.name, member.connected, static_cast<int>(member.type.colour));
    if (member.type.channels == Channels::mosaic)
      flags += declareColourAt(prefix, member);
  }
  return structOf(prefix + "_Inputs", fields) + flags;
}

std::string declareOutputs(const std::string& prefix, const std::vector<Member>& members) {
  std::string fields;
  for (const Member& member : members)
    fields += field(member);
  return structOf(prefix + "_Outputs", fields) + declareWanted(prefix, members);
}

std::string declareWanted(const std::string& prefix, const std::vector<Member>& outputs) {
  std::string text;
  for (const Member& output : outputs) {
    text += fmt::format("const bool {}_wanted_{} = {};\n", prefix, output.name, output.connected);
    if (output.type.channels == Channels::mosaic)
      text += declareColourAt(prefix, output);
  }
  return text;
}

std::vector<Member> inputMembers(const ShaderContext& context, const NodePart& part) {
  std::vector<Member> members;
  for (const PartInput& input : part.inputs) {
    const auto type = typeOf(context.graph, context.node, input);
    members.push_back({input.name,
                       type ? *type : absentType(moduleOf(context, part), *part.description, input.name),
                       type.has_value(), true});
  }
  return members;
}

bool isReadInside(const Node& node, const NodePart& part, const std::string& output) {
  return std::any_of(node.parts.begin(), node.parts.end(), [&](const NodePart& other) {
    return std::any_of(other.inputs.begin(), other.inputs.end(), [&](const PartInput& input) {
      return input.part >= 0 && &node.parts[static_cast<size_t>(input.part)] == &part &&
             input.output == output;
    });
  });
}

std::vector<Member> outputMembers(const ShaderContext& context, const NodePart& part) {
  std::vector<Member> members;
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const NamedValue& output = part.outputs[i];
    const bool isRead = output.value || isReadInside(context.node, part, output.name);
    members.push_back({output.name, part.outputTypes[i], isRead});
  }
  return members;
}

ValueType stateType(const ShaderContext& context) {
  return stateTypeOf(context.graph, context.node);
}

std::string declareFormats() {
  std::string text;
  for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32, Format::u32})
    text += fmt::format("#define format_{} {}\n", name(format), static_cast<int>(format));
  return text;
}

std::string typeMacros(const Member& member) {
  const ValueType& type = member.type;
  return fmt::format(
      "#define channels_{0} {1}\n#define format_{0} {2}\n#define small_{0} {3}\n#define pattern_{0} {4}\n",
      member.name, member.connected ? componentCount(type.channels) : 0, static_cast<int>(type.format),
      std::min(type.extent.width, type.extent.height) < smallSide ? 1 : 0,
      type.pattern == MosaicPattern{} ? 0U
      : isBayer(type.pattern)         ? 2U
                                      : patternSide);
}

std::string stencilMacros(const ShaderContext& context, const ValueType& state) {
  std::string text = declareFormats();
  for (Member member : inputMembers(context)) {
    if (member.name == "state") {
      text += fmt::format("#define format_initial {}\n", static_cast<int>(member.type.format));
      member.type = state;
    }
    text += typeMacros(member);
  }
  const std::vector<NodeConstant>& constants = context.node.description->constants;
  for (size_t i = 0; i < constants.size(); ++i) {
    const int32_t value = context.node.constants[i];
    const ParameterDescription* parameter =
        moduleOf(context, ownPart(context.node)).parameter(constants[i].parameter);
    const ParameterType type = parameter == nullptr ? ParameterType::integer : parameter->type;
    text += type == ParameterType::integer    ? fmt::format("const int {} = {};\n", constants[i].name, value)
            : type == ParameterType::floating ? fmt::format("const float {} = {};\n", constants[i].name,
                                                            literal(std::bit_cast<float>(value)))
                                              : fmt::format("#define {} {}\n", constants[i].name, value);
  }
  return text;
}

std::string literal(double value) {
  const std::string text = fmt::format("{:.9g}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace lacuna
