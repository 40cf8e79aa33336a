#pragma once
// Needs: the passes of a tile's graph (nodes/tiles.h). Guarantees: passes that work on images get the
// picture's extent and the tile's place in it, for the positions that bodies see; arrays of the whole
// picture that passes make persist.

#include "graph/frame/schedule.h"

namespace lacuna {

FramePasses inTiles(FramePasses passes, const Tiles& tiles);

}  // namespace lacuna
