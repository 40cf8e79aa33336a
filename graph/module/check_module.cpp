#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/module/read_module.h"

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
  if (!folder.has_filename()) {
    folder = folder.parent_path();
  }
  if (!module.name.empty() && folder.filename() != module.name) {
    file.error("name", fmt::format("the module is called '{}', but its folder is '{}'", module.name,
                                   folder.filename().string()));
  }
}

// Each output connector comes from one node, or from several that have conditions.
void checkProducers(const ModuleDescription& module, TomlFile& file) {
  for (size_t c = 0; c < module.connectors.size(); ++c) {
    const ConnectorDescription& connector = module.connectors[c];
    if (connector.direction != Direction::output || connector.name.empty()) {
      continue;
    }
    const NodeDescription* producer = nullptr;
    for (size_t n = 0; n < module.nodes.size(); ++n) {
      const NodeDescription& node = module.nodes[n];
      for (size_t o = 0; o < node.outputs.size(); ++o) {
        if (node.outputs[o].connector != connector.name) {
          continue;
        }
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
  for (size_t n = 0; n < module.nodes.size(); ++n) {
    if (file.isWrong(fmt::format("node[{}].inputs", n))) {
      return;  // its input is not known
    }
  }
  for (size_t c = 0; c < module.connectors.size(); ++c) {
    const ConnectorDescription& connector = module.connectors[c];
    const auto reads = [&](const NodeDescription& node) {
      return std::ranges::any_of(node.inputs,
                                 [&](const NodeInput& input) { return input.source == connector.name; }) ||
             std::ranges::any_of(node.bind,
                                 [&](const auto& bound) { return bound.second == connector.name; });
    };
    if (connector.direction == Direction::input && !connector.name.empty() &&
        std::ranges::none_of(module.nodes, reads)) {
      file.error(fmt::format("connector[{}].name", c),
                 fmt::format("no node reads the connector '{}'", connector.name));
    }
  }
}

// "@from" at an input connector: whether there is such a choice.
void checkConnectorColours(const ModuleDescription& module, TomlFile& file) {
  for (size_t c = 0; c < module.connectors.size(); ++c) {
    const ConnectorDescription& connector = module.connectors[c];
    if (connector.colourParameter.empty()) {
      continue;
    }
    const std::string key = fmt::format("connector[{}].colour", c);
    const ParameterDescription* parameter = module.parameter(connector.colourParameter);
    const bool tags = parameter != nullptr && parameter->structural && parameter->count == 1 &&
                      parameter->type == ParameterType::choice &&
                      std::ranges::all_of(parameter->choices, [](const std::string& word) {
                        return colourFromName(word).has_value();
                      });
    if (!tags) {
      file.error(key,
                 fmt::format("'{}' is not a structural choice of colour tags", connector.colourParameter));
    } else if (connector.direction == Direction::output) {
      file.error(key, "a parameter's tag is for inputs", "write it at the node's output instead");
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

}  // namespace

void checkNodes(const ModuleDescription& module, TomlFile& file) {
  checkUnique(module.nodes, "node", "the node", file);
  for (size_t i = 0; i < module.nodes.size(); ++i) {
    const std::string path = fmt::format("node[{}]", i);
    checkUnique(module.nodes[i].inputs, path + ".inputs", "the input", file);
    checkUnique(module.nodes[i].outputs, path + ".outputs", "the output", file);
    checkNode(module, i, file);
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
  for (size_t n = 0; n < module.nodes.size(); ++n) {
    if (std::ranges::any_of(module.nodes[n].outputs, &NodeOutput::tile)) {
      file.error(fmt::format("node[{}].outputs", n), "'tile' is for nodes that native code builds");
    }
  }
  checkNodes(module, file);
  checkVariants(module, file);
  checkInputsUsed(module, file);
  checkConnectorColours(module, file);
  checkUnless(module, file);
  checkWarmUp(module, file);
}

}  // namespace lacuna
