#pragma once
// What runs in a frame that no sink is written of, such as one of a warm-up: the passes that lead to what
// the next frame finds in persistent resources. All else (downloads, filters behind the feedback, uploads
// that only those read) is left out.

#include "graph/frame/schedule.h"

namespace lacuna {

// Which passes run there. A pass may leave parts of what it writes as they were, so that all
// earlier writers of what is needed are needed.
Table<PassId, bool> passesForNextFrame(const Schedule& schedule);

// The schedule of such a frame: the other passes keep their places and access nothing, barriers are placed
// anew. Needs an arena plan. As every frame waits for all of the one before, frames of both kinds may follow
// each other in any order.
Schedule unwrittenFrame(Schedule schedule);

}  // namespace lacuna
