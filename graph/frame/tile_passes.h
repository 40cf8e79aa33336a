#pragma once
// The passes of a tile.

#include <vector>

#include "graph/frame/frame_graph.h"

namespace lacuna {

// Needs: the passes of a tile's graph (nodes/tiles.h). Guarantees: passes that work on images get the
// picture's extent and the tile's place in it, for the positions that bodies see; arrays of the whole
// picture that passes make persist.
FrameGraph inTiles(FrameGraph passes, const Tiles& tiles);

// Needs: the ordered passes of a tile. Numbers of the whole picture must be complete before they are used, so
// all tiles run once for each step from pixels to such numbers, and once more for the outputs. Each of these
// sweeps runs only the passes that it needs.
enum class InSweep { never, firstTile, everyTile };
using Sweep = Table<PassId, InSweep>;

// The last one makes the outputs, if the frame is written, and what the next frame reads.
std::vector<Sweep> sweepsOf(const FrameGraph& schedule, bool isWritten);

// Whether the pass makes numbers of the whole picture from others, once in a sweep.
bool isOfPicture(const Passes& passes, const Pass& pass);

// Whether the pass adds its tile's part to such numbers: a histogram's counts, or a kernel's elements.
bool gathers(const Passes& passes, const Pass& pass);

}  // namespace lacuna
