// `lacuna bench bilateral`: the steps of Larsson 2015 and what goes beyond them, at its sizes and radii, in
// colour and grey. Beside them a sequential filter on one thread of this machine, and the study's own
// figures.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/bench/benches.h"
#include "tools/bench/bilateral/measure.h"
#include "tools/bench/bilateral/sequential.h"
#include "tools/bench/write.h"

namespace lacuna {
namespace {

// Not measured yet.
std::vector<BilateralTable> tablesOf(const BenchArguments& arguments, std::vector<Extent> sizes) {
  if (sizes.empty()) {
    sizes = {{512, 512}, {1920, 1080}, {5522, 3651}};
  }
  const std::vector<int> radii =
      arguments.radii.empty() ? std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15} : arguments.radii;
  std::vector<BilateralTable> tables;
  for (const Extent size : sizes) {
    for (const Channels channels : {Channels::rgb, Channels::y}) {
      for (const int radius : radii) {
        BilateralTable& table = tables.emplace_back();
        table.task = {size, channels, radius};
        table.study = table.task.isColour() ? studyFigures(size, radius) : std::nullopt;
      }
    }
  }
  return tables;
}

// Throws FileError: names that mean no schedule, all of them.
void checkSchedules(const BilateralFilter& filter, const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const VariantDescription* variant : filter.variants()) {
    known.push_back(variant->name);
  }
  std::string wrong;
  for (const std::string& name : asked) {
    if (!kernelScheduleNamed(filter.variants(), name)) {
      wrong +=
          fmt::format("lacuna: --schedule {}: no schedule is called so; there are {}; then @WxH, then /nN\n",
                      name, fmt::join(known, ", "));
    }
  }
  if (!wrong.empty()) {
    throw FileError(wrong);
  }
}

class BilateralBench {
 public:
  BilateralBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs} {}

  BilateralReport run(std::vector<BilateralTable> tables) const {
    BilateralReport report;
    report.device = device_.info().name;
    report.driver = device_.info().driver;
    report.date = benchDate();
    report.candidates = arguments_.candidates;
    report.runs = arguments_.runs;
    report.tables = std::move(tables);
    const std::vector<std::string> modules = moduleSearchPath(arguments_.modules);
    for (BilateralTable& table : report.tables) {
      const BilateralFilter filter(device_, modules, table.task);
      if (&table == report.tables.data()) {
        checkSchedules(filter, arguments_.schedules);
        tell(printHead(report));
      }
      measure(filter, table);
    }
    return report;
  }

 private:
  void measure(const BilateralFilter& filter, BilateralTable& table) const {
    const BilateralTask& task = table.task;
    table.sequentialMs = sequentialBilateralMs(task.size, componentCount(task.channels), task.radius, {});
    tell(printTitle(table));
    for (const BilateralGroup& group :
         filter.groups(arguments_.schedules, arguments_.candidates != "first")) {
      const size_t first = table.rows.size();
      if (arguments_.candidates == "best") {
        table.rows.push_back(filter.measureFastest(group, effort_));
      } else {
        for (const KernelSchedule& schedule : group.schedules) {
          table.rows.push_back(filter.measure(schedule, effort_));
        }
      }
      tell(printRows(table, first));
    }
    tell(printFoot(table));
  }

  void tell(const std::string& text) const {
    if (!arguments_.json) {
      fmt::print("{}", text);
      std::fflush(stdout);
    }
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  BenchEffort effort_;
};

}  // namespace

int runBenchBilateral(const BenchArguments& arguments) {
  std::vector<Extent> sizes = arguments.sizes;
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  BilateralReport report;
  try {
    report = BilateralBench(arguments, device).run(tablesOf(arguments, std::move(sizes)));
  } catch (const FileError& error) {
    fmt::print(stderr, "{}", error.what());
    return exitUsage;
  }
  writeReport(arguments, toJson(report));
  return exitOk;
}

}  // namespace lacuna
