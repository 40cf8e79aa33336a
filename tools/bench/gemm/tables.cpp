#include "tools/bench/gemm/tables.h"

#include <fmt/format.h>

#include "tools/bench/gemm/study.h"

namespace lacuna {
namespace {

std::string teraflops(double perSecond) {
  return fmt::format("{:.{}f}", perSecond * 1e-12, perSecond < 0.1e12 ? 5 : perSecond < 10e12 ? 2 : 1);
}

// Beside the study's size: its speed, which is that of the fastest of our rows of its kernel.
std::string studyColumn(const Json& row) {
  const GemmStudyKernel* kernel = gemmStudyKernel(row.at("variant").get<std::string>());
  return kernel == nullptr || !row.at("fastestOfVariant")
             ? ""
             : fmt::format("{:.3g} ({:.1f}%)", operationsOfMultiplyAdd * kernel->speed,
                           100.0 * kernel->speed / gemmStudyPeak);
}

std::vector<Column> gemmColumns(const Json& table) {
  const bool isStudySize =
      table.at("n") == gemmStudySize && table.at("p") == gemmStudySize && table.at("m") == gemmStudySize;
  return {
      {table.at("task"), -46,
       [](const Json& row) {
         return fmt::format("{}  {}", row.at("ofStudy") ? ' ' : '+', row.at("schedule").get<std::string>());
       }},
      column("ms", 10, "/ms", "{:.5f}"),
      {"TFLOP/s", 8, [](const Json& row) { return teraflops(row.at("operationsPerSecond")); }},
      column("% peak", 6, "/shareOfPeak", "{:.1f}", 100.0),
      column("GB/s", 8, "/bytesPerSecond", "{:.1f}", 1e-9),
      {"+-%", 6,
       [](const Json& row) {
         const double spread = row.at("mostMs").get<double>() - row.at("leastMs").get<double>();
         return spread > 0.0 ? fmt::format("{:.1f}", 100.0 * spread / msOf(&row)) : "";
       }},
      column("error", 8, "/error", "{:.1e}"),
      {isStudySize ? "study" : "", 14, [=](const Json& row) { return isStudySize ? studyColumn(row) : ""; }}};
}

std::string printPeaks(const Json& ceilings) {
  if (ceilings.at("tensorF32PerSecond") == 0.0) {
    return "% peak: not known here; `lacuna bench device --part tensor` measures it, on devices that have "
           "tensor cores\n";
  }
  return fmt::format(
      "% peak: of {:.0f} TFLOP/s with f32 sums and {:.0f} with f16 sums, which `lacuna bench device` found\n",
      ceilings.at("tensorF32PerSecond").get<double>() * 1e-12,
      ceilings.at("tensorF16PerSecond").get<double>() * 1e-12);
}

}  // namespace

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

Json gemmTable(const GemmTask& task, const DeviceCeilings& ceilings) {
  return {{"task", print(task)},
          {"n", task.shape.n},
          {"p", task.shape.p},
          {"m", task.shape.m},
          {"accumulate", task.halfSums ? "f16" : "f32"},
          {"input", layoutName(task)},
          {"operations", task.shape.operations()},
          {"leastBytes", task.shape.leastBytes()},
          {"peak", task.halfSums ? ceilings.tensorF16PerSecond : ceilings.tensorF32PerSecond},
          {"rows", Json::array()}};
}

void compareGemmRows(Json& table, size_t first) {
  Json& rows = table.at("rows");
  for (size_t i = first; i < rows.size(); ++i) {
    Json& row = rows[i];
    row["ofStudy"] = gemmStudyKernel(row.at("variant").get<std::string>()) != nullptr;
    if (row.contains("ms")) {
      const double seconds = msOf(&row) * 1e-3;
      const double perSecond = table.at("operations").get<double>() / seconds;
      row["operationsPerSecond"] = perSecond;
      setRatio(row, "shareOfPeak", perSecond, table.at("peak"));
      row["bytesPerSecond"] = table.at("leastBytes").get<double>() / seconds;
      row["fastestOfVariant"] = &row == fastestWith(rows, "variant", row.at("variant"));
    }
  }
}

const Json* fastestProduct(const Json& table, bool ofStudy) {
  return fastestWith(table.at("rows"), "ofStudy", ofStudy);
}

void addFastest(Json& table) {
  const Json* ours = fastestProduct(table, false);
  const Json* study = fastestProduct(table, true);
  if (ours != nullptr) {
    table["fastest"] = {{"schedule", ours->at("schedule")}, {"ms", ours->at("ms")}};
    setRatio(table, "timesStudy", msOf(study), msOf(ours));
  }
}

std::string gemmHead(const Json& report) {
  const std::string candidates = report.at("candidates");
  std::string text = fmt::format(
      "coopmat-gemm: products of f16 matrices of normal numbers; of each variant's candidates {}{}\n"
      "ms: of a product, median of up to {} runs, each of at least {:.0f} ms back to back between two "
      "timestamps\n"
      "TFLOP/s: 2 n p m operations a product\n",
      candidates == "all" ? "" : "the ", candidates, report.at("runs").get<int>(), gemmSpanMs);
  text += printPeaks(report.at("ceilings"));
  text += fmt::format(
      "GB/s: of factors and product once; +-%: the slowest run less the fastest, which shows clocks that "
      "move\n"
      "error: of 256 elements, relative to double precision; +: beyond the study\n"
      "study: {}, {}, TFLOP/s (of its peak).\n"
      "       It counts a multiply-add as one operation: its .17, .81, 8.6 and 34 of {:.0f} are doubled "
      "here\n",
      gemmStudyTitle, gemmStudyDevice, gemmStudyPeak);
  for (const Json& note : report.at("notes")) {
    text += note.get<std::string>() + "\n";
  }
  return text;
}

std::string gemmTitle(const Json& table) {
  return "\n" + printTitles(gemmColumns(table));
}

std::string gemmRows(const Json& table, size_t first) {
  return printRows(gemmColumns(table), table.at("rows"), first);
}

std::string gemmFoot(const Json& table) {
  if (!table.contains("packing")) {
    return {};
  }
  const Json& packing = table.at("packing");
  return printLine(gemmColumns(table),
                   {"   packing both factors, in no product's time", fmt::format("{:.5f}", msOf(&packing)),
                    "", "", fmt::format("{:.1f}", packing.at("bytesPerSecond").get<double>() * 1e-9)});
}

std::string gemmSummary(const Json& tables) {
  const std::vector<Column> columns = {
      column("our fastest", -40, "/task"),
      {"TFLOP/s", 8, [](const Json& row) { return teraflops(row.at("operationsPerSecond")); }},
      column("% peak", 6, "/shareOfPeak", "{:.1f}", 100.0),
      column("x study", 8, "/timesStudy", "{:.2f}"),
      column(" the study's fastest", -20, "/study")};
  std::string text;
  for (const Json& table : tables) {
    if (const Json* ours = fastestProduct(table, false)) {
      Json line = *ours;
      line["task"] = table.at("task");
      if (const Json* study = fastestProduct(table, true)) {
        line["timesStudy"] = table.at("timesStudy");
        line["study"] = " " + study->at("schedule").get<std::string>();
      }
      text += print(columns, line);
    }
  }
  return text.empty() ? text : "\n" + printTitles(columns) + text;
}

}  // namespace lacuna
