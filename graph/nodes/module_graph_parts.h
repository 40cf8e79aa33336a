#pragma once
// The steps of buildModuleGraph, which no other stage uses.

#include <map>
#include <string>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// A graph under construction: modules in the file's order.
struct GraphDraft {
  const Config& config;
  Diagnostics& diagnostics;
  Table<ModuleId, ModuleInstance> modules;
  std::map<std::string, ModuleId> byName;  // "eaw:01"; none if it is declared, but its module is not usable
  // Inputs that some line connects, even with mistakes.
  Table<ModuleId, std::map<std::string, Location>> attempted;

  void error(const Word& word, std::string message, std::string hint = {}) const {
    diagnostics.error(word.where, std::move(message), std::move(hint));
  }
  // A declared, usable module; otherwise none, which is reported unless the module's own line was.
  ModuleId findModule(const InstanceRef& ref) const;
  std::string lineText(const Location& where, int fromFile) const;  // "line 3", "common.cfg line 3"
};

void applyParameters(GraphDraft& draft);   // param: and keyframe: lines
void applyConnections(GraphDraft& draft);  // connect: and feedback: lines
void checkConnectionTypes(GraphDraft& draft, const std::vector<ModuleId>& order);

// Producers before consumers, else in the file's order. Cycles are reported; their modules come
// last.
std::vector<ModuleId> sortModules(GraphDraft& draft);

}  // namespace lacuna
