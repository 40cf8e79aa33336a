#pragma once
// A benchmark's report: its JSON, whose rows are as columns.h says, and text for those who look on.

#include <stdexcept>
#include <string>

#include "tools/bench/benches.h"
#include "tools/bench/columns.h"

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
  explicit Report(const BenchArguments& arguments) : arguments_(arguments) {}
  // Begins with the device's name and driver, the date and --runs.
  Report(const BenchArguments& arguments, const vk::DeviceInfo& device);

  Json json;

  std::string printDevice() const;  // its first line
  // For those who look on; with --json there is nobody.
  void print(const std::string& text) const;
  // Prints the JSON and writes it, as asked. Returns the exit code: 1 if a row is wrong. Throws FileError.
  int finish() const;

 private:
  const BenchArguments& arguments_;
};

// Now, UTC: "2026-11-22T07:15:00Z".
std::string benchDate();

}  // namespace lacuna
