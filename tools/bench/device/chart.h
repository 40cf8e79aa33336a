#pragma once
// What a micro-benchmark of a device finds, as plain data: for the table, the plot, JSON and the cache.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lacuna {

struct ChartPoint {
  double x = 0.0, y = 0.0;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points = {};  // ascending in x
  bool isModel = false;                 // predicted rather than measured
};

// A number that follows from the series. Units: "ns", "ms", "byte", "byte/s", "op/s", "%", "" (a plain
// number).
struct ChartFigure {
  std::string name;
  double value = 0.0;
  std::string unit = {};
};

struct DeviceChart {
  std::string name;   // "latency"
  std::string title;  // what was measured
  std::string x, y;   // what the axes show; x in "byte" is drawn by powers of two
  std::vector<ChartSeries> series = {};
  std::vector<ChartFigure> figures = {};
  std::vector<std::string> notes = {};
  std::string refused = {};  // why the device can't run it
  std::string date = {};     // UTC

  // 0: there is none of this name.
  double figure(const std::string& figureName) const;
};

// "22.6 MiB", "4.33 TB/s", "623 T/s", "35.2 ns".
std::string printBytes(double bytes);
std::string print(const ChartFigure& figure);

std::string print(const DeviceChart& chart);
std::string plot(const DeviceChart& chart);  // an SVG file; of one that was refused, its reason
nlohmann::ordered_json toJson(const DeviceChart& chart);
// Throws nlohmann::json::exception where it is none.
DeviceChart chartOf(const nlohmann::ordered_json& json);

}  // namespace lacuna
