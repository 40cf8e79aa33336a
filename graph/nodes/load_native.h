#pragma once
// ModuleGraph -> the same, with the native code of the modules that need it. Code is loaded here and nowhere
// before: listing modules and reading graphs runs none of it.

#include "graph/nodes/module_graph.h"

namespace lacuna {

struct LinkedGraph : ModuleGraph {};

// Reports, at the module's line, code that can't be used; ModuleInstance::native stays null then.
LinkedGraph loadNative(ModuleGraph graph, Diagnostics& diagnostics);

// What entry points get of a module of the graph in a frame; for a sink also where its main input comes
// from. Throws FileError where `filename` is not a name, or standard input can't be read.
CallContext callContext(const ModuleGraph& graph, const ModuleInstance& module, int frame);

// What a call reported, at the lines of the parameters to blame or else of the module.
void passOn(const NativeCall& call, const ModuleInstance& module, Diagnostics& diagnostics);

}  // namespace lacuna
