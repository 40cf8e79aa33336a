#pragma once
// ModuleGraph -> the same, with the native code of the modules that need it. Native code is loaded only here;
// listing modules and reading graphs runs none.

#include "graph/files/held_files.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// Reports, at the module's line, code that can't be used; ModuleInstance::native stays null then.
ModuleGraph loadNative(ModuleGraph graph, Diagnostics& diagnostics);

// The arguments of entry points for a module of the graph in a frame; for a sink also the origin of its main
// input. `held`: opens files of sources there. Throws FileError if `filename` is not a name, or standard
// input can't be read.
CallContext callContext(const ModuleGraph& graph, const ModuleInstance& module, int frame,
                        HeldFiles* held = nullptr);

// A call's reports, at the lines of the wrong parameters or else of the module. `hint`: for its errors.
void passOn(const NativeCall& call, const ModuleInstance& module, Diagnostics& diagnostics,
            const std::string& hint = {});

// For a file that isn't there: "there is shot_%04d.exr", if its name has a number as other programs write it.
std::string hintForMissing(const ModuleInstance& module, const std::string& graphFolder);

}  // namespace lacuna
