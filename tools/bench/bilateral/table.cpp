#include <fmt/format.h>

#include <algorithm>

#include "tools/bench/bilateral/report.h"
#include "tools/bench/bilateral/sequential.h"

namespace lacuna {
namespace {

// Blank where one of the two is not known.
std::string ratio(double slow, double fast, int digits) {
  return slow > 0.0 && fast > 0.0 ? fmt::format("{:.{}f}", slow / fast, digits) : "";
}

std::string milliseconds(double ms) {
  return ms > 0.0 ? fmt::format("{:.4f}", ms) : "";
}

// "58.1 G"
std::string scaled(double value) {
  constexpr const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
  size_t i = 0;
  for (; value >= 999.5 && i + 1 < std::size(prefixes); ++i) {
    value *= 1e-3;
  }
  return fmt::format("{:.3g}{}", value, prefixes[i]);
}

std::string withoutBlanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Columns of ours; of the study's.
std::string left(const std::string& name, const std::string& ms, const std::string& sequential,
                 const std::string& naive) {
  return fmt::format("{:<35} {:>12} {:>9} {:>8}", name, ms, sequential, naive);
}
std::string right(const std::string& name, const std::string& ms, const std::string& sequential,
                  const std::string& naive) {
  return fmt::format(" | {:<12} {:>12} {:>7} {:>8}", name, ms, sequential, naive);
}

std::string studyCells(const StudyFigures& study, const StudyVersion& version) {
  const double ms = study.msOf(version.number);
  return right(fmt::format("{} {}", version.number, version.abbreviation), milliseconds(ms),
               ratio(study.sequentialMs, ms, 1), ratio(study.msOf(1), ms, 2));
}

std::string print(const BilateralTable& table, const BilateralRow& row) {
  const std::string name = fmt::format("{} {}", row.isExact() ? ' ' : '~', row.schedule);
  if (!row.refused.empty()) {
    return fmt::format("{:<35} {}\n", name, row.refused);
  }
  const BilateralRow* naive = table.fastest("naive");
  std::string line = left(name, milliseconds(row.ms), ratio(table.sequentialMs, row.ms, 1),
                          ratio(naive == nullptr ? 0.0 : naive->ms, row.ms, 2));
  if (table.study) {
    // Its times are the best ones of each version.
    const StudyVersion* version = &row == table.fastest(row.variant) ? studyVersionOf(row.variant) : nullptr;
    line += version == nullptr ? " |" : studyCells(*table.study, *version);
  }
  return withoutBlanks(line);
}

std::string printFastest(const StudyFigures& study) {
  const StudyVersion& version = studyVersion(study.fastest);
  return fmt::format("; the study's: {} {}, {}x{}{}, {:.4f} ms", version.number, version.abbreviation,
                     studyTileSize, studyTileSize,
                     study.tilingFactor > 0 ? fmt::format(", 1x{}", study.tilingFactor) : "",
                     study.msOf(study.fastest));
}

// Null: there is none.
template <typename Counts>
const BilateralRow* fastestWhere(const std::vector<BilateralRow>& rows, const Counts& counts) {
  const BilateralRow* best = nullptr;
  for (const BilateralRow& row : rows) {
    if (row.refused.empty() && counts(row) && (best == nullptr || row.ms < best->ms)) {
      best = &row;
    }
  }
  return best;
}

}  // namespace

const BilateralRow* BilateralTable::fastest(std::string_view variant) const {
  return fastestWhere(rows, [&](const BilateralRow& row) { return row.variant == variant; });
}

const BilateralRow* BilateralTable::fastestExact() const {
  return fastestWhere(rows, [](const BilateralRow& row) { return row.isExact(); });
}

std::string printHead(const BilateralReport& report) {
  const BilateralSigmas sigmas;
  const bool besideStudy = std::any_of(report.tables.begin(), report.tables.end(),
                                       [](const BilateralTable& table) { return table.study.has_value(); });
  return fmt::format("{}, {}, {}\n", report.device, report.driver, report.date) +
         fmt::format(
             "bilateral, per channel, 8 bit, sigma_space {}, sigma_range {}; of each variant's schedules "
             "{}{}\n",
             sigmas.space, sigmas.range, report.candidates == "all" ? "" : "the ", report.candidates) +
         fmt::format(
             "ms: medians of up to {} runs by timestamps; x: times as fast as the sequential filter, as "
             "naive; ~: not exact\n",
             report.runs) +
         (besideStudy
              ? fmt::format(
                    "right of |: Larsson 2015, tables 6.4 to 6.9, the best times on a {} (0 SEQ: on a {})\n",
                    studyDevice, studyProcessor)
              : "");
}

std::string printTitle(const BilateralTable& table) {
  const BilateralTask& task = table.task;
  std::string head = left(fmt::format("{}x{}, {}, radius {}", task.size.width, task.size.height,
                                      task.isColour() ? "colour" : "grey", task.radius),
                          "ms", "x seq.", "x naive");
  std::string sequential = left("  sequential, one thread", milliseconds(table.sequentialMs),
                                ratio(table.sequentialMs, table.sequentialMs, 1), "");
  if (table.study) {
    head += right("Larsson 2015", "ms", "x seq.", "x naive");
    sequential += right("0 SEQ", milliseconds(table.study->sequentialMs), "1.0", "");
  }
  return "\n" + withoutBlanks(head) + withoutBlanks(sequential);
}

std::string printRows(const BilateralTable& table, size_t first) {
  std::string text;
  for (size_t i = first; i < table.rows.size(); ++i) {
    text += print(table, table.rows[i]);
  }
  return text;
}

std::string printFoot(const BilateralTable& table) {
  std::string text;
  if (const BilateralRow* best = table.fastestExact(); best != nullptr) {
    text += fmt::format("  fastest exact one: {}, {:.4f} ms{}\n", best->schedule, best->ms,
                        table.study ? printFastest(*table.study) : "");
  }
  if (const BilateralRow* rows = table.fastest("rows"); rows != nullptr) {
    const double count = table.task.exponentials();
    const double perSecond = count / (rows->ms * 1e-3);
    text += fmt::format("  rows needs {} exponentials, {}/s, and {} FMAs, {}/s\n", scaled(count),
                        scaled(perSecond), scaled(fmasPerExponential * count),
                        scaled(fmasPerExponential * perSecond));
  }
  return text;
}

}  // namespace lacuna
