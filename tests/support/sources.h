#pragma once
// Sources of graphs that read no files: the types of their values are given.

#include <map>
#include <string>

#include "graph/nodes/node_graph.h"

namespace lacuna::test {

// `typesOf`: those of a source's outputs.
template <class TypesOf>
Sources sourcesOf(ModuleGraph modules, const TypesOf& typesOf) {
  Sources sources{std::move(modules)};
  for (const ModuleId id : sources.modules.modules.ids())
    if (sources.modules.modules[id].description->isSource())
      sources.types[id] = typesOf(sources.modules.modules[id]);
  return sources;
}

// Each has the same ones.
inline Sources sourcesOf(ModuleGraph modules, const std::map<std::string, ValueType>& types) {
  return sourcesOf(std::move(modules), [&](const ModuleInstance&) { return types; });
}

}  // namespace lacuna::test
