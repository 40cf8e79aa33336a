// What the keys of a table mean together: values that follow from others, and keys that exclude each other.
// A module is still as it was written: what an alias takes over is complete.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

#include "graph/config/text.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

void completeConnector(TableChecker& table, ConnectorDescription& connector) {
  table.expect(!table.has("planes") || connector.planes, "planes",
               "'planes' of a connector is true, or missing");
  table.expect(!table.has("planes") || !table.has("array"), "array",
               "an array of planes has 'planes' in place of 'array'");
  connector.arrayCount = table.has("planes") ? anyCount : connector.arrayCount;
  const bool isInput = connector.direction == Direction::input;
  table.expect(!connector.images || (isInput && connector.arrayCount > 0 && !connector.planes), "images",
               "'images' is for inputs that take arrays: they take images, too",
               "without 'array' an input takes images alone");
  table.expect(!connector.optional || isInput, "optional", "'optional' is for inputs");
  table.expect(isInput || !connector.colour || connector.colour->parameter.empty(), "colour",
               "a parameter's tag is for inputs", "write it at the node's output instead");
}

class ParameterCompletion {
 public:
  ParameterCompletion(TableChecker& table, ParameterDescription& parameter, const std::string& folder)
      : table_(table), parameter_(parameter), folder_(folder) {}

  void run() {
    parameter_.structural = parameter_.structural || parameter_.settled;
    if (!parameter_.choicesIn.empty())
      addChoices();
    if (!table_.isRight("type"))
      return;
    checkRange();
    checkChoices();
    table_.expect(!parameter_.isFile || parameter_.type == ParameterType::string, "file",
                  "'file' is for parameters of type string");
    if (table_.has("default") && !table_.isWrong("count"))
      checkDefaults();
    if (table_.has("preview") && !table_.isWrong("preview"))
      table_.expect(
          isNumber(parameter_.type) && parameter_.count == 1 && parameter_.preview.size() == 1 &&
              whyNot(parameter_.preview.front()).empty(),
          "preview",
          "'preview' is for a single number: another value of the parameter's type, within its range");
  }

 private:
  // Each line of a file beside the module's folder.
  void addChoices() {
    const fs::path beside = fs::path(folder_) / "..",
                   path = (beside / parameter_.choicesIn).lexically_normal();
    const FileText read = liesWithin(path, {beside}) ? readTextFile(path) : FileText{{}, "it lies elsewhere"};
    table_.expect(read.error.empty(), "choices_in",
                  fmt::format("the file {} cannot be read: {}", parameter_.choicesIn, read.error));
    std::istringstream lines(read.text);
    for (std::string line; std::getline(lines, line);)
      parameter_.choices.push_back(line);
  }

  void checkRange() {
    const std::optional<NumberRange> range = std::exchange(parameter_.range, std::nullopt);
    if (table_.has("range") && !isNumber(parameter_.type)) {
      table_.error("range", "'range' is for numbers");
    } else if (const NumberRange widest = rangeOf(parameter_);
               range && !(widest.contains(range->minimum) && widest.contains(range->maximum))) {
      table_.error("range", fmt::format("'range' of whole numbers lies within {} to {}: shaders have 32 bits",
                                        widest.minimum, widest.maximum));
    } else {
      parameter_.range = range;
    }
  }

  void checkChoices() {
    const std::vector<std::string>& choices = parameter_.choices;
    if (!table_.has("choices"))
      return;
    if (parameter_.type != ParameterType::choice)
      table_.error("choices", "'choices' is for parameters of type choice");
    else if (choices.empty())
      table_.error("choices", "'choices' is empty");
    for (size_t i = 1; i < choices.size(); ++i) {
      const auto current = choices.begin() + static_cast<long>(i);
      table_.expect(std::find(choices.begin(), current, *current) == current, fmt::format("choices[{}]", i),
                    fmt::format("the choice '{}' appears twice", *current));
    }
  }

  void checkDefaults() {
    ParameterValues& values = parameter_.defaults;
    const bool isList = values.empty() || table_.has("default[0]");
    if (isList && values.size() != parameter_.count) {
      table_.error("default", fmt::format("the default has {} value{}, but 'count' is {}", values.size(),
                                          values.size() == 1 ? "" : "s", parameter_.count));
      return;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string key = isList ? fmt::format("default[{}]", i) : "default";
      if (const auto* whole = std::get_if<int64_t>(&values[i]);
          whole != nullptr && parameter_.type == ParameterType::floating)
        values[i] = static_cast<double>(*whole);
      const std::string reason = table_.isWrong(key) ? "" : whyNot(values[i]);
      table_.expect(reason.empty(), key, reason);
    }
    if (!isList)
      values.assign(parameter_.count, ParameterValue(values.front()));
  }

  // Why it is not a value of this parameter; "" if it is one.
  std::string whyNot(const ParameterValue& value) const {
    using Text = std::pair<size_t, const char*>;  // index in ParameterValue
    const auto [wanted, type] = parameter_.type == ParameterType::floating  ? Text{0, "a number"}
                                : parameter_.type == ParameterType::integer ? Text{1, "a whole number"}
                                : parameter_.type == ParameterType::boolean ? Text{2, "true or false"}
                                                                            : Text{3, "a string"};
    if (value.index() != wanted) {
      constexpr const char* types[] = {"a number", "a whole number", "true or false", "a string"};
      return fmt::format("the default must be {}, not {}", type, types[value.index()]);
    }
    if (isNumber(parameter_.type)) {
      const double number =
          wanted == 0 ? std::get<double>(value) : static_cast<double>(std::get<int64_t>(value));
      const NumberRange range = rangeOf(parameter_);
      return !std::isfinite(static_cast<float>(number)) ? "the default is not a finite number"
             : range.contains(number)                   ? ""
                                      : fmt::format("the default {} is outside its range, {} to {}", number,
                                                    range.minimum, range.maximum);
    }
    const auto* word = std::get_if<std::string>(&value);
    const auto& choices = parameter_.choices;
    const bool fits = parameter_.type != ParameterType::choice || choices.empty() || contains(choices, *word);
    return fits ? "" : fmt::format("the default '{}' is none of the choices: {}", *word, joinNames(choices));
  }

  TableChecker& table_;
  ParameterDescription& parameter_;
  const std::string& folder_;
};

void completeOutput(TableChecker& table, NodeOutput& output) {
  table.expect(!table.has("planes") || !table.has("array"), "array",
               "an array of planes has 'planes' in place of 'array'");
  table.expect(!table.isRight("shape") || !(table.has("array") || table.has("planes")), "shape",
               "an output has 'array', 'planes' or 'shape', one of them");
  table.expect(!table.has("pattern") || output.channels == Channels::mosaic, "pattern",
               "'pattern' is for outputs with channels = \"mosaic\"");
  output.arrayCount = table.has("planes") || !output.shape.empty() ? anyCount : output.arrayCount;
  if (output.extent) {
    output.extent->window = table.has("extent.x") || table.has("extent.y");
    for (const char* other : {"extent.only", "extent.factor"}) {
      table.expect(!output.extent->window || !table.has(other), other,
                   "a window has 'x', 'y', 'width' and 'height'");
    }
  }
}

float largestOf(const OrParameter<int64_t>& number, const ModuleDescription& module) {
  const ParameterDescription* parameter = module.parameter(number.parameter);
  return static_cast<float>(parameter == nullptr ? static_cast<double>(number.value)
                            : parameter->range   ? parameter->range->maximum
                                                 : maxRadius);
}

void completeStencil(TableChecker& table, StencilDescription& stencil) {
  if (stencil.state.channels && !table.has("stencil.state.format"))
    stencil.state.format = OrParameter<Format>{Format::f16};
  table.expect(!table.has("stencil.tap") || !stencil.tap.empty(), "stencil.tap",
               "'tap' needs at least one field");
  for (size_t i = 0; i < stencil.tap.size(); ++i) {
    const std::string key = fmt::format("stencil.tap[{}].", i);
    const bool isRead = !stencil.tap[i].from.empty();
    table.expect(!isRead || !table.has(key + "storage"), key + "storage",
                 "a tap field has 'from' or 'storage', not both",
                 "a field with 'from' is stored in its own type");
    table.expect(isRead || !stencil.tap[i].bytes, key + "bytes",
                 "only a tap field with 'from' can have 'bytes'", "`load` computes the others");
  }
  const bool hasLevel = table.has("stencil.tap_level");
  table.expect(hasLevel == table.has("stencil.tap_output"),
               hasLevel ? "stencil.tap_level" : "stencil.tap_output",
               "'tap_level' and 'tap_output' need each other");
}

void completeNode(TableChecker& table, NodeDescription& node, const ModuleDescription& module) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    TableChecker output = table.inside(fmt::format("outputs[{}]", i));
    completeOutput(output, node.outputs[i]);
  }
  if (table.has("stencil"))
    completeStencil(table, node.stencil);
  node.constants = node.kind == NodeKind::stencil ? node.stencil.constants : node.kernel.constants;
  if (!table.has("footprint") && node.kind == NodeKind::stencil) {
    node.footprint = {FootprintKind::halo,
                      largestOf(node.stencil.radius, module) + largestOf(node.stencil.patch, module)};
  } else if (!table.has("footprint") && (node.kind == NodeKind::reduce || statesOutputs(node.kind))) {
    node.footprint.kind = FootprintKind::global;
  }
}

void completeWarmUp(TableChecker& table, const WarmUpDescription& term) {
  for (const char* key : {"parameter", "factor", "zero"}) {
    table.expect(term.share.empty() || !table.has(key), key,
                 fmt::format("'{}' does not go with 'share'", key));
  }
}

}  // namespace

void completeNodes(ModuleDescription& module, TomlFile& file) {
  for (size_t i = 0; i < module.nodes.size(); ++i) {
    TableChecker table(module, fmt::format("node[{}]", i), file);
    completeNode(table, module.nodes[i], module);
  }
}

void complete(ModuleDescription& module, TomlFile& file) {
  for (size_t i = 0; i < module.connectors.size(); ++i) {
    TableChecker table(module, fmt::format("connector[{}]", i), file);
    completeConnector(table, module.connectors[i]);
  }
  for (size_t i = 0; i < module.parameters.size(); ++i) {
    TableChecker table(module, fmt::format("parameter[{}]", i), file);
    ParameterCompletion(table, module.parameters[i], module.folder).run();
  }
  completeNodes(module, file);
  for (size_t i = 0; i < module.nodes.size(); ++i)
    if (std::ranges::any_of(module.nodes[i].outputs, &NodeOutput::tile))
      file.error(fmt::format("node[{}].outputs", i), "'tile' is for nodes that native code builds");
  for (size_t i = 0; i < module.warmUp.size(); ++i) {
    TableChecker table(module, file.has("warmup[0]") ? fmt::format("warmup[{}]", i) : "warmup", file);
    completeWarmUp(table, module.warmUp[i]);
  }
  TableChecker root(module, "", file);
  for (const char* key : {"fixed", "parameters"}) {
    root.expect(!module.alias.base.empty() || !root.has(key), key,
                fmt::format("'{}' is for modules with an 'alias'", key));
  }
}

}  // namespace lacuna
