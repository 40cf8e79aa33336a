#include "tools/bench/device/curve.h"

#include <algorithm>
#include <map>

namespace lacuna {

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
  for (auto& [at, row] : rows) {
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace lacuna
