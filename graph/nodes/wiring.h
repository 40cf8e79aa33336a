#pragma once
// Module graph -> node graph: first nodes and wires, then their types.

#include <map>
#include <string>

#include "graph/nodes/build_native.h"

namespace lacuna {

// A NodeGraph whose values have no type yet.
struct Wiring {
  NodeGraph graph;
  Table<ModuleId, std::map<std::string, ValueId>> moduleInputs;  // connector -> its input value
};

// Omits nodes whose `when` is false, nodes that no sink and no connected output of their module needs,
// pointwise nodes, stencils and reduces without connected inputs, and outputs of sources that nothing reads
// (so that they are not read from the file either). Reports connections from outputs that no node makes under
// the module's parameters.
Wiring expandModules(ModuleGraph modules, Diagnostics& diagnostics);

// Puts the built nodes in a native node's place, and returns the number of nodes there. The native node's
// output values stay; those of uploads get their types.
size_t replaceNative(Wiring& wiring, NodeId node, Built built, Diagnostics& diagnostics);

// A type for every value, from the sources on. Channels, format and colour of a node's output: from its
// description; else from the output connector, if that allows one choice; else (outputs that are a connector)
// as the module's `input`; else as the node's first image input (a stencil's `state`). Extents: the node's
// first image input, or the one that a kernel's extent_of names, times a scale footprint, rounded up.
// Feedback values are skipped if anything else has a type, and get their producer's type. Returns which
// values have a type; for the others an error is reported here, was before, or will be by checkTypes.
Table<ValueId, bool> inferTypes(Wiring& wiring, const SourceTypes& sources, Diagnostics& diagnostics);

// Reports connections with a wrong type, nodes whose inputs differ in extent, stencils whose input is not
// like their state, and modules that mix colour tags; if all is right so far, nodes that wait for their own
// size.
void checkTypes(const Wiring& wiring, const Table<ValueId, bool>& typed, Diagnostics& diagnostics);

}  // namespace lacuna
