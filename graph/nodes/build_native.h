#pragma once
// Native code of modules: it is loaded only here, so that listing modules and reading graphs runs none; its
// arguments and reports; and the nodes that replace a native node, when its module's build() was called.

#include <optional>

#include "graph/files/held_files.h"
#include "graph/nodes/module_graph.h"
#include "graph/nodes/node_graph.h"

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

struct Upload {
  std::string name;
  ValueType type;
  std::shared_ptr<const std::vector<std::byte>> data;
};

struct Built {
  ModuleInstance module;  // of the nodes; its input connectors are the native node's inputs and "upload.NAME"
  std::vector<Upload> uploads;
  std::optional<NodeByOrigin> byOrigin;
};

// Needs: a type for each connected input of the node. nullopt if there was an error, which was reported.
std::optional<Built> buildNative(const NodeGraph& graph, const Node& node, Diagnostics& diagnostics);

// What build() makes of another frame's file, as NodeByOrigin::made. "" if it fails, which is reported.
std::string madeFor(const ModuleGraph& graph, const NodeByOrigin& node, int frame, HeldFiles& held,
                    Diagnostics& diagnostics);

}  // namespace lacuna
