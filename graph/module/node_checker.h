#pragma once
// What the checks of a node share: messages at its keys, and parameters that may shape the graph.

#include <algorithm>
#include <string>
#include <vector>

#include "graph/module/read_module.h"

namespace lacuna {

template <typename T>
std::vector<std::string> namesIn(const std::vector<T>& list) {
  std::vector<std::string> names;
  for (const T& each : list) {
    names.push_back(each.name);
  }
  return names;
}

class NodeChecker {
 public:
  NodeChecker(const ModuleDescription& module, size_t index, TomlFile& file)
      : module_(module), node_(module.nodes[index]), index_(index), file_(file) {}

 protected:
  void error(const std::string& key, std::string message, std::string hint = {});
  bool isWrong(const std::string& key) const;

  // A structural parameter of one value; reported and nullptr if there is none.
  const ParameterDescription* structural(const std::string& key, const std::string& name);
  // Where a count is a parameter: an int whose range is within these.
  void checkCount(const std::string& key, const Count& count, double least, double most);

  const ModuleDescription& module_;
  const NodeDescription& node_;
  size_t index_;
  TomlFile& file_;
};

// Sizes of outputs.
void checkExtents(const ModuleDescription& module, size_t index, TomlFile& file);

}  // namespace lacuna
