#include <nlohmann/json.hpp>

#include "tools/bench/bilateral/report.h"
#include "tools/bench/bilateral/sequential.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// How many times as fast, where both are known.
void addSpeedups(Json& out, double ms, double sequentialMs, double naiveMs) {
  if (sequentialMs > 0.0) {
    out["timesSequential"] = sequentialMs / ms;
  }
  if (naiveMs > 0.0) {
    out["timesNaive"] = naiveMs / ms;
  }
}

Json json(const StudyFigures& study) {
  Json versions = Json::array();
  for (int number = 1; number <= studyVersionCount; ++number) {
    if (const double ms = study.msOf(number); ms > 0.0) {
      const StudyVersion& version = studyVersion(number);
      Json& out = versions.emplace_back(Json{
          {"version", number}, {"name", version.abbreviation}, {"variant", version.variant}, {"ms", ms}});
      addSpeedups(out, ms, study.sequentialMs, study.msOf(1));
    }
  }
  Json out = {{"sequentialMs", study.sequentialMs},
              {"fastest",
               {{"version", study.fastest}, {"ms", study.msOf(study.fastest)}, {"tileSize", studyTileSize}}},
              {"versions", versions}};
  if (study.tilingFactor > 0) {
    out["fastest"]["tilingFactor"] = study.tilingFactor;
  }
  return out;
}

Json json(const BilateralTable& table, const BilateralRow& row) {
  Json out = {{"variant", row.variant}, {"schedule", row.schedule}, {"guarantee", row.guarantee}};
  if (!row.refused.empty()) {
    out["refused"] = row.refused;
    return out;
  }
  out["ms"] = row.ms;
  out["runs"] = row.runs;
  const BilateralRow* naive = table.fastest("naive");
  addSpeedups(out, row.ms, table.sequentialMs, naive == nullptr ? 0.0 : naive->ms);
  out["fastestOfVariant"] = &row == table.fastest(row.variant);
  return out;
}

Json ceilings(const BilateralTask& task, const BilateralRow& row) {
  const double count = task.exponentials();
  const double seconds = row.ms * 1e-3;
  return {{"schedule", row.schedule},
          {"exponentials", count},
          {"exponentialsPerSecond", count / seconds},
          {"fmas", fmasPerExponential * count},
          {"fmasPerSecond", fmasPerExponential * count / seconds}};
}

Json json(const BilateralTable& table) {
  const BilateralTask& task = table.task;
  Json rows = Json::array();
  for (const BilateralRow& row : table.rows) {
    rows.push_back(json(table, row));
  }
  Json out = {{"width", task.size.width},
              {"height", task.size.height},
              {"channels", componentCount(task.channels)},
              {"radius", task.radius},
              {"taps", task.taps()},
              {"sequentialMs", table.sequentialMs},
              {"rows", rows}};
  if (const BilateralRow* best = table.fastestExact(); best != nullptr) {
    out["fastestExact"] = {{"schedule", best->schedule}, {"ms", best->ms}};
  }
  if (const BilateralRow* rowsVariant = table.fastest("rows"); rowsVariant != nullptr) {
    out["needed"] = ceilings(task, *rowsVariant);
  }
  if (table.study) {
    out["study"] = json(*table.study);
  }
  return out;
}

}  // namespace

Json toJson(const BilateralReport& report) {
  const BilateralSigmas sigmas;
  Json filters = Json::array();
  for (const BilateralTable& table : report.tables) {
    filters.push_back(json(table));
  }
  return {{"device", report.device},
          {"driver", report.driver},
          {"date", report.date},
          {"runs", report.runs},
          {"candidates", report.candidates},
          {"sigmaSpace", sigmas.space},
          {"sigmaRange", sigmas.range},
          {"study", {{"title", studyTitle}, {"device", studyDevice}, {"processor", studyProcessor}}},
          {"filters", filters}};
}

}  // namespace lacuna
