#pragma once
// A sequence for several machines.

#include <functional>
#include <vector>

#include "graph/files/frame_set.h"

namespace lacuna {

// Splits frames into at most `count` parts of neighbours, so that the most expensive part costs as little as
// possible, with no more parts than needed for that. `cost`: of a part, such as its frames and those of its
// warm-up; it never falls when a part grows at its end.
std::vector<FrameSet> chunksOf(const FrameSet& frames, size_t count,
                               const std::function<size_t(const FrameSet& part)>& cost);

}  // namespace lacuna
