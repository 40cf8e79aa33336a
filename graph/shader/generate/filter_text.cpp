#include "graph/shader/generate/filter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/module/words.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/maker.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

std::string withoutPlaces(const std::string& glsl) {
  std::string text;
  for (size_t begin = 0; begin < glsl.size();) {
    const size_t end = std::min(glsl.find('\n', begin), glsl.size() - 1) + 1;
    if (glsl.compare(begin, 5, "#line") != 0)
      text.append(glsl, begin, end - begin);
    begin = end;
  }
  return text;
}

std::string bodyText(const ShaderContext& context) {
  return withoutPlaces(ownBody(context).text);
}

// The types that generated declarations depend on.
std::string memberText(const ShaderContext& context) {
  std::string text;
  for (const auto& members : {inputMembers(context), outputMembers(context)}) {
    for (const Member& member : members) {
      ValueType type = member.type;
      const bool isSmall = std::min(type.extent.width, type.extent.height) < smallSide;
      type.extent = {};
      text += fmt::format("{}{} {}{}\n", member.name, member.connected ? "" : " (not connected)", print(type),
                          isSmall ? " small" : "");
    }
  }
  return text;
}

// The filter's code, with the types that countWork() looks for.
std::string chainText(const NodeGraph& alone, const std::vector<std::string>& includePath) {
  const Node& node = alone.nodes.front();
  const StencilDescription& stencil = node.description->stencil;
  const ShaderContext context{alone, node, includePath};
  std::string text =
      fmt::format("weights {}, {}, {}, state {}, {}, border {}\n", fmt::join(stencil.weights, " "),
                  wordOf(supportWords(), stencil.support), stencil.dilated ? "dilated" : "plain",
                  name(stateType(context).format), stencil.synthesis ? "with synthesis" : "without",
                  static_cast<int>(node.border));
  text += fmt::format("constants {}\n", fmt::join(node.constants, " "));
  for (const TapField& field : stencil.tap)
    text += fmt::format("tap {} {}{}\n", field.name, name(field.storage), field.bytes ? " bytes" : "");
  return text + memberText(context) + tapTypes(context) + bodyText(context);
}

// A variant's constants for its shader.
std::string detailsText(const VariantDescription& variant) {
  std::string text =
      fmt::format("{} {} {} {}:", variant.name, variant.shader, variant.pixels[0], variant.pixels[1]);
  for (const VariantConstant& constant : variant.constants)
    text += fmt::format(" {} {}", constant.name, constant.values.front());
  for (const std::string& array : variant.uniform)
    text += " " + array;
  return text + "\n";
}

std::string kernelText(const NodeGraph& alone, const std::vector<std::string>& includePath) {
  const Node& node = alone.nodes.front();
  std::string text;
  std::set<std::string> known;  // several variants may be of one shader
  for (const VariantDescription* variant : variantsOf(alone, node)) {
    if (!whenHolds(alone, node, *variant))
      continue;
    text += detailsText(*variant);
    const std::string& shader = node.description->shaderUnder(*variant);
    if (known.insert(shader).second) {
      const ShaderContext context{alone, node, includePath, shader, variant->usesMatrices()};
      text += memberText(context) + bodyText(context);
    }
  }
  return text + fmt::format("constants {}\n", fmt::join(node.constants, " "));
}

// Structural values that a body reads from its parameters; constants are in its text.
std::string structuralValues(const NodeGraph& graph, const Node& node, const std::string& text) {
  const ModuleInstance& owner = instanceOf(graph, node);
  std::string values;
  for (const ParameterDescription& parameter : owner.description->parameters) {
    if (!parameter.structural || parameter.type == ParameterType::string ||
        text.find(fmt::format("{}_param.{}", ownPrefix, parameter.name)) == std::string::npos)
      continue;
    values += parameter.name;
    for (const ParameterValue& value : owner.parameter(parameter.name).values)
      values += std::visit([](const auto& v) { return fmt::format(" {}", v); }, value);
    values += "\n";
  }
  return values;
}

}  // namespace

std::string filterText(const NodeGraph& graph, const Node& node,
                       const std::vector<std::string>& includePath) {
  NodeGraph alone = aloneGraph(graph, node);
  alone.modules = graph.modules;
  const std::string text =
      node.kind == NodeKind::stencil ? chainText(alone, includePath) : kernelText(alone, includePath);
  return structuralValues(graph, node, text) + text;
}

}  // namespace lacuna
