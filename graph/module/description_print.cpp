#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/module/description.h"
#include "graph/module/words.h"

namespace lacuna {
namespace {

// Names are ASCII, so bytes are columns.
template <typename T>
size_t widestName(const std::vector<T>& list) {
  size_t width = 0;
  for (const T& each : list)
    width = std::max(width, each.name.size());
  return width;
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts)
    text += text.empty() || part.empty() ? part : separator + part;
  return text;
}

template <typename Enum>
std::string wordsOf(const std::vector<Enum>& values) {
  std::vector<std::string> words;
  for (const Enum value : values)
    words.emplace_back(name(value));
  return joined(words, "|");
}

// One entry: its name, facts beside it, its meaning below.
std::string entry(const std::string& name, size_t width, const std::vector<std::string>& facts,
                  const std::string& meaning) {
  const char* indent = width == 0 ? "" : "  ";
  std::string out = fmt::format("{}{:<{}}  {}\n", indent, name, width, joined(facts, ", "));
  if (!meaning.empty())
    out += fmt::format("{}{:<{}}  {}\n", indent, "", width, meaning);
  return out;
}

std::string defaultText(const ParameterDescription& parameter) {
  const ParameterValues& values = parameter.defaults;
  const bool same =
      std::ranges::all_of(values, [&](const ParameterValue& value) { return value == values.front(); });
  std::string text;
  for (size_t i = 0; i < (same ? std::min<size_t>(1, values.size()) : values.size()); ++i)
    text += (i == 0 ? "" : " ") + textOf(values[i]);
  return "default " + text;
}

std::string colourText(const ConnectorDescription& connector) {
  if (!connector.colour)
    return "";
  return connector.colour->parameter.empty() ? std::string(name(connector.colour->value))
                                             : "colour as the parameter " + connector.colour->parameter;
}

std::string arrayText(const ConnectorDescription& connector) {
  if (connector.planes)
    return "planes";
  if (connector.arrayCount == anyCount)
    return connector.images ? "image or array of any number" : "array of any number";
  return connector.arrayCount > 0 ? fmt::format("array of {}", connector.arrayCount) : "";
}

std::string printNode(const NodeDescription& node, size_t width) {
  const bool repeats = !node.stencil.levels.parameter.empty() || node.stencil.levels.value != 1;
  return entry(node.name, width,
               {wordOf(nodeKindWords(), node.kind), textOf(node.footprint),
                node.kind == NodeKind::stencil && repeats ? "levels: " + textOf(node.stencil.levels) : "",
                node.memory ? "the program's memory" : "",
                node.largestSide.value > 0 ? "sides up to " + textOf(node.largestSide) : "",
                node.when.empty() ? "" : "when " + node.when.text},
               "");
}

std::string printVariant(const VariantDescription& variant, size_t width) {
  std::vector<std::string> constants;
  for (const VariantConstant& constant : variant.constants)
    if (constant.values.size() > 1)
      constants.push_back(fmt::format("{} {}", lowerCase(constant.name), fmt::join(constant.values, "|")));
  std::vector<std::string> workgroups;
  for (const auto& [x, y] : variant.workgroups)
    workgroups.push_back(fmt::format("{}x{}", x, y));
  return entry(variant.name, width,
               {variant.guarantee, joined(workgroups, "|"), joined(constants, ", "), wordsOf(variant.formats),
                variant.when.empty() ? "" : "when " + variant.when.text},
               variant.doc);
}

}  // namespace

std::vector<ParameterDescription> shownParameters(const ModuleDescription& module) {
  std::vector<ParameterDescription> shown;
  std::ranges::copy_if(module.parameters, std::back_inserter(shown),
                       [](const ParameterDescription& parameter) { return !parameter.settled; });
  return shown;
}

std::string textOf(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    return quote(*text);
  if (const auto* boolean = std::get_if<bool>(&value))
    return *boolean ? "true" : "false";
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? fmt::format("{}", *integer) : fmt::format("{}", std::get<double>(value));
}

std::string textOf(const Footprint& footprint) {
  switch (footprint.kind) {
    case FootprintKind::local:
      return "local";
    case FootprintKind::halo:
      return footprint.multiple > 1 ? fmt::format("halo({}, {})", footprint.amount, footprint.multiple)
                                    : fmt::format("halo({})", footprint.amount);
    case FootprintKind::scale:
      return fmt::format("scale({})", footprint.amount);
    case FootprintKind::global:
      return "global";
  }
  return "?";
}

std::string textOf(const OrParameter<int64_t>& count) {
  return count.parameter.empty() ? fmt::format("{}", count.value) : count.parameter;
}

std::string textOf(const WarmUpDescription& warmUp) {
  const std::string when = warmUp.when.empty() ? "" : fmt::format(" (when {})", warmUp.when.text);
  if (warmUp.all)
    return "all" + when;
  if (!warmUp.share.empty())
    return fmt::format("until (1 - {})^n is below {:g}{}", warmUp.share, forgottenShare, when);
  if (warmUp.parameter.empty())
    return fmt::format("{}{}", warmUp.frames, when);
  return fmt::format("{} * {}{}{}", warmUp.factor, warmUp.parameter,
                     !warmUp.zero.empty() ? ", all where that is 0" : "", when);
}

std::string print(const ConnectorDescription& connector, size_t width) {
  const bool isInput = connector.direction == Direction::input;
  const std::string anything = isInput ? "any channels" : "channels as 'input'";
  return entry(connector.name, width,
               {isInput ? "input" : "output", arrayText(connector),
                connector.channels.empty() ? anything : wordsOf(connector.channels),
                wordsOf(connector.formats), colourText(connector), connector.optional ? "optional" : ""},
               documentation(connector));
}

std::string print(const ParameterDescription& parameter, size_t width) {
  const std::string type = wordOf(parameterTypeWords(), parameter.type);
  const auto range = [](const NumberRange& of) {
    return fmt::format("from {} to {}", of.minimum, of.maximum);
  };
  return entry(
      parameter.name, width,
      {parameter.count > 1 ? fmt::format("{} x {}", parameter.count, type) : type,
       joined(parameter.choices, "|"), defaultText(parameter), parameter.range ? range(*parameter.range) : "",
       parameter.unit.empty() ? "" : "unit: " + parameter.unit, parameter.perLevel ? "one a level" : "",
       parameter.structural ? "structural" : "", parameter.isFile ? "file" : ""},
      documentation(parameter));
}

std::string print(const ModuleDescription& module) {
  std::string out = fmt::format("{}\n  {}\n", module.name, module.summary);
  if (!module.papers.empty()) {
    out += "\npapers\n";
    for (const std::string& paper : module.papers)
      out += fmt::format("  {}\n", paper);
  }
  for (const WarmUpDescription& term : module.warmUp) {
    out += &term == &module.warmUp.front() ? "\nwarm-up\n  frames before the first: " : "  and: ";
    out += textOf(term) + "\n";
  }
  if (!module.connectors.empty()) {
    out += "\nconnectors\n";
    for (const ConnectorDescription& connector : module.connectors)
      out += print(connector, widestName(module.connectors));
  }
  if (!shownParameters(module).empty()) {
    out += "\nparameters\n";
    for (const ParameterDescription& parameter : shownParameters(module))
      out += print(parameter, widestName(shownParameters(module)));
  }
  out += "\nnodes\n";
  for (const NodeDescription& node : module.nodes)
    out += printNode(node, widestName(module.nodes));
  if (!module.variants.empty()) {
    out += "\nvariants, for --schedule\n";
    for (const VariantDescription& variant : module.variants)
      out += printVariant(variant, widestName(module.variants));
  }
  return out;
}

}  // namespace lacuna
