#include "tools/bench/curve.h"

#include <algorithm>
#include <map>

#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr double flatWithin = 1.1;    // from one end to the other
constexpr double leastOctaves = 1.9;  // least factor of size from the first point to the last: three points
constexpr double sameLevel = 1.25;

LatencyLevel levelOf(const std::vector<CurvePoint>& points, size_t first, size_t end) {
  std::vector<double> ns;
  for (size_t i = first; i < end; ++i)
    ns.push_back(points[i].y);
  return {points[first].x, points[end - 1].x, median(std::move(ns))};
}

// The index after the last point that is about as fast as `first`.
size_t flatEnd(const std::vector<CurvePoint>& points, size_t first) {
  double least = points[first].y, most = least;
  size_t end = first;
  while (end < points.size()) {
    least = std::min(least, points[end].y);
    most = std::max(most, points[end].y);
    if (most > flatWithin * least)
      break;
    ++end;
  }
  return end;
}

}  // namespace

ResultTable tableOf(const std::string& title, const std::string& x, const std::string& y,
                    const std::vector<Curve>& curves) {
  constexpr int leastColumn = 12;
  const bool isOfBytes = x == "byte";
  ResultTable table{
      "", title, y, {{isOfBytes ? "size" : x, leastColumn, "/x", isOfBytes ? "bytes" : "{:.4g}"}}};
  table.curvesOf = isOfBytes ? "size" : x;
  std::map<double, Json> rows;
  for (const Curve& curve : curves) {
    table.columns.push_back({curve.name, std::max(leastColumn + 1, static_cast<int>(curve.name.size()) + 1),
                             (Json::json_pointer() / curve.name).to_string(), "{:.4g}", 1.0,
                             curve.isModel ? Mark::model : Mark::measured});
    for (const CurvePoint& point : curve.points) {
      rows[point.x]["x"] = point.x;
      rows[point.x][curve.name] = point.y;
    }
  }
  for (auto& [at, row] : rows)
    table.rows.push_back(std::move(row));
  return table;
}

std::vector<LatencyLevel> latencyLevels(const std::vector<CurvePoint>& points) {
  std::vector<LatencyLevel> levels;
  for (size_t first = 0; first < points.size();) {
    const size_t end = flatEnd(points, first);
    if (points[end - 1].x < leastOctaves * points[first].x) {
      ++first;
      continue;
    }
    const LatencyLevel level = levelOf(points, first, end);
    if (!levels.empty() && level.ns < sameLevel * levels.back().ns)
      levels.back().lastBytes = level.lastBytes;
    else
      levels.push_back(level);
    first = end;
  }
  return levels;
}

}  // namespace lacuna
