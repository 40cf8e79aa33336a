#pragma once
// What `lacuna bench gemm` measures, as plain data, and how it is written. Times are milliseconds.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/bench/device/ceilings.h"
#include "tools/bench/gemm/tasks.h"

namespace lacuna {

// So long at least products run back to back between two timestamps.
constexpr double gemmSpanMs = 2.0;

struct GemmRow {
  std::string variant;
  std::string schedule;      // its whole name
  std::string refused = {};  // why it wasn't timed; then nothing else but `error` is known
  bool isWrong = false;      // its result: that is why it was refused
  double error = 0.0;        // of GemmSamples
  double ms = 0.0;           // of one product, median
  double leastMs = 0.0, mostMs = 0.0;
  int runs = 0;      // that were timed,
  int products = 0;  // so many products each

  bool isMeasured() const { return refused.empty(); }
  bool isOfStudy() const;
};

// Passes that copy the factors into panels, in no product's time.
struct GemmPacking {
  double ms = 0.0;
  double bytes = 0.0;  // read and written
};

struct GemmTable {
  GemmTask task;
  std::vector<GemmRow> rows = {};
  std::optional<GemmPacking> packing = {};

  // Null: none was measured.
  const GemmRow* fastest(bool ofStudy) const;
  const GemmRow* fastestOf(const std::string& variant) const;
  double operationsPerSecond(const GemmRow& row) const;
  // How many times as fast ours is as the study's best kernel; 0: one of the two was not measured.
  double timesStudy() const;
};

struct GemmReport {
  std::string device, driver;
  std::string date;        // UTC
  std::string candidates;  // "first", "best" or "all" of a variant
  int runs = 0;
  double limitSeconds = 0.0;
  DeviceCeilings ceilings = {};
  std::vector<std::string> notes = {};
  std::vector<GemmTable> tables = {};

  double peak(const GemmTask& task) const;  // operations a second; 0: not known
  int wrongCount() const;
};

std::string printHead(const GemmReport& report);
// A table in its parts, so that it can be read while it grows.
std::string printTitle(const GemmTable& table);
std::string printRows(const GemmReport& report, const GemmTable& table, size_t first);
std::string printFoot(const GemmTable& table);
// The best of each table.
std::string printSummary(const GemmReport& report);
nlohmann::ordered_json toJson(const GemmReport& report);

}  // namespace lacuna
