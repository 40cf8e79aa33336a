#pragma once
// Where the caches end, by the latencies of growing footprints.

#include <cstdint>
#include <vector>

#include "tools/bench/device/curve.h"

namespace lacuna {

// A memory that answers in `ns`, as far as footprints of `lastBytes`.
struct LatencyLevel {
  double firstBytes = 0.0, lastBytes = 0.0;
  double ns = 0.0;  // median
};

// Points: bytes and nanoseconds, two an octave. A level is flat over an octave at least; what lies between
// two levels, where a part of the loads hits, is of none. Levels that differ by less than a quarter are one.
std::vector<LatencyLevel> latencyLevels(const std::vector<CurvePoint>& points);

}  // namespace lacuna
