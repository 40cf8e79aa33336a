#pragma once
// The sizes of caches, by the latencies of growing footprints.

#include <cstdint>
#include <vector>

#include "tools/bench/device/curve.h"

namespace lacuna {

// A memory with a latency of `ns`, up to footprints of `lastBytes`.
struct LatencyLevel {
  double firstBytes = 0.0, lastBytes = 0.0;
  double ns = 0.0;  // median
};

// Points: bytes and nanoseconds, two an octave. A level is flat over at least an octave; points between two
// levels, where a part of the loads hits, belong to none. Levels that differ by less than a quarter are
// merged.
std::vector<LatencyLevel> latencyLevels(const std::vector<CurvePoint>& points);

}  // namespace lacuna
