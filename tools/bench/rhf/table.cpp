#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/bench/rhf/report.h"
#include "tools/bench/rhf/study.h"

namespace lacuna {
namespace {

// Blank where one of the two is not known.
std::string rhfRatio(double slow, double fast) {
  return slow > 0.0 && fast > 0.0 ? fmt::format("{:.2f}", slow / fast) : "";
}

std::string rhfColumns(const std::string& name, const std::string& ms, const std::string& naive,
                       const std::string& sequential, const std::string& floor, const std::string& megabytes,
                       const std::string& nanoseconds) {
  std::string line = fmt::format("{:<32} {:>11} {:>9} {:>9} {:>9} {:>10} {:>10}", name, ms, naive, sequential,
                                 floor, megabytes, nanoseconds);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string rhfScene(const RhfTask& task) {
  return std::filesystem::path(task.scene).stem().string();
}

std::string rhfSize(const RhfTask& task) {
  return fmt::format("{}x{}", task.size.width, task.size.height);
}

std::string print(const RhfReport& report, const RhfTable& table, const RhfRow& row) {
  const std::string name = fmt::format("{}{} {}", row.isOfStudy ? ' ' : '+', row.isExact() ? ' ' : '~',
                                       row.schedule.empty() ? row.step : row.schedule);
  if (!row.refused.empty()) {
    return fmt::format("{:<32} {}\n", name, row.refused);
  }
  const RhfRow* naive = table.fastest("naive");
  return rhfColumns(name, fmt::format("{:.4f}", row.ms), rhfRatio(naive == nullptr ? 0.0 : naive->ms, row.ms),
                    rhfRatio(table.sequential.ms, row.ms), rhfRatio(row.ms, report.floorMs(table)),
                    fmt::format("{:.2f}", row.bytes * 1e-6),
                    fmt::format("{:.2f}", row.ms * 1e6 / table.task.pixels()));
}

}  // namespace

double RhfTask::termsOfSearch() const {
  const RhfDefaults defaults;
  const int side = 2 * defaults.search + 1;
  const int around = 2 * defaults.patch + 1;
  return pixels() * side * side * around * around * 3.0 * bins;
}

double RhfTask::termsOfPairs() const {
  const RhfDefaults defaults;
  return pixels() * 2.0 * defaults.search * (defaults.search + 1) * 3.0 * bins;
}

const RhfRow* RhfTable::fastest(std::string_view step) const {
  const RhfRow* best = nullptr;
  for (const RhfRow& row : rows) {
    best = row.step == step && row.refused.empty() && (best == nullptr || row.ms < best->ms) ? &row : best;
  }
  return best;
}

const RhfRow* RhfTable::fastestExact() const {
  const RhfRow* best = nullptr;
  for (const RhfRow& row : rows) {
    best = row.isExact() && row.refused.empty() && (best == nullptr || row.ms < best->ms) ? &row : best;
  }
  return best;
}

std::string printHead(const RhfReport& report) {
  return fmt::format("{}, {}, {}\n", report.device, report.driver, report.date) +
         fmt::format(
             "rhf, finest scale, defaults; of each step's workgroups {}{}\n"
             "ms: medians of up to {} runs by timestamps, all passes of the module\n"
             "x naive, x 1 CPU: times as fast as naive, as one thread of this machine\n"
             "x floor: of input, histograms and output once, copied at {:.1f} GB/s\n"
             "+: beyond the study; ~: not exact; of the study each step includes those before it\n",
             report.candidates == "all" ? "" : "the ", report.candidates, report.runs,
             report.copyBytesPerSecond * 1e-9) +
         fmt::format(
             "Szeracki et al. 2015: of figure 4 only {:.1f} s on a {} is in the text (1280x720, {} bins a "
             "colour)\n",
             rhfStudyProcessorMs * 1e-3, rhfStudyProcessor, rhfStudyBins);
}

std::string printTitle(const RhfReport& report, const RhfTable& table) {
  const RhfTask& task = table.task;
  return "\n" +
         rhfColumns(fmt::format("{} {}, {} x 3 bins", rhfScene(task), rhfSize(task), task.bins), "ms",
                    "x naive", "x 1 CPU", "x floor", "MB", "ns/pixel") +
         rhfColumns("   one thread, plain loop", fmt::format("{:.1f}", table.sequential.ms), "", "1.00", "",
                    "", fmt::format("{:.1f}", table.sequential.ms * 1e6 / task.pixels())) +
         fmt::format("   ({} of {} rows, scaled; {} samples; floor {:.4f} ms)\n", table.sequential.rows,
                     task.size.height, task.samples, report.floorMs(table));
}

std::string printRows(const RhfReport& report, const RhfTable& table, size_t first) {
  std::string text;
  for (size_t i = first; i < table.rows.size(); ++i) {
    text += print(report, table, table.rows[i]);
  }
  return text;
}

std::string printFoot(const RhfTable& table) {
  const RhfRow* best = table.fastestExact();
  if (best == nullptr) {
    return {};
  }
  return fmt::format(
      "   a search compares {:.3g} G bins of two pixels, each pair once {:.3g} G\n"
      "   fastest exact step: {}, {:.4f} ms, {:.4g} G bins of a search a second\n",
      table.task.termsOfSearch() * 1e-9, table.task.termsOfPairs() * 1e-9, best->step, best->ms,
      table.task.termsOfSearch() * 1e-6 / best->ms);
}

std::string printScaling(const RhfReport& report) {
  if (report.tables.size() < 2) {
    return {};
  }
  std::string text = "\nns/pixel, by size and scene\n" + fmt::format("{:<26}", "");
  for (const RhfTable& table : report.tables) {
    text += fmt::format(" {:>22}", fmt::format("{} {}", rhfScene(table.task), rhfSize(table.task)));
  }
  text += "\n";
  for (const RhfStep& step : rhfSteps()) {
    std::string line = fmt::format("{:<26}", step.name);
    bool isThere = false;
    for (const RhfTable& table : report.tables) {
      const RhfRow* row = table.fastest(step.name);
      isThere = isThere || row != nullptr;
      line += fmt::format(" {:>22}",
                          row == nullptr ? "" : fmt::format("{:.2f}", row->ms * 1e6 / table.task.pixels()));
    }
    text += isThere ? line + "\n" : "";
  }
  return text;
}

}  // namespace lacuna
