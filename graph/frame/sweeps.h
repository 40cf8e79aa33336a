#pragma once
// Needs: the ordered passes of a tile. Numbers of the whole picture must be complete before they are used, so
// all tiles run once for each step from pixels to such numbers, and a last time for the outputs; each time
// only what that needs.

#include <vector>

#include "graph/frame/schedule.h"

namespace lacuna {

enum class InSweep { never, firstTile, everyTile };
using Sweep = Table<PassId, InSweep>;

// The last one makes the outputs.
std::vector<Sweep> sweepsOf(const Schedule& schedule);

// Whether the pass adds to an array what its tile has: a histogram's counts, or a kernel's elements.
bool gathers(const Passes& passes, const Pass& pass);

}  // namespace lacuna
