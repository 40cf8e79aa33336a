#include <fmt/format.h>

#include <algorithm>

#include "tools/bench/gemm/report.h"
#include "tools/bench/gemm/study.h"

namespace lacuna {
namespace {

std::string gemmColumns(const std::string& name, const std::string& ms, const std::string& speed,
                        const std::string& peak, const std::string& traffic, const std::string& spread,
                        const std::string& error, const std::string& study) {
  std::string line = fmt::format("{:<46} {:>10} {:>8} {:>6} {:>8} {:>6} {:>8} {:>14}", name, ms, speed, peak,
                                 traffic, spread, error, study);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string teraflops(double perSecond) {
  return fmt::format("{:.{}f}", perSecond * 1e-12, perSecond < 0.1e12 ? 5 : perSecond < 10e12 ? 2 : 1);
}

std::string percent(double share) {
  return share > 0.0 ? fmt::format("{:.1f}", 100.0 * share) : "";
}

bool isStudySize(const GemmTask& task) {
  return task.shape.isSquare() && task.shape.n == gemmStudySize;
}

std::string studyColumn(const GemmTable& table, const GemmRow& row) {
  const GemmStudyKernel* kernel = gemmStudyKernel(row.variant);
  if (kernel == nullptr || !isStudySize(table.task) || &row != table.fastestOf(row.variant)) {
    return {};
  }
  return fmt::format("{:.3g} ({:.1f}%)", operationsOfMultiplyAdd * kernel->speed,
                     100.0 * kernel->speed / gemmStudyPeak);
}

std::string print(const GemmReport& report, const GemmTable& table, const GemmRow& row) {
  const std::string name = fmt::format("{}  {}", row.isOfStudy() ? ' ' : '+', row.schedule);
  if (!row.isMeasured()) {
    return fmt::format("{:<46} {}\n", name, row.refused);
  }
  const double perSecond = table.operationsPerSecond(row);
  const double peak = report.peak(table.task);
  return gemmColumns(name, fmt::format("{:.5f}", row.ms), teraflops(perSecond),
                     percent(peak > 0.0 ? perSecond / peak : 0.0),
                     fmt::format("{:.1f}", table.task.shape.leastBytes() / row.ms * 1e-6),
                     percent((row.mostMs - row.leastMs) / row.ms), fmt::format("{:.1e}", row.error),
                     studyColumn(table, row));
}

std::string printPeaks(const GemmReport& report) {
  if (report.ceilings.tensorF32PerSecond <= 0.0) {
    return "% peak: not known here; `lacuna bench device --part tensor` measures it, on devices that have "
           "tensor "
           "cores\n";
  }
  return fmt::format(
      "% peak: of {:.0f} TFLOP/s with f32 sums and {:.0f} with f16 sums, which `lacuna bench device` found\n",
      report.ceilings.tensorF32PerSecond * 1e-12, report.ceilings.tensorF16PerSecond * 1e-12);
}

const GemmRow* fastestWhere(const std::vector<GemmRow>& rows, const auto& counts) {
  const GemmRow* best = nullptr;
  for (const GemmRow& row : rows) {
    best = row.isMeasured() && counts(row) && (best == nullptr || row.ms < best->ms) ? &row : best;
  }
  return best;
}

}  // namespace

bool GemmRow::isOfStudy() const {
  return gemmStudyKernel(variant) != nullptr;
}

const GemmRow* GemmTable::fastest(bool ofStudy) const {
  return fastestWhere(rows, [&](const GemmRow& row) { return row.isOfStudy() == ofStudy; });
}

const GemmRow* GemmTable::fastestOf(const std::string& variant) const {
  return fastestWhere(rows, [&](const GemmRow& row) { return row.variant == variant; });
}

double GemmTable::operationsPerSecond(const GemmRow& row) const {
  return task.shape.operations() / (row.ms * 1e-3);
}

double GemmTable::timesStudy() const {
  const GemmRow* ours = fastest(false);
  const GemmRow* study = fastest(true);
  return ours == nullptr || study == nullptr ? 0.0 : study->ms / ours->ms;
}

double GemmReport::peak(const GemmTask& task) const {
  return task.halfSums ? ceilings.tensorF16PerSecond : ceilings.tensorF32PerSecond;
}

int GemmReport::wrongCount() const {
  int count = 0;
  for (const GemmTable& table : tables) {
    count += static_cast<int>(
        std::count_if(table.rows.begin(), table.rows.end(), [](const GemmRow& row) { return row.isWrong; }));
  }
  return count;
}

std::string printHead(const GemmReport& report) {
  std::string text = fmt::format("{}, {}, {}\n", report.device, report.driver, report.date);
  text += fmt::format(
      "coopmat-gemm: products of f16 matrices of normal numbers; of each variant's candidates {}{}\n"
      "ms: of a product, median of up to {} runs, each of at least {:.0f} ms back to back between two "
      "timestamps\n"
      "TFLOP/s: 2 n p m operations a product\n",
      report.candidates == "all" ? "" : "the ", report.candidates, report.runs, gemmSpanMs);
  text += printPeaks(report);
  text +=
      "GB/s: of factors and product once; +-%: the slowest run less the fastest, which shows clocks that "
      "move\n"
      "error: of 256 elements, relative to double precision; +: beyond the study\n";
  text += fmt::format(
      "study: {}, {}, TFLOP/s (of its peak).\n"
      "       It counts a multiply-add as one operation: its .17, .81, 8.6 and 34 of {:.0f} are doubled "
      "here\n",
      gemmStudyTitle, gemmStudyDevice, gemmStudyPeak);
  for (const std::string& note : report.notes) {
    text += note + "\n";
  }
  return text;
}

std::string printTitle(const GemmTable& table) {
  return "\n" + gemmColumns(print(table.task), "ms", "TFLOP/s", "% peak", "GB/s", "+-%", "error",
                            isStudySize(table.task) ? "study" : "");
}

std::string printRows(const GemmReport& report, const GemmTable& table, size_t first) {
  std::string text;
  for (size_t i = first; i < table.rows.size(); ++i) {
    text += print(report, table, table.rows[i]);
  }
  return text;
}

std::string printFoot(const GemmTable& table) {
  if (!table.packing) {
    return {};
  }
  return gemmColumns("   packing both factors, in no product's time",
                     fmt::format("{:.5f}", table.packing->ms), "", "",
                     fmt::format("{:.1f}", table.packing->bytes / table.packing->ms * 1e-6), "", "", "");
}

std::string printSummary(const GemmReport& report) {
  std::string text;
  for (const GemmTable& table : report.tables) {
    const GemmRow* ours = table.fastest(false);
    const GemmRow* study = table.fastest(true);
    if (ours == nullptr) {
      continue;
    }
    const double perSecond = table.operationsPerSecond(*ours);
    const double peak = report.peak(table.task);
    std::string line = fmt::format("{:<40} {:>8} {:>6} {:>8}  {}", print(table.task), teraflops(perSecond),
                                   percent(peak > 0.0 ? perSecond / peak : 0.0),
                                   study == nullptr ? "" : fmt::format("{:.2f}", table.timesStudy()),
                                   study == nullptr ? "" : study->schedule);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text.empty() ? text
                      : fmt::format("\n{:<40} {:>8} {:>6} {:>8}  {}\n{}", "our fastest", "TFLOP/s", "% peak",
                                    "x study", "the study's fastest", text);
}

}  // namespace lacuna
