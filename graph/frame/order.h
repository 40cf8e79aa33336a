#pragma once
// Needs: passes in any valid order. Guarantees: exact; a topological order over the declared accesses that
// greedily keeps the least memory live (a pass that frees the most, allocates the least, goes first). Where
// that would need more memory at the peak than the order given, the order given stays: never worse. Runs
// before lifetimes, which depend on it.

#include "graph/frame/schedule.h"

namespace lacuna {

OrderedPasses order(FramePasses passes);

}  // namespace lacuna
