#pragma once
// FramedGraph -> the same, whose first frame is the earliest one whose files have headers that can be read.

#include "graph/load/find_frames.h"

namespace lacuna {

// Where there is none, the first frame stays.
FramedGraph beginReadable(FramedGraph graph);

}  // namespace lacuna
