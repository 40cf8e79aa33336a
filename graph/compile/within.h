#pragma once
// The passes of a graph within a device's memory: those of the whole picture, or, where they need more, those
// of the fewest pixels in tiles.

#include "graph/compile/compile.h"

namespace lacuna {

struct MemoryBound {
  uint64_t most = 0;                              // bytes
  std::function<Schedule(OrderedPasses)> placed;  // with the device's sizes
};

// In tiles, memory for uploads and downloads counts, too, twice: a tile is uploaded while another is
// computed.
OrderedPasses passesWithin(const NodeGraph& graph, const CompileOptions& options, const MemoryBound& bound,
                           Diagnostics& diagnostics);

}  // namespace lacuna
