#pragma once
// What `lacuna bench rhf` measures, as plain data, and how it is written. Times are milliseconds.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/bench/rhf/sequential.h"

namespace lacuna {

struct RhfTask {
  std::string scene;  // file
  Extent size;
  int bins = 8;  // a colour
  int samples = 64;

  double pixels() const { return static_cast<double>(size.width) * size.height; }
  // Bins of two pixels that the definition compares, and how many a method needs that compares each pair of
  // pixels once.
  double termsOfSearch() const;
  double termsOfPairs() const;
};

struct RhfRow {
  std::string step;
  bool isOfStudy = false;
  std::string schedule;  // its whole name; of `pairs` none
  std::string guarantee = "exact";
  std::string refused;  // why the device can't run it; then nothing else is known
  std::vector<std::pair<std::string, double>> passes = {};  // medians
  double ms = 0.0;                                          // their sum
  int runs = 0;                                             // that were timed
  double bytes = 0.0;                                       // that the passes read and write

  bool isExact() const { return guarantee == "exact"; }
};

struct RhfTable {
  RhfTask task;
  SequentialTime sequential;
  double floorBytes = 0.0;  // input, histograms and output, once
  std::vector<RhfRow> rows = {};

  // Of those that ran; null: none did.
  const RhfRow* fastest(std::string_view step) const;
  const RhfRow* fastestExact() const;
};

struct RhfReport {
  std::string device, driver;
  std::string date;        // UTC
  std::string candidates;  // "first", "best" or "all" of a step
  int runs = 0;
  double copyBytesPerSecond = 0.0;
  std::vector<RhfTable> tables = {};

  double floorMs(const RhfTable& table) const { return 1e3 * table.floorBytes / copyBytesPerSecond; }
};

std::string printHead(const RhfReport& report);
// A table in its parts, so that it can be read while it grows.
std::string printTitle(const RhfReport& report, const RhfTable& table);
std::string printRows(const RhfReport& report, const RhfTable& table, size_t first);
std::string printFoot(const RhfTable& table);
// Where there are several tables: how the time follows size and scene.
std::string printScaling(const RhfReport& report);
nlohmann::ordered_json toJson(const RhfReport& report);

}  // namespace lacuna
