#pragma once
// Results as curves, which are returned as tables; what follows from curves, and plots of tables.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/timing/result_table.h"

namespace lacuna {

struct CurvePoint {
  double x = 0.0, y = 0.0;
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points = {};  // ascending in x
  bool isModel = false;                 // predicted rather than measured
};

// A row for each x, a column for each curve. `x`: its unit, "byte" in powers of two; `y`: what is
// measured.
ResultTable tableOf(const std::string& title, const std::string& x, const std::string& y,
                    const std::vector<Curve>& curves);

// A table as an SVG file: curves over its first column, or a bar for each row.
std::string plot(const ResultTable& table);

// A line through points, by least squares.
struct AffineFit {
  double offset = 0.0, slope = 0.0;
  double at(double x) const { return offset + slope * x; }
};

// Needs: two points of different x.
inline AffineFit affineFit(const std::vector<CurvePoint>& points) {
  double meanX = 0.0, meanY = 0.0, xx = 0.0, xy = 0.0;
  const auto count = static_cast<double>(points.size());
  for (const CurvePoint& point : points) {
    meanX += point.x / count;
    meanY += point.y / count;
  }
  for (const CurvePoint& point : points) {
    xx += (point.x - meanX) * (point.x - meanX);
    xy += (point.x - meanX) * (point.y - meanY);
  }
  return {meanY - xy / xx * meanX, xy / xx};
}

// The sizes of caches, by the latencies of growing footprints: a memory with a latency of `ns`, up to
// footprints of `lastBytes`.
struct LatencyLevel {
  double firstBytes = 0.0, lastBytes = 0.0;
  double ns = 0.0;  // median
};

// Points: bytes and nanoseconds, two an octave. A level is flat over at least an octave; points between two
// levels, where a part of the loads hits, belong to none. Levels that differ by less than a quarter are
// merged.
std::vector<LatencyLevel> latencyLevels(const std::vector<CurvePoint>& points);

}  // namespace lacuna
