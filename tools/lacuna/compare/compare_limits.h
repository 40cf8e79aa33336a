#pragma once
// Limits on metrics, for scripts: lacuna compare exits with 1 if one is exceeded.

#include <optional>

#include "tools/lacuna/commands.h"

namespace lacuna {

// exitOk; or exitFailed, with a line for each limit that is exceeded or metric that can't be measured.
// If values are NaN or infinite, limits on relative errors, which omit them, count as exceeded. `temporal`:
// for sequences, whose metrics are means over the frames.
int checkLimits(const CompareLimits& limits, const Metrics& metrics,
                const std::optional<double>& temporal = std::nullopt);

}  // namespace lacuna
