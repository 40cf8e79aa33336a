#pragma once
// What `lacuna bench atrous` measures, as plain data, and how it is written. Times are milliseconds.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph/module/image_type.h"

namespace lacuna {

struct BenchRow {
  std::string filter;
  Extent size;
  std::string schedule;
  std::string refused;  // why the device can't run it; then nothing else is known
  std::vector<std::pair<std::string, double>> passes;  // of the chain: "level0", ...; medians
  double ms = 0.0;                                     // their sum
  int runs = 0;                                        // that were timed
  double bytes = 0.0;                                  // that the passes read and write: every pixel once
  double floorMs = 0.0;     // what the chain reads and writes as a whole, at the copy bandwidth
  double baselineMs = 0.0;  // of the same filter and size; 0: unknown
};

// The fastest of a filter and size and what `auto` takes, measured again in alternating rounds.
struct BenchSummary {
  std::string filter;
  Extent size;
  std::vector<std::pair<std::string, double>> contenders;  // the fastest first; medians
  std::string automatic;                                   // among them
  double automaticMs = 0.0;
  double baselineMs = 0.0;  // in the same rounds
  double floorMs = 0.0;     // of what `auto` takes
};

struct BenchReport {
  std::string device, driver;
  std::string date;        // UTC
  double bandwidth = 0.0;  // bytes a second
  int runs = 0;
  std::vector<BenchRow> rows;
  std::vector<BenchSummary> summaries;
};

// Of a schedule that was not refused: its place in "rows4@8x16/image/gathered" before the '@'.
std::string familyOf(const std::string& schedule);

struct BesideLine;

std::string printHead(const BenchReport& report);
std::string print(const BenchRow& row);
std::string print(const std::vector<BenchSummary>& summaries);
// Each family's fastest schedule, level by level: figure 9 of Dolp, Hanika, Dachsbacher 2024.
std::string printLevels(const BenchReport& report);
std::string print(const std::vector<BesideLine>& lines);
nlohmann::ordered_json toJson(const BenchReport& report, const std::vector<BesideLine>& beside);

}  // namespace lacuna
