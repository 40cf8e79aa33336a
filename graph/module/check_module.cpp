#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

template <typename T>
void checkUnique(const std::vector<T>& list, const std::string& path, const std::string& what,
                 TomlFile& file) {
  std::map<std::string, size_t> first;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string& name = list[i].name;
    if (!name.empty() && !first.emplace(name, i).second) {
      const int line = file.place(fmt::format("{}[{}].name", path, first[name])).line;
      file.error(fmt::format("{}[{}].name", path, i),
                 fmt::format("{} '{}' appears twice, first in line {}", what, name, line));
    }
  }
}

void checkFolderName(const ModuleDescription& module, TomlFile& file) {
  fs::path folder = fs::absolute(module.folder).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  if (!module.name.empty() && folder.filename() != module.name) {
    file.error("name", fmt::format("the module is called '{}', but its folder is '{}'", module.name,
                                   folder.filename().string()));
  }
}

// Each output connector comes from one node, or from several that have conditions.
void checkProducers(const ModuleDescription& module, TomlFile& file) {
  for (size_t c = 0; c < module.connectors.size(); ++c) {
    const ConnectorDescription& connector = module.connectors[c];
    if (connector.direction != Direction::output || connector.name.empty())
      continue;
    const NodeDescription* producer = nullptr;
    for (size_t n = 0; n < module.nodes.size(); ++n) {
      const NodeDescription& node = module.nodes[n];
      for (size_t o = 0; o < node.outputs.size(); ++o) {
        if (node.outputs[o].connector != connector.name)
          continue;
        if (producer != nullptr && (producer->when.empty() || node.when.empty())) {
          file.error(
              fmt::format("node[{}].outputs[{}].connector", n, o),
              fmt::format("the connector '{}' is already made by node '{}'", connector.name, producer->name),
              "two nodes may share it where both have a 'when'");
        }
        producer = &node;
      }
    }
    if (producer == nullptr) {
      file.error(fmt::format("connector[{}].name", c),
                 fmt::format("no node has an output for the connector '{}'", connector.name),
                 fmt::format("write connector = \"{}\" at a node's output", connector.name));
    }
  }
}

void checkInputsUsed(const ModuleDescription& module, TomlFile& file) {
  for (size_t n = 0; n < module.nodes.size(); ++n)
    if (file.isWrong(fmt::format("node[{}].inputs", n)))
      return;  // its input is not known
  for (size_t c = 0; c < module.connectors.size(); ++c) {
    const ConnectorDescription& connector = module.connectors[c];
    const auto isIt = [&](const std::string& source) { return source == connector.name; };
    const auto reads = [&](const NodeDescription& node) {
      return std::ranges::any_of(node.inputs, isIt, &NodeInput::source) ||
             std::ranges::any_of(node.bind, [&](const auto& bound) { return isIt(bound.second); });
    };
    if (connector.direction == Direction::input && !connector.name.empty() &&
        std::ranges::none_of(module.nodes, reads)) {
      file.error(fmt::format("connector[{}].name", c),
                 fmt::format("no node reads the connector '{}'", connector.name));
    }
  }
}

void checkUnless(const ModuleDescription& module, TomlFile& file) {
  for (size_t p = 0; p < module.parameters.size(); ++p) {
    const std::string& name = module.parameters[p].unless;
    const ConnectorDescription* connector = module.connector(name);
    if (!name.empty() && (connector == nullptr || connector->direction != Direction::input)) {
      file.error(fmt::format("parameter[{}].unless", p),
                 fmt::format("'{}' is not an input connector of the module", name));
    }
  }
}

bool takesLastFrames(const NodeDescription& node) {
  return node.kind == NodeKind::native || std::ranges::any_of(node.inputs, &NodeInput::feedback) ||
         std::ranges::any_of(node.outputs, &NodeOutput::kept);
}

// Unlike others, a parameter of a warm-up may have keyframes.
void checkWarmUp(const ModuleDescription& module, TomlFile& file) {
  if (!module.warmUp.empty() && std::ranges::none_of(module.nodes, takesLastFrames)) {
    file.error("warmup", "'warmup' is for modules that read the previous frame's values",
               "no node has an input with feedback = true, or an output with kept = true");
  }
  for (size_t i = 0; i < module.warmUp.size(); ++i) {
    TableChecker table(module, file.has("warmup[0]") ? fmt::format("warmup[{}]", i) : "warmup", file);
    const WarmUpDescription& term = module.warmUp[i];
    const bool isShare = !term.share.empty();
    const std::string& name = isShare ? term.share : term.parameter;
    const ParameterDescription* parameter = module.parameter(name);
    const char* key = isShare ? "share" : "parameter";
    if (name.empty())
      continue;
    if (parameter == nullptr) {
      table.error(key, fmt::format("the module has no parameter '{}'", name),
                  suggest(name, namesIn(module.parameters)));
      continue;
    }
    const NumberRange range = parameter->range.value_or(NumberRange{-1.0, 2.0});
    const bool fits =
        parameter->count == 1 &&
        (isShare ? parameter->type == ParameterType::floating && range.minimum > 0.0 && range.maximum <= 1.0
                 : parameter->type == ParameterType::integer && range.minimum >= 0.0);
    table.expect(fits, key,
                 fmt::format("'{}' is not {}", name,
                             isShare ? "a float of a single value with a range above 0 and up to 1"
                                     : "an int of a single value with a range from 0 or more"));
  }
}

}  // namespace

void checkNodes(const ModuleDescription& module, TomlFile& file) {
  checkUnique(module.nodes, "node", "the node", file);
  for (size_t i = 0; i < module.nodes.size(); ++i) {
    const std::string path = fmt::format("node[{}]", i);
    checkUnique(module.nodes[i].inputs, path + ".inputs", "the input", file);
    checkUnique(module.nodes[i].outputs, path + ".outputs", "the output", file);
    checkNode(module, i, file);
    checkOutputs(module, i, file);
    checkStencil(module, i, file);
  }
  checkProducers(module, file);
}

void checkModule(const ModuleDescription& module, TomlFile& file) {
  checkFolderName(module, file);
  checkUnique(module.connectors, "connector", "the connector", file);
  checkUnique(module.parameters, "parameter", "the parameter", file);
  if (module.nodes.empty()) {
    file.errorAt(file.place(""), "the module has no [[node]]");
    return;
  }
  checkKeys(module, file);
  checkNodes(module, file);
  checkVariants(module, file);
  checkInputsUsed(module, file);
  checkUnless(module, file);
  checkWarmUp(module, file);
}

}  // namespace lacuna
