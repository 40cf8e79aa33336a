#include <nlohmann/json.hpp>

#include "tools/bench/gemm/report.h"
#include "tools/bench/gemm/study.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json gemmRowJson(const GemmReport& report, const GemmTable& table, const GemmRow& row) {
  Json out = {{"variant", row.variant}, {"schedule", row.schedule}, {"ofStudy", row.isOfStudy()}};
  if (!row.isMeasured()) {
    out["refused"] = row.refused;
    out["wrong"] = row.isWrong;
    return out;
  }
  const double perSecond = table.operationsPerSecond(row);
  out["ms"] = row.ms;
  out["leastMs"] = row.leastMs;
  out["mostMs"] = row.mostMs;
  out["runs"] = row.runs;
  out["productsPerRun"] = row.products;
  out["error"] = row.error;
  out["operationsPerSecond"] = perSecond;
  if (const double peak = report.peak(table.task); peak > 0.0) {
    out["shareOfPeak"] = perSecond / peak;
  }
  out["bytesPerSecond"] = table.task.shape.leastBytes() / (row.ms * 1e-3);
  out["fastestOfVariant"] = &row == table.fastestOf(row.variant);
  return out;
}

Json gemmTableJson(const GemmReport& report, const GemmTable& table) {
  const GemmTask& task = table.task;
  Json rows = Json::array();
  for (const GemmRow& row : table.rows) {
    rows.push_back(gemmRowJson(report, table, row));
  }
  Json out = {{"n", task.shape.n},
              {"p", task.shape.p},
              {"m", task.shape.m},
              {"accumulate", task.halfSums ? "f16" : "f32"},
              {"input", layoutName(task)},
              {"operations", task.shape.operations()},
              {"leastBytes", task.shape.leastBytes()},
              {"rows", rows}};
  if (table.packing) {
    out["packing"] = {{"ms", table.packing->ms},
                      {"bytes", table.packing->bytes},
                      {"bytesPerSecond", table.packing->bytes / (table.packing->ms * 1e-3)}};
  }
  if (const GemmRow* ours = table.fastest(false); ours != nullptr) {
    out["fastest"] = {{"schedule", ours->schedule}, {"ms", ours->ms}};
  }
  if (const double times = table.timesStudy(); times > 0.0) {
    out["timesStudy"] = times;
  }
  return out;
}

Json gemmStudyJson() {
  Json kernels = Json::array();
  for (const GemmStudyKernel& kernel : gemmStudyKernels()) {
    kernels.push_back({{"variant", kernel.variant},
                       {"multiplyAddsPerSecond", kernel.speed * 1e12},
                       {"operationsPerSecond", operationsOfMultiplyAdd * kernel.speed * 1e12}});
  }
  return {{"title", gemmStudyTitle},
          {"device", gemmStudyDevice},
          {"size", gemmStudySize},
          {"peakOperationsPerSecond", operationsOfMultiplyAdd * gemmStudyPeak * 1e12},
          {"note", "it counts a multiply-add as one operation; operations here are 2 n p m"},
          {"kernels", kernels}};
}

}  // namespace

Json toJson(const GemmReport& report) {
  Json tables = Json::array();
  for (const GemmTable& table : report.tables) {
    tables.push_back(gemmTableJson(report, table));
  }
  return {{"device", report.device},
          {"driver", report.driver},
          {"date", report.date},
          {"runs", report.runs},
          {"candidates", report.candidates},
          {"spanMs", gemmSpanMs},
          {"limitSeconds", report.limitSeconds},
          {"ceilings",
           {{"tensorF32PerSecond", report.ceilings.tensorF32PerSecond},
            {"tensorF16PerSecond", report.ceilings.tensorF16PerSecond},
            {"copyBytesPerSecond", report.ceilings.copyBytesPerSecond}}},
          {"notes", report.notes},
          {"study", gemmStudyJson()},
          {"tables", tables}};
}

}  // namespace lacuna
