// `lacuna bench rhf`: the steps of Szeracki et al. 2015 and what goes beyond them, in its set-up (finest
// scale, 8 bins a colour, 1280x720) or with --bins 20, as the authors of the method have it. Beside them a
// plain loop on one thread of this machine.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/module/registry.h"
#include "graph/run/bandwidth.h"
#include "tools/bench/benches.h"
#include "tools/bench/example_scene.h"
#include "tools/bench/rhf/measure.h"
#include "tools/bench/write.h"

namespace lacuna {
namespace {

// Not measured yet.
std::vector<RhfTable> rhfTables(const BenchArguments& arguments, std::vector<Extent> sizes, bool isCpu) {
  if (sizes.empty()) {
    sizes = {isCpu ? Extent{128, 72} : Extent{1280, 720}};
  }
  std::vector<std::string> scenes = arguments.scenes;
  if (scenes.empty()) {
    scenes = {exampleScene("cornell")};
  }
  std::vector<RhfTable> tables;
  for (const std::string& scene : scenes) {
    for (const Extent size : sizes) {
      tables.emplace_back().task = {scene, size, arguments.bins, arguments.samples};
    }
  }
  return tables;
}

// Throws FileError: names that mean no step, all of them.
void checkSteps(const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const RhfStep& step : rhfSteps()) {
    known.emplace_back(step.name);
  }
  std::string wrong;
  for (const std::string& name : asked) {
    const RhfStep* step = rhfStepNamed(name.substr(0, name.find_first_of("@/")));
    if (step == nullptr || (*step->variant == '\0' && name != step->name)) {
      wrong +=
          fmt::format("lacuna: --schedule {}: no step is called so; there are {}; then @WxH, but for pairs\n",
                      name, fmt::join(known, ", "));
    }
  }
  if (!wrong.empty()) {
    throw FileError(wrong);
  }
}

class RhfBench {
 public:
  RhfBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs} {}

  RhfReport run(std::vector<RhfTable> tables) const {
    RhfReport report;
    report.device = device_.info().name;
    report.driver = device_.info().driver;
    report.date = benchDate();
    report.candidates = arguments_.candidates;
    report.runs = arguments_.runs;
    report.copyBytesPerSecond = copyBandwidth(device_);
    report.tables = std::move(tables);
    const std::vector<std::string> modules = moduleSearchPath(arguments_.modules);
    tell(printHead(report));
    for (RhfTable& table : report.tables) {
      const RhfFilter filter(device_, modules, table.task);
      table.sequential = filter.sequential();
      table.floorBytes = filter.floorBytes();
      measure(filter, report, table);
    }
    tell(printScaling(report));
    return report;
  }

 private:
  void measure(const RhfFilter& filter, const RhfReport& report, RhfTable& table) const {
    tell(printTitle(report, table));
    for (const RhfGroup& group : filter.groups(arguments_.schedules, arguments_.candidates != "first")) {
      const size_t first = table.rows.size();
      if (arguments_.candidates == "best") {
        table.rows.push_back(filter.measureFastest(group, effort_));
      } else {
        for (const std::string& schedule : group.schedules) {
          table.rows.push_back(filter.measure(*group.step, schedule, effort_));
        }
      }
      tell(printRows(report, table, first));
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

int runBenchRhf(const BenchArguments& arguments) {
  std::vector<Extent> sizes = arguments.sizes;
  RhfReport report;
  try {
    checkSteps(arguments.schedules);
    vk::DeviceOptions options;
    options.select = arguments.device;
    vk::Device device(options);
    report = RhfBench(arguments, device).run(rhfTables(arguments, std::move(sizes), device.info().isCpu()));
  } catch (const FileError& error) {
    fmt::print(stderr, "{}", error.what());
    return exitUsage;
  }
  writeReport(arguments, toJson(report));
  return exitOk;
}

}  // namespace lacuna
