#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/bench/device/chart.h"

namespace lacuna {
namespace {

constexpr size_t leastColumn = 12;

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

std::string xText(const DeviceChart& chart, double x) {
  return chart.x == "byte" ? printBytes(x) : fmt::format("{:.4g}", x);
}

std::string chartColumns(const DeviceChart& chart) {
  std::string text = fmt::format("{:>{}}", chart.x == "byte" ? "size" : chart.x, leastColumn);
  for (const ChartSeries& series : chart.series) {
    text += fmt::format("  {:>{}}", series.name, leastColumn);
  }
  return text + "\n";
}

std::string chartRows(const DeviceChart& chart) {
  std::map<double, std::vector<std::string>> rows;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    for (const ChartPoint& point : chart.series[s].points) {
      auto& cells = rows.try_emplace(point.x, chart.series.size()).first->second;
      cells[s] = fmt::format("{:.4g}", point.y);
    }
  }
  std::string text;
  for (const auto& [x, cells] : rows) {
    std::string line = fmt::format("{:>{}}", xText(chart, x), leastColumn);
    for (size_t s = 0; s < cells.size(); ++s) {
      line += fmt::format("  {:>{}}", cells[s], std::max(leastColumn, chart.series[s].name.size()));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
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
  text += fmt::format("  {}\n", chart.y) + chartColumns(chart) + chartRows(chart);
  for (const ChartFigure& figure : chart.figures) {
    text += fmt::format("  {}: {}\n", figure.name, print(figure));
  }
  for (const std::string& note : chart.notes) {
    text += fmt::format("  {}\n", note);
  }
  return text;
}

}  // namespace lacuna
