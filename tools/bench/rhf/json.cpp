#include <nlohmann/json.hpp>

#include "tools/bench/rhf/report.h"
#include "tools/bench/rhf/study.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json rowJson(const RhfReport& report, const RhfTable& table, const RhfRow& row) {
  Json out = {{"step", row.step}, {"ofStudy", row.isOfStudy}, {"guarantee", row.guarantee}};
  if (!row.schedule.empty()) {
    out["schedule"] = row.schedule;
  }
  if (!row.refused.empty()) {
    out["refused"] = row.refused;
    return out;
  }
  out["ms"] = row.ms;
  out["runs"] = row.runs;
  Json passes = Json::array();
  for (const auto& [name, ms] : row.passes) {
    passes.push_back({{"name", name}, {"ms", ms}});
  }
  out["passes"] = passes;
  out["bytes"] = row.bytes;
  out["nsPerPixel"] = row.ms * 1e6 / table.task.pixels();
  out["timesFloor"] = row.ms / report.floorMs(table);
  out["timesSequential"] = table.sequential.ms / row.ms;
  if (const RhfRow* naive = table.fastest("naive"); naive != nullptr) {
    out["timesNaive"] = naive->ms / row.ms;
  }
  out["fastestOfStep"] = &row == table.fastest(row.step);
  return out;
}

Json tableJson(const RhfReport& report, const RhfTable& table) {
  const RhfTask& task = table.task;
  Json rows = Json::array();
  for (const RhfRow& row : table.rows) {
    rows.push_back(rowJson(report, table, row));
  }
  Json out = {{"scene", task.scene},
              {"width", task.size.width},
              {"height", task.size.height},
              {"bins", task.bins},
              {"samples", task.samples},
              {"sequential", {{"ms", table.sequential.ms}, {"rows", table.sequential.rows}}},
              {"floor", {{"bytes", table.floorBytes}, {"ms", report.floorMs(table)}}},
              {"terms", {{"search", task.termsOfSearch()}, {"pairs", task.termsOfPairs()}}},
              {"rows", rows}};
  if (const RhfRow* best = table.fastestExact(); best != nullptr) {
    out["fastestExact"] = {{"step", best->step}, {"ms", best->ms}};
  }
  return out;
}

}  // namespace

Json toJson(const RhfReport& report) {
  Json tables = Json::array();
  for (const RhfTable& table : report.tables) {
    tables.push_back(tableJson(report, table));
  }
  return {{"device", report.device},
          {"driver", report.driver},
          {"date", report.date},
          {"runs", report.runs},
          {"candidates", report.candidates},
          {"copyBytesPerSecond", report.copyBytesPerSecond},
          {"study",
           {{"title", rhfStudyTitle},
            {"device", rhfStudyDevice},
            {"processor", rhfStudyProcessor},
            {"processorMs", rhfStudyProcessorMs},
            {"width", 1280},
            {"height", 720},
            {"bins", rhfStudyBins}}},
          {"tables", tables}};
}

}  // namespace lacuna
