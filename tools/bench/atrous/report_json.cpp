#include <nlohmann/json.hpp>

#include "tools/bench/atrous/report.h"
#include "tools/bench/beside.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json about(const std::string& filter, Extent size) {
  return {{"filter", filter}, {"width", size.width}, {"height", size.height}};
}

Json times(const char* key, const std::vector<std::pair<std::string, double>>& named) {
  Json list = Json::array();
  for (const auto& [name, ms] : named) {
    list.push_back({{key, name}, {"ms", ms}});
  }
  return list;
}

Json json(const BenchRow& row) {
  Json out = about(row.filter, row.size);
  out["schedule"] = row.schedule;
  out["family"] = familyOf(row.schedule);
  if (!row.refused.empty()) {
    out["refused"] = row.refused;
    return out;
  }
  out["ms"] = row.ms;
  out["runs"] = row.runs;
  out["bytes"] = row.bytes;
  out["floorMs"] = row.floorMs;
  if (row.baselineMs > 0.0) {
    out["speedup"] = row.baselineMs / row.ms;
  }
  out["passes"] = times("name", row.passes);
  return out;
}

Json json(const BenchSummary& summary) {
  Json out = about(summary.filter, summary.size);
  const auto& [best, bestMs] = summary.contenders.front();
  out["best"] = best;
  out["bestMs"] = bestMs;
  out["auto"] = summary.automatic;
  out["autoMs"] = summary.automaticMs;
  out["autoToBest"] = summary.automaticMs / bestMs;
  if (summary.baselineMs > 0.0) {
    out["baselineMs"] = summary.baselineMs;
    out["bestSpeedup"] = summary.baselineMs / bestMs;
    out["autoSpeedup"] = summary.baselineMs / summary.automaticMs;
  }
  out["floorMs"] = summary.floorMs;
  out["rounds"] = times("schedule", summary.contenders);
  return out;
}

Json json(const BesideLine& line) {
  const BesideFigure& figure = line.figure;
  Json out = about(figure.filter, figure.size);
  out["source"] = figure.source;
  out["driver"] = figure.driver;
  out["date"] = figure.date;
  out["variant"] = figure.variant;
  out["ms"] = figure.ms;
  out["schedule"] = line.schedule;
  out["ourMs"] = line.ms;
  out["ratio"] = line.ms / figure.ms;
  return out;
}

}  // namespace

Json toJson(const BenchReport& report, const std::vector<BesideLine>& lines) {
  Json rows = Json::array();
  for (const BenchRow& row : report.rows) {
    rows.push_back(json(row));
  }
  Json summary = Json::array();
  for (const BenchSummary& each : report.summaries) {
    summary.push_back(json(each));
  }
  Json beside = Json::array();
  for (const BesideLine& line : lines) {
    beside.push_back(json(line));
  }
  return {{"device", report.device},
          {"driver", report.driver},
          {"date", report.date},
          {"runs", report.runs},
          {"copyBytesPerSecond", report.bandwidth},
          {"rows", rows},
          {"summary", summary},
          {"beside", beside}};
}

}  // namespace lacuna
