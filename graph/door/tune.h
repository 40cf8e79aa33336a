#pragma once
// Measurements as the door shows them.

#include "graph/door/lacuna/lacuna.h"
#include "graph/run/tune/tune.h"

namespace lacuna::door {

std::vector<FilterTimes> timesOf(const std::vector<FilterTuning>& tunings);

}  // namespace lacuna::door
