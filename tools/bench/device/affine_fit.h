#pragma once
// A line through points, by least squares.

#include "tools/bench/device/curve.h"

namespace lacuna {

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

}  // namespace lacuna
