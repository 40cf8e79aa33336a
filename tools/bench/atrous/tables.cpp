#include "tools/bench/atrous/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace lacuna {
namespace {

Column sizeColumn() {
  return {"size", -10, [](const Json& row) {
            return fmt::format("{}x{}", row.at("width").get<int>(), row.at("height").get<int>());
          }};
}

// A name behind numbers.
Column indented(const char* title, const char* pointer) {
  Column made = column(title, -34, pointer);
  made.text = [text = made.text](const Json& row) { return "  " + text(row); };
  return made;
}

std::string passTimes(const Json& row, const std::string& prefix) {
  std::string times = "|";
  for (const Json& pass : row.at("passes")) {
    if (pass.at("name").get<std::string>().starts_with(prefix)) {
      times += fmt::format(" {:.4f}", msOf(&pass));
    }
  }
  return times;
}

// The slowest level to the first.
std::string slowestLevel(const Json& row) {
  double first = 0.0, slowest = 0.0;
  for (const Json& pass : row.at("passes")) {
    if (pass.at("name").get<std::string>().starts_with("level")) {
      first = first == 0.0 ? msOf(&pass) : first;
      slowest = std::max(slowest, msOf(&pass));
    }
  }
  return first > 0.0 ? fmt::format("{:.2f}", slowest / first) : "-";
}

}  // namespace

std::string atrousHead(const Json& report) {
  return fmt::format(
             "medians of up to {} runs by timestamps, milliseconds; floor: what a filter must read and "
             "write, at the {:.0f} GB/s of a copy\n",
             report.at("runs").get<int>(), report.at("copyBytesPerSecond").get<double>() * 1e-9) +
         printTitles(atrousColumns());
}

const std::vector<Column>& atrousColumns() {
  static const std::vector<Column> columns = {
      column("filter", -7, "/filter"),
      sizeColumn(),
      column("schedule", -32, "/schedule"),
      column("ms", 10, "/ms", "{:.4f}"),
      column("speedup", 8, "/speedup", "{:.2f}"),
      ratio("x floor", 8, "/ms", "/floorMs"),
      ratio("GB/s", 8, "/bytes", "/ms", "{:.0f}", 1e-6),
      {"| passes", -8, [](const Json& row) { return passTimes(row, ""); }}};
  return columns;
}

std::string atrousSummary(const Json& summaries) {
  const std::vector<Column> columns = {column("filter", -7, "/filter"),
                                       sizeColumn(),
                                       column("fastest", -32, "/best"),
                                       column("ms", 10, "/bestMs", "{:.4f}"),
                                       column("speedup", 8, "/bestSpeedup", "{:.2f}"),
                                       indented("  auto", "/auto"),
                                       column("ms", 10, "/autoMs", "{:.4f}"),
                                       column("speedup", 8, "/autoSpeedup", "{:.2f}"),
                                       ratio("x floor", 8, "/autoMs", "/floorMs"),
                                       column("x best", 8, "/autoToBest", "{:.2f}")};
  std::string text =
      "\nThe fastest and what auto takes, again, in alternating rounds\n" + printTitles(columns);
  for (const Json& row : summaries) {
    text += print(columns, row);
  }
  return text;
}

std::string atrousLevels(const Json& rows) {
  std::map<std::tuple<std::string, uint32_t, std::string>, const Json*> best;
  for (const Json& row : rows) {
    if (row.contains("ms")) {
      const uint32_t pixels = row.at("width").get<uint32_t>() * row.at("height").get<uint32_t>();
      const Json*& known = best[{row.at("filter"), pixels, row.at("family")}];
      known = known == nullptr || row.at("ms") < known->at("ms") ? &row : known;
    }
  }
  const std::vector<Column> columns = {column("", -7, "/filter"),
                                       sizeColumn(),
                                       column("", -32, "/schedule"),
                                       {"", 8, slowestLevel},
                                       {"", -1, [](const Json& row) { return passTimes(row, "level"); }}};
  std::string text = "\nThe fastest of each family, by level, and the slowest level to the first\n";
  for (const auto& [key, row] : best) {
    text += print(columns, *row);
  }
  return text;
}

std::string atrousBeside(const Json& beside) {
  const std::vector<Column> columns = {
      column("filter", -7, "/filter"),       sizeColumn(),
      column("theirs", -32, "/variant"),     column("ms", 10, "/ms", "{:.4f}"),
      indented("  ours", "/schedule"),       column("ms", 10, "/ourMs", "{:.4f}"),
      column("ratio", 8, "/ratio", "{:.2f}")};
  std::string text, source;
  for (const Json& row : beside) {
    if (row.at("source") != source) {
      source = row.at("source");
      text += fmt::format("\nBeside {} ({}, {})\n", source, row.at("driver").get<std::string>(),
                          row.at("date").get<std::string>()) +
              printTitles(columns);
    }
    text += print(columns, row);
  }
  return text;
}

}  // namespace lacuna
