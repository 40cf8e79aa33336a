#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/bench/columns.h"
#include "tools/bench/device/chart.h"

namespace lacuna {
namespace {

constexpr int leastColumn = 12;

// Three digits, and the unit's prefix: 1.98e14 -> "198 T".
std::string withPrefix(double value) {
  constexpr const char* powersOfThousand[] = {"", "k", "M", "G", "T", "P"};
  size_t prefix = 0;
  while (std::abs(value) >= 999.5 && prefix + 1 < std::size(powersOfThousand)) {
    value /= 1000.0;
    ++prefix;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, powersOfThousand[prefix]);
}

// A row for each x, of all series that have a point there.
std::string chartTable(const DeviceChart& chart) {
  std::vector<Column> columns = {column(chart.x == "byte" ? "size" : chart.x, leastColumn, "/x")};
  std::map<double, Json> rows;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const auto width = static_cast<int>(chart.series[s].name.size()) + 1;
    columns.push_back(
        column(chart.series[s].name, std::max(leastColumn + 1, width), fmt::format("/{}", s), "{:.4g}"));
    for (const ChartPoint& point : chart.series[s].points) {
      Json& row = rows[point.x];
      row["x"] = chart.x == "byte" ? printBytes(point.x) : fmt::format("{:.4g}", point.x);
      row[std::to_string(s)] = point.y;
    }
  }
  std::string text = printTitles(columns);
  for (const auto& [x, row] : rows) {
    text += print(columns, row);
  }
  return text;
}

}  // namespace

double DeviceChart::figure(const std::string& figureName) const {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const ChartFigure& each) { return each.name == figureName; });
  return found == figures.end() ? 0.0 : found->value;
}

std::string printBytes(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < std::size(units)) {
    bytes /= 1024.0;
    ++unit;
  }
  return fmt::format("{} {}", bytes < 99.95 ? fmt::format("{:.3g}", bytes) : fmt::format("{:.0f}", bytes),
                     units[unit]);
}

std::string print(const ChartFigure& figure) {
  if (figure.unit == "byte") {
    return printBytes(figure.value);
  }
  if (figure.unit == "byte/s") {
    return withPrefix(figure.value) + "B/s";
  }
  if (figure.unit == "op/s") {
    return withPrefix(figure.value) + "FLOP/s";
  }
  return fmt::format("{:.4g}{}{}", figure.value, figure.unit.empty() ? "" : " ", figure.unit);
}

std::string print(const DeviceChart& chart) {
  std::string text = fmt::format("\n{}: {}\n", chart.name, chart.title);
  if (!chart.refused.empty()) {
    return text + fmt::format("  refused: {}\n", chart.refused);
  }
  text += fmt::format("  {}\n", chart.y) + chartTable(chart);
  for (const ChartFigure& figure : chart.figures) {
    text += fmt::format("  {}: {}\n", figure.name, print(figure));
  }
  for (const std::string& note : chart.notes) {
    text += fmt::format("  {}\n", note);
  }
  return text;
}

}  // namespace lacuna
