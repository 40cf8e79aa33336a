#pragma once
// The steps of buildModuleGraph. Not for other stages.

#include <map>
#include <string>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// A graph under construction: modules in the file's order.
struct GraphDraft {
  const Config& config;
  Diagnostics& diagnostics;
  std::vector<ModuleInstance> modules;
  std::map<std::string, int> byName;  // "eaw:01" -> index; -1: declared, but its module is not usable
  std::vector<std::map<std::string, Location>> attempted;  // inputs that some line connects, right or wrong

  void error(const Word& word, std::string message, std::string hint = {}) const {
    diagnostics.error(word.where, std::move(message), std::move(hint));
  }
  // Index of a declared, usable module; else -1, reported unless its own line was.
  int findModule(const InstanceRef& ref) const;
  std::string lineText(const Location& where, int fromFile) const;  // "line 3", "common.cfg line 3"
};

// "did you mean 'x'?", or "`listed`: x, y, z".
std::string suggestName(const std::string& word, const std::vector<std::string>& names,
                        const std::string& listed);

void applyParameters(GraphDraft& draft);   // param: and keyframe: lines
void applyConnections(GraphDraft& draft);  // connect: and feedback: lines
void checkConnectionTypes(GraphDraft& draft, const std::vector<int>& order);

// Indices, producers before consumers, else in the file's order. Cycles are reported; their modules come
// last.
std::vector<int> sortModules(GraphDraft& draft);

}  // namespace lacuna
