#pragma once
// The second half of module graph -> node graph: a type for every value, from the sources on.

#include "graph/nodes/expand.h"

namespace lacuna {

// Channels, format and colour of a node's output: as its description says; else as the output connector says,
// where that allows one choice; else (outputs that are a connector) as the module's `input`; else as
// the node's first image input (a stencil's `state`). Extents: the node's first image input, or the one
// that a kernel's extent_of names, times a scale footprint, rounded up. Feedback values are skipped where
// anything else is there to go by, and get their producer's type. Returns which values have a type; for the
// others an error is reported here, was before, or is by checkTypes.
Table<ValueId, bool> inferTypes(Wiring& wiring, const ProbeSource& probe, Diagnostics& diagnostics);

// Reports connections that carry what the consumer does not take, nodes whose inputs differ in extent,
// stencils whose input is not like their state, and modules that mix colour tags; where all is right so far,
// nodes that wait for their own size.
void checkTypes(const Wiring& wiring, const Table<ValueId, bool>& typed, Diagnostics& diagnostics);

}  // namespace lacuna
