#include <nlohmann/json.hpp>

#include "tools/bench/device/chart.h"

namespace lacuna {

using ChartJson = nlohmann::ordered_json;

ChartJson toJson(const DeviceChart& chart) {
  ChartJson json = {{"name", chart.name}, {"title", chart.title}, {"date", chart.date}};
  if (!chart.refused.empty()) {
    json["refused"] = chart.refused;
    return json;
  }
  json["x"] = chart.x;
  json["y"] = chart.y;
  json["series"] = ChartJson::array();
  for (const ChartSeries& series : chart.series) {
    ChartJson points = ChartJson::array();
    for (const ChartPoint& point : series.points) {
      points.push_back({point.x, point.y});
    }
    json["series"].push_back({{"name", series.name}, {"isModel", series.isModel}, {"points", points}});
  }
  json["figures"] = ChartJson::array();
  for (const ChartFigure& figure : chart.figures) {
    json["figures"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  }
  json["notes"] = chart.notes;
  return json;
}

DeviceChart chartOf(const ChartJson& json) {
  DeviceChart chart{json.at("name"), json.at("title"), "", ""};
  chart.date = json.at("date");
  if (json.contains("refused")) {
    chart.refused = json.at("refused");
    return chart;
  }
  chart.x = json.at("x");
  chart.y = json.at("y");
  for (const ChartJson& series : json.at("series")) {
    ChartSeries& made = chart.series.emplace_back();
    made.name = series.at("name");
    made.isModel = series.at("isModel");
    for (const ChartJson& point : series.at("points")) {
      made.points.push_back({point.at(0), point.at(1)});
    }
  }
  for (const ChartJson& figure : json.at("figures")) {
    chart.figures.push_back({figure.at("name"), figure.at("value"), figure.at("unit")});
  }
  chart.notes = json.at("notes").get<std::vector<std::string>>();
  return chart;
}

}  // namespace lacuna
