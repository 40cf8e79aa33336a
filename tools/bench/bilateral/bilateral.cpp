// `lacuna bench bilateral`: the steps of Larsson 2015 and what goes beyond them, at its sizes and radii, in
// colour and grey. Beside them a sequential filter on one thread of this machine, and the study's own
// figures.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "tools/bench/bilateral/measure.h"
#include "tools/bench/bilateral/sequential.h"
#include "tools/bench/bilateral/tables.h"

namespace lacuna {
namespace {

std::vector<BilateralTask> tasksOf(const BenchArguments& arguments) {
  const std::vector<Extent> sizes =
      arguments.sizes.empty() ? std::vector<Extent>{{512, 512}, {1920, 1080}, {5522, 3651}} : arguments.sizes;
  const std::vector<int> radii =
      arguments.radii.empty() ? std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15} : arguments.radii;
  std::vector<BilateralTask> tasks;
  for (const Extent size : sizes) {
    for (const Channels channels : {Channels::rgb, Channels::y}) {
      for (const int radius : radii) {
        tasks.push_back({size, channels, radius});
      }
    }
  }
  return tasks;
}

// Throws BenchMistake: names that mean no schedule, all of them.
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
    throw BenchMistake(wrong);
  }
}

class BilateralBench {
 public:
  BilateralBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs},
        report_(arguments, device.info()) {}

  int run(const std::vector<BilateralTask>& tasks) {
    const BilateralSigmas sigmas;
    Json& json = report_.json;
    json["candidates"] = arguments_.candidates;
    json["sigmaSpace"] = sigmas.space;
    json["sigmaRange"] = sigmas.range;
    json["study"] = {{"title", studyTitle}, {"device", studyDevice}, {"processor", studyProcessor}};
    json["filters"] = Json::array();
    for (const BilateralTask& task : tasks) {
      json["filters"].push_back(bilateralTable(task));
    }
    const std::vector<std::string> modules = moduleSearchPath(arguments_.modules);
    for (size_t i = 0; i < tasks.size(); ++i) {
      BilateralFilter filter(device_, modules, tasks[i]);
      if (i == 0) {
        checkSchedules(filter, arguments_.schedules);
        report_.print(report_.printDevice() + bilateralHead(json));
      }
      measure(filter, json["filters"][i]);
    }
    return report_.finish();
  }

 private:
  void measure(BilateralFilter& filter, Json& table) {
    table["sequentialMs"] = filter.sequentialMs();
    report_.print(bilateralTitle(table));
    Json& rows = table["rows"];
    for (const BilateralGroup& group :
         filter.groups(arguments_.schedules, arguments_.candidates != "first")) {
      const size_t first = rows.size();
      if (arguments_.candidates == "best") {
        rows.push_back(filter.measureFastest(group, effort_));
      } else {
        for (const KernelSchedule& schedule : group.schedules) {
          rows.push_back(filter.measure(schedule, effort_));
        }
      }
      compareRows(table, first);
      report_.print(bilateralRows(table, first));
    }
    addCeilings(table);
    report_.print(bilateralFoot(table));
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  BenchEffort effort_;
  Report report_;
};

}  // namespace

int runBenchBilateral(const BenchArguments& arguments) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  return BilateralBench(arguments, device).run(tasksOf(arguments));
}

}  // namespace lacuna
