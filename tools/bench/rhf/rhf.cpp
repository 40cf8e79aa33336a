// `lacuna bench rhf`: the steps of Szeracki et al. 2015 and what goes beyond them, in its set-up (finest
// scale, 8 bins a colour, 1280x720) or with --bins 20, as the authors of the method have it. Beside them a
// plain loop on one thread of this machine.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "graph/run/bandwidth.h"
#include "tools/bench/example_scene.h"
#include "tools/bench/rhf/measure.h"

namespace lacuna {
namespace {

std::vector<RhfTask> rhfTasks(const BenchArguments& arguments, bool isCpu) {
  std::vector<Extent> sizes = arguments.sizes;
  if (sizes.empty()) {
    sizes = {isCpu ? Extent{128, 72} : Extent{1280, 720}};
  }
  std::vector<std::string> scenes = arguments.scenes;
  if (scenes.empty()) {
    scenes = {exampleScene("cornell")};
  }
  std::vector<RhfTask> tasks;
  for (const std::string& scene : scenes) {
    for (const Extent size : sizes) {
      tasks.push_back({scene, size, arguments.bins, arguments.samples});
    }
  }
  return tasks;
}

// Throws BenchMistake: names that mean no step, all of them.
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
    throw BenchMistake(wrong);
  }
}

class RhfBench {
 public:
  RhfBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs},
        report_(arguments, device.info()) {}

  int run(const std::vector<RhfTask>& tasks) {
    Json& json = report_.json;
    const double bandwidth = copyBandwidth(device_);
    json["candidates"] = arguments_.candidates;
    json["copyBytesPerSecond"] = bandwidth;
    json["study"] = {{"title", rhfStudyTitle},
                     {"device", rhfStudyDevice},
                     {"processor", rhfStudyProcessor},
                     {"processorMs", rhfStudyProcessorMs},
                     {"width", 1280},
                     {"height", 720},
                     {"bins", rhfStudyBins}};
    json["tables"] = Json::array();
    report_.print(report_.printDevice() + rhfHead(json));
    const std::vector<std::string> modules = moduleSearchPath(arguments_.modules);
    for (const RhfTask& task : tasks) {
      RhfFilter filter(device_, modules, task);
      json["tables"].push_back(rhfTable(task, filter.sequential(), filter.floorBytes(), bandwidth));
      measure(filter, json["tables"].back());
    }
    report_.print(rhfScaling(json["tables"]));
    return report_.finish();
  }

 private:
  void measure(RhfFilter& filter, Json& table) {
    report_.print(rhfTitle(table));
    Json& rows = table["rows"];
    for (const RhfGroup& group : filter.groups(arguments_.schedules, arguments_.candidates != "first")) {
      const size_t first = rows.size();
      if (arguments_.candidates == "best") {
        rows.push_back(filter.measureFastest(group, effort_));
      } else {
        for (const std::string& schedule : group.schedules) {
          rows.push_back(filter.measure(*group.step, schedule, effort_));
        }
      }
      compareRhfRows(table, first);
      report_.print(rhfRows(table, first));
    }
    report_.print(rhfFoot(table));
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  BenchEffort effort_;
  Report report_;
};

}  // namespace

int runBenchRhf(const BenchArguments& arguments) {
  checkSteps(arguments.schedules);
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  return RhfBench(arguments, device).run(rhfTasks(arguments, device.info().isCpu()));
}

}  // namespace lacuna
