#pragma once
// Limits on metrics, for scripts: lacuna compare exits with 1 where one is not kept.

#include <optional>

#include "graph/pictures/compare.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// exitOk, or exitFailed and a line for each limit that is not kept, and for metrics that can't be measured.
// Where values are NaN or infinite, limits on relative errors, which leave them out, are not kept.
// `temporal`: of sequences, whose metrics are means over the frames.
int checkLimits(const CompareLimits& limits, const Metrics& metrics,
                const std::optional<double>& temporal = std::nullopt);

}  // namespace lacuna
