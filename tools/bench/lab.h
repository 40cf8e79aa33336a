#pragma once
// What all benchmarks on a device have.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "graph/vk/device.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"

namespace lacuna {

struct Lab {
  explicit Lab(const BenchArguments& arguments);

  const BenchArguments& arguments;
  vk::Device device;
  std::vector<std::string> modules;  // folders to search
  BenchEffort effort;
  Report report;
};

// Throws BenchMistake with all of --schedule that mean nothing. `expected`: of one of them.
template <class IsKnown>
void checkSchedules(const BenchArguments& arguments, const IsKnown& isKnown, const std::string& expected) {
  std::string wrong;
  for (const std::string& name : arguments.schedules) {
    wrong += isKnown(name) ? "" : fmt::format("lacuna: --schedule {}: {}\n", name, expected);
  }
  if (!wrong.empty()) {
    throw BenchMistake(wrong);
  }
}

// Adds a row a schedule, or of --candidates best the fastest one's. `measure`: makes a row.
template <class Schedule, class Measure>
void measureRows(Lab& lab, const std::vector<Schedule>& schedules, const Measure& measure, Json& rows) {
  if (lab.arguments.candidates == "best") {
    rows.push_back(measureFastestOf(schedules, lab.effort, measure));
    return;
  }
  for (const Schedule& schedule : schedules) {
    rows.push_back(measure(schedule, lab.effort));
  }
}

}  // namespace lacuna
