#pragma once
// The second half of module graph -> node graph: a type for every value, from the sources on.

#include "graph/nodes/expand.h"

namespace lacuna {

// Channels, format and colour of a node's output: from its description; else from the output connector, if
// that allows one choice; else (outputs that are a connector) as the module's `input`; else as the node's
// first image input (a stencil's `state`). Extents: the node's first image input, or the one that a kernel's
// extent_of names, times a scale footprint, rounded up. Feedback values are skipped if anything else has a
// type, and get their producer's type. Returns which values have a type; for the others an error is reported
// here, was before, or will be by checkTypes.
Table<ValueId, bool> inferTypes(Wiring& wiring, const ProbeSource& probe, Diagnostics& diagnostics);

// Reports connections with a wrong type, nodes whose inputs differ in extent, stencils whose input is not
// like their state, and modules that mix colour tags; if all is right so far, nodes that wait for their own
// size.
void checkTypes(const Wiring& wiring, const Table<ValueId, bool>& typed, Diagnostics& diagnostics);

}  // namespace lacuna
