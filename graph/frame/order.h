#pragma once
// Needs: passes in any valid order. Guarantees: exact; a topological order over the declared accesses that
// greedily keeps the least memory live (the pass that frees most or allocates least goes first). If that
// needs more memory at the peak than the given order, the given order stays. Runs before lifetimes, which
// depend on it.

#include "graph/frame/schedule.h"

namespace lacuna {

OrderedPasses order(FramePasses passes);

}  // namespace lacuna
