#pragma once
// A benchmark's report: its tables as text while they grow, and all of it as JSON and plots, as asked.

#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

#include "tools/bench/benches.h"
#include "tools/timing/result_table.h"

namespace lacuna {

namespace vk {
struct DeviceInfo;
}

// What a benchmark was asked for is no such thing: exit code 2. Whole lines, as they are printed.
struct BenchMistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Report {
 public:
  // Before anything is measured: throws BenchMistake where -o may not be written, FileError where --plots
  // can't.
  explicit Report(const BenchArguments& arguments);
  // Begins with the device's name and driver, the date and --runs.
  Report(const BenchArguments& arguments, const vk::DeviceInfo& device);

  Json json;  // what is said beside the tables

  std::string printDevice() const;  // its first line
  // For those who look on; with --json there is nobody.
  void print(const std::string& text) const;

  // Prints its head. It stays where it is.
  ResultTable& begin(ResultTable table);
  void show(
      const ResultTable& table);  // prints the rows that were not shown yet; of the last table that was begun
  void end(const ResultTable& table);  // prints the rest, and draws it
  void add(const ResultTable& table);  // all three

  const std::deque<ResultTable>& tables() const { return tables_; }
  // Prints the JSON and writes it, as asked. Returns the exit code: 1 if a row is wrong. Throws FileError.
  int finish();

 private:
  const BenchArguments& arguments_;
  bool prints_, writesStandardOutput_;
  std::deque<ResultTable> tables_;
  size_t shown_ = 0;  // rows
};

// Now, UTC: "2026-11-22T07:15:00Z".
std::string benchDate();

}  // namespace lacuna
