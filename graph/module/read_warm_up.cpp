// `warmup = "all"`, `warmup = 12`, `warmup = { parameter = "history", factor = 8 }`: read, and checked
// against the module.

#include <fmt/format.h>

#include <algorithm>

#include "graph/module/read_module.h"

namespace lacuna {
namespace {

constexpr int64_t maxWarmUp = 1'000'000'000;  // frames
constexpr int64_t maxWarmUpFactor = 1'000'000;

WarmUpDescription readWarmUpTable(TableReader& module) {
  WarmUpDescription warmUp;
  module.table("warmup", "'warmup'", Need::required, [&](TableReader& reader) {
    warmUp.parameter = reader.string("parameter", Need::required).value_or("");
    warmUp.factor = reader.integer("factor", 1, maxWarmUpFactor).value_or(1);
    const auto zero = reader.string("zero");
    if (zero && *zero != "all") {
      reportUnknownWord(reader, "zero", *zero, {"all"});
    }
    warmUp.zeroIsAll = zero.has_value();
  });
  return warmUp;
}

bool takesLastFrames(const NodeDescription& node) {
  return node.kind == NodeKind::native ||
         std::any_of(node.inputs.begin(), node.inputs.end(),
                     [](const NodeInput& input) { return input.feedback; }) ||
         std::any_of(node.outputs.begin(), node.outputs.end(),
                     [](const NodeOutput& output) { return output.kept; });
}

}  // namespace

std::optional<WarmUpDescription> readWarmUp(TableReader& reader) {
  const toml::node* node = reader.value("warmup");
  if (node == nullptr) {
    return std::nullopt;
  }
  if (node->is_table()) {
    return readWarmUpTable(reader);
  }
  WarmUpDescription warmUp;
  if (node->is_string()) {
    const std::string word = reader.string("warmup").value_or("");
    warmUp.all = true;
    if (word != "all") {
      reportUnknownWord(reader, "warmup", word, {"all"});
    }
  } else if (node->is_integer()) {
    warmUp.frames = reader.integer("warmup", 0, maxWarmUp).value_or(0);
  } else {
    reader.error(
        "warmup",
        fmt::format("'warmup' must be a number of frames, \"all\", or a table with 'parameter', not {}",
                    describeType(*node)));
  }
  return warmUp;
}

void checkWarmUp(const ModuleDescription& module, TomlFile& file) {
  if (!module.warmUp) {
    return;
  }
  if (std::none_of(module.nodes.begin(), module.nodes.end(), takesLastFrames)) {
    file.error("warmup", "'warmup' is for modules that take last frame's values",
               "no node has an input with feedback = true, or an output with kept = true");
  }
  const std::string& name = module.warmUp->parameter;
  if (name.empty()) {
    return;
  }
  const ParameterDescription* parameter = module.parameter(name);
  if (parameter == nullptr) {
    std::vector<std::string> known;
    for (const ParameterDescription& each : module.parameters) {
      known.push_back(each.name);
    }
    file.error("warmup.parameter", fmt::format("the module has no parameter '{}'", name),
               suggest(name, known));
  } else if (parameter->type != ParameterType::integer || parameter->count != 1 ||
             parameter->minimum.value_or(-1.0) < 0.0) {
    file.error("warmup.parameter",
               fmt::format("'{}' is no int of a single value with a range from 0 or more", name));
  }
}

}  // namespace lacuna
