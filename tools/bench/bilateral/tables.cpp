#include "tools/bench/bilateral/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/bench/bilateral/sequential.h"

namespace lacuna {
namespace {

Json studyJson(const StudyFigures& study) {
  Json versions = Json::array();
  for (int number = 1; number <= studyVersionCount; ++number) {
    if (const double ms = study.msOf(number); ms > 0.0) {
      const StudyVersion& version = studyVersion(number);
      Json& out = versions.emplace_back(Json{
          {"version", number}, {"name", version.abbreviation}, {"variant", version.variant}, {"ms", ms}});
      setRatio(out, "timesSequential", study.sequentialMs, ms);
      setRatio(out, "timesNaive", study.msOf(1), ms);
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

// The study's version of the same steps stands beside the fastest of our variant, by its best time.
Json besideRow(const Json& table, const Json& row) {
  Json both = row;
  const StudyVersion* version =
      row.value("fastestOfVariant", false) ? studyVersionOf(row.at("variant").get<std::string>()) : nullptr;
  if (version != nullptr) {
    both["study"] = {{"name", fmt::format("| {} {}", version->number, version->abbreviation)}};
    for (const Json& each : table.at("study").at("versions")) {
      if (each.at("version") == version->number) {
        both["study"].update(each);
        both["study"]["name"] = fmt::format("| {} {}", version->number, version->abbreviation);
      }
    }
  } else {
    both["study"] = {{"name", "|"}};
  }
  return both;
}

std::vector<Column> columnsOf(const Json& table) {
  std::vector<Column> columns = {
      {fmt::format("{}x{}, {}, radius {}", table.at("width").get<int>(), table.at("height").get<int>(),
                   table.at("channels") == 3 ? "colour" : "grey", table.at("radius").get<int>()),
       -35,
       [](const Json& row) {
         return fmt::format("{} {}", row.at("guarantee") == "exact" ? ' ' : '~',
                            row.at("schedule").get<std::string>());
       }},
      column("ms", 12, "/ms", "{:.4f}"),
      column("x seq.", 9, "/timesSequential", "{:.1f}"),
      column("x naive", 8, "/timesNaive", "{:.2f}"),
  };
  if (table.contains("study")) {
    columns.insert(columns.end(),
                   {column("| Larsson 2015", -14, "/study/name"), column("ms", 12, "/study/ms", "{:.4f}"),
                    column("x seq.", 7, "/study/timesSequential", "{:.1f}"),
                    column("x naive", 8, "/study/timesNaive", "{:.2f}")});
  }
  return columns;
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

std::string printFastest(const Json& study) {
  const Json& best = study.at("fastest");
  const StudyVersion& version = studyVersion(best.at("version"));
  return fmt::format(
      "; the study's: {} {}, {}x{}{}, {:.4f} ms", version.number, version.abbreviation, studyTileSize,
      studyTileSize,
      best.contains("tilingFactor") ? fmt::format(", 1x{}", best.at("tilingFactor").get<int>()) : "",
      msOf(&best));
}

}  // namespace

Json bilateralTable(const BilateralTask& task) {
  Json table = {
      {"width", task.size.width}, {"height", task.size.height}, {"channels", componentCount(task.channels)},
      {"radius", task.radius},    {"taps", task.taps()},        {"exponentials", task.exponentials()},
      {"rows", Json::array()}};
  if (const auto study = task.isColour() ? studyFigures(task.size, task.radius) : std::nullopt) {
    table["study"] = studyJson(*study);
  }
  return table;
}

void compareRows(Json& table, size_t first) {
  Json& rows = table.at("rows");
  const double naiveMs = msOf(fastestWith(rows, "variant", "naive"));
  for (size_t i = first; i < rows.size(); ++i) {
    if (Json& row = rows[i]; row.contains("ms")) {
      setRatio(row, "timesSequential", table.at("sequentialMs"), row.at("ms"));
      setRatio(row, "timesNaive", naiveMs, row.at("ms"));
      row["fastestOfVariant"] = &row == fastestWith(rows, "variant", row.at("variant"));
    }
  }
}

void addCeilings(Json& table) {
  // No reference to the rows: adding to a table moves what it has.
  if (const Json* best = fastestWith(table.at("rows"), "guarantee", "exact")) {
    table["fastestExact"] = {{"schedule", best->at("schedule")}, {"ms", best->at("ms")}};
  }
  if (const Json* row = fastestWith(table.at("rows"), "variant", "rows")) {
    const double count = table.at("exponentials"), seconds = msOf(row) * 1e-3;
    table["needed"] = {{"schedule", row->at("schedule")},
                       {"exponentials", count},
                       {"exponentialsPerSecond", count / seconds},
                       {"fmas", fmasPerExponential * count},
                       {"fmasPerSecond", fmasPerExponential * count / seconds}};
  }
}

std::string bilateralHead(const Json& report) {
  const BilateralSigmas sigmas;
  const std::string candidates = report.at("candidates");
  const bool besideStudy = std::any_of(report.at("filters").begin(), report.at("filters").end(),
                                       [](const Json& table) { return table.contains("study"); });
  return fmt::format(
             "bilateral, per channel, 8 bit, sigma_space {}, sigma_range {}; of each variant's schedules "
             "{}{}\n"
             "ms: medians of up to {} runs by timestamps; x: times as fast as the sequential filter, as "
             "naive; ~: not exact\n",
             sigmas.space, sigmas.range, candidates == "all" ? "" : "the ", candidates,
             report.at("runs").get<int>()) +
         (besideStudy
              ? fmt::format(
                    "right of |: Larsson 2015, tables 6.4 to 6.9, the best times on a {} (0 SEQ: on a {})\n",
                    studyDevice, studyProcessor)
              : "");
}

std::string bilateralTitle(const Json& table) {
  const double ms = table.at("sequentialMs");
  std::vector<std::string> cells = {"  sequential, one thread", ms > 0.0 ? fmt::format("{:.4f}", ms) : "",
                                    ms > 0.0 ? "1.0" : ""};
  if (table.contains("study")) {
    cells.insert(
        cells.end(),
        {"", "| 0 SEQ", fmt::format("{:.4f}", table.at("study").at("sequentialMs").get<double>()), "1.0"});
  }
  const std::vector<Column> columns = columnsOf(table);
  return "\n" + printTitles(columns) + printLine(columns, cells);
}

std::string bilateralRows(const Json& table, size_t first) {
  const std::vector<Column> columns = columnsOf(table);
  std::string text;
  for (size_t i = first; i < table.at("rows").size(); ++i) {
    const Json& row = table.at("rows")[i];
    text += print(columns, table.contains("study") ? besideRow(table, row) : row);
  }
  return text;
}

std::string bilateralFoot(const Json& table) {
  std::string text;
  if (table.contains("fastestExact")) {
    const Json& best = table.at("fastestExact");
    text += fmt::format("  fastest exact one: {}, {:.4f} ms{}\n", best.at("schedule").get<std::string>(),
                        msOf(&best), table.contains("study") ? printFastest(table.at("study")) : "");
  }
  if (table.contains("needed")) {
    const auto value = [&](const char* key) { return scaled(table.at("needed").at(key).get<double>()); };
    text += fmt::format("  rows needs {} exponentials, {}/s, and {} FMAs, {}/s\n", value("exponentials"),
                        value("exponentialsPerSecond"), value("fmas"), value("fmasPerSecond"));
  }
  return text;
}

}  // namespace lacuna
