#pragma once
// A benchmark's report: its tables as text while they grow, and all of it as JSON, plots and a page, if
// requested.

#include <deque>
#include <optional>
#include <string>

#include "graph/vk/device_description.h"
#include "tools/bench/benches.h"
#include "tools/timing/result_table.h"

namespace lacuna {

// A GPU's clock.
struct GpuClock {
  int now = 0, most = 0;  // MHz of the multiprocessors
};

class Report {
 public:
  // Before anything is measured: throws Error if -o or --html may not be written, FileError if --plots can't.
  explicit Report(const BenchArguments& arguments);
  // Begins with the device's name and driver, the date and --runs.
  Report(const BenchArguments& arguments, const DeviceDescription& device);

  Json json;  // remarks beside the tables

  std::string printDevice() const;  // its first line
  // Progress for people; not printed with --json.
  void print(const std::string& text) const;

  // Prints its head. It must not be moved.
  ResultTable& begin(ResultTable table);
  void show(const ResultTable& table);  // prints those rows of the last table that were not shown yet
  void end(const ResultTable& table);   // prints the rest, draws it, and looks at the device's clock
  void add(const ResultTable& table);   // all three

  const std::deque<ResultTable>& tables() const { return tables_; }
  // Prints the JSON, and writes it and the page, if requested. Returns the exit code: 1 if a row is wrong.
  // Throws FileError.
  int finish();

 private:
  const BenchArguments& arguments_;
  bool prints_, writesStandardOutput_;
  std::deque<ResultTable> tables_;
  size_t shown_ = 0;  // rows
  std::string uuid_;
  std::optional<GpuClock> clock_;  // the lowest at a table's end
};

std::string print(Extent size);  // "1920x1080"

// Now, UTC: "2026-11-22T07:15:00Z".
std::string benchDate();

}  // namespace lacuna
