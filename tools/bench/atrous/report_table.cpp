#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tools/bench/atrous/report.h"
#include "tools/bench/beside.h"

namespace lacuna {
namespace {

std::string sizeText(Extent size) {
  return fmt::format("{}x{}", size.width, size.height);
}

std::string ratio(double of, double to) {
  return to > 0.0 ? fmt::format("{:.2f}", of / to) : "-";
}

}  // namespace

std::string familyOf(const std::string& schedule) {
  return schedule.substr(0, schedule.find_first_of("@/"));
}

std::string printHead(const BenchReport& report) {
  return fmt::format(
             "{}, {}, {}\nmedians of up to {} runs by timestamps, milliseconds; floor: what a filter must "
             "read and write, at the {:.0f} GB/s of a copy\n",
             report.device, report.driver, report.date, report.runs, report.bandwidth * 1e-9) +
         fmt::format("{:<7} {:<10} {:<32} {:>10} {:>8} {:>8} {:>8} | passes\n", "filter", "size", "schedule",
                     "ms", "speedup", "x floor", "GB/s");
}

std::string print(const BenchRow& row) {
  if (!row.refused.empty()) {
    return fmt::format("{:<7} {:<10} {:<32} refused: {}\n", row.filter, sizeText(row.size), row.schedule,
                       row.refused);
  }
  std::string passes;
  for (const auto& [name, ms] : row.passes) {
    passes += fmt::format(" {:.4f}", ms);
  }
  return fmt::format("{:<7} {:<10} {:<32} {:>10.4f} {:>8} {:>8} {:>8.0f} |{}\n", row.filter,
                     sizeText(row.size), row.schedule, row.ms, ratio(row.baselineMs, row.ms),
                     ratio(row.ms, row.floorMs), row.bytes / row.ms * 1e-6, passes);
}

std::string print(const std::vector<BenchSummary>& summaries) {
  std::string text = fmt::format(
      "\nThe fastest and what auto takes, again, in alternating rounds\n{:<7} {:<10} {:<32} {:>10} {:>8}   "
      "{:<32} {:>10} {:>8} {:>8} {:>8}\n",
      "filter", "size", "fastest", "ms", "speedup", "auto", "ms", "speedup", "x floor", "x best");
  for (const BenchSummary& s : summaries) {
    const auto& [best, bestMs] = s.contenders.front();
    text += fmt::format("{:<7} {:<10} {:<32} {:>10.4f} {:>8}   {:<32} {:>10.4f} {:>8} {:>8} {:>8}\n",
                        s.filter, sizeText(s.size), best, bestMs, ratio(s.baselineMs, bestMs), s.automatic,
                        s.automaticMs, ratio(s.baselineMs, s.automaticMs), ratio(s.automaticMs, s.floorMs),
                        ratio(s.automaticMs, bestMs));
  }
  return text;
}

std::string printLevels(const BenchReport& report) {
  std::map<std::tuple<std::string, uint32_t, std::string>, const BenchRow*> best;
  for (const BenchRow& row : report.rows) {
    if (row.refused.empty()) {
      const BenchRow*& known = best[{row.filter, row.size.width * row.size.height, familyOf(row.schedule)}];
      known = known == nullptr || row.ms < known->ms ? &row : known;
    }
  }
  std::string text = "\nThe fastest of each family, by level, and the slowest level to the first\n";
  for (const auto& [key, row] : best) {
    text += fmt::format("{:<7} {:<10} {:<32}", row->filter, sizeText(row->size), row->schedule);
    double first = 0.0;
    double slowest = 0.0;
    std::string levels;
    for (const auto& [name, ms] : row->passes) {
      if (name.starts_with("level")) {
        first = levels.empty() ? ms : first;
        slowest = std::max(slowest, ms);
        levels += fmt::format(" {:.4f}", ms);
      }
    }
    text += fmt::format(" {:>8} |{}\n", ratio(slowest, first), levels);
  }
  return text;
}

std::string print(const std::vector<BesideLine>& lines) {
  std::string text;
  std::string source;
  for (const BesideLine& line : lines) {
    const BesideFigure& figure = line.figure;
    if (figure.source != source) {
      source = figure.source;
      text +=
          fmt::format("\nBeside {} ({}, {})\n{:<7} {:<10} {:<32} {:>10}   {:<32} {:>10} {:>8}\n", source,
                      figure.driver, figure.date, "filter", "size", "theirs", "ms", "ours", "ms", "ratio");
    }
    text += fmt::format("{:<7} {:<10} {:<32} {:>10.4f}   {:<32} {:>10.4f} {:>8}\n", figure.filter,
                        sizeText(figure.size), figure.variant, figure.ms, line.schedule, line.ms,
                        ratio(line.ms, figure.ms));
  }
  return text;
}

}  // namespace lacuna
