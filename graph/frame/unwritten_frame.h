#pragma once
// The passes of a frame that no sink writes, such as one of a warm-up: those that lead to the next frame's
// persistent resources. Everything else (downloads, filters behind the feedback, uploads that only those
// read) is omitted.

#include "graph/frame/schedule.h"

namespace lacuna {

// The passes that run there. A pass may leave parts of its output unchanged, so all earlier writers of needed
// values are needed.
Table<PassId, bool> passesForNextFrame(const Schedule& schedule);

// The schedule of such a frame: the other passes keep their places and access nothing, and barriers are
// placed again. Needs an arena plan. Every frame waits for the whole previous one, so frames of both kinds
// may follow each other in any order.
Schedule unwrittenFrame(Schedule schedule);

}  // namespace lacuna
