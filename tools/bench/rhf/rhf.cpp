// `lacuna bench rhf`: the steps of Szeracki et al. 2015 and what goes beyond them, in its set-up (finest
// scale, 8 bins a colour, 1280x720) or with --bins 20, as the authors of the method have it. Beside them a
// plain loop on one thread of this machine.

#include <fmt/format.h>

#include "graph/run/bandwidth.h"
#include "tools/bench/example_scene.h"
#include "tools/bench/lab.h"
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

void checkSteps(const BenchArguments& arguments) {
  std::vector<std::string> known;
  for (const RhfStep& step : rhfSteps()) {
    known.emplace_back(step.name);
  }
  checkSchedules(
      arguments,
      [](const std::string& name) {
        const RhfStep* step = rhfStepNamed(name.substr(0, name.find_first_of("@/")));
        return step != nullptr && (*step->variant != '\0' || name == step->name);
      },
      fmt::format("no step is called so; there are {}; then @WxH, but for pairs", fmt::join(known, ", ")));
}

void measure(Lab& lab, RhfFilter& filter, Json& table) {
  lab.report.print(rhfTitle(table));
  Json& rows = table["rows"];
  for (const RhfGroup& group : filter.groups(lab.arguments.schedules, lab.arguments.candidates != "first")) {
    const size_t first = rows.size();
    measureRows(
        lab, group.schedules,
        [&](const std::string& schedule, const BenchEffort& effort) {
          return filter.measure(*group.step, schedule, effort);
        },
        rows);
    compareRhfRows(table, first);
    lab.report.print(rhfRows(table, first));
  }
  lab.report.print(rhfFoot(table));
}

}  // namespace

int runBenchRhf(const BenchArguments& arguments) {
  checkSteps(arguments);
  Lab lab(arguments);
  const double bandwidth = copyBandwidth(lab.device);
  Json& json = lab.report.json;
  json["candidates"] = arguments.candidates;
  json["copyBytesPerSecond"] = bandwidth;
  json["study"] = {{"title", rhfStudyTitle},
                   {"device", rhfStudyDevice},
                   {"processor", rhfStudyProcessor},
                   {"processorMs", rhfStudyProcessorMs},
                   {"width", 1280},
                   {"height", 720},
                   {"bins", rhfStudyBins}};
  json["tables"] = Json::array();
  lab.report.print(lab.report.printDevice() + rhfHead(json));
  for (const RhfTask& task : rhfTasks(arguments, lab.device.info().isCpu())) {
    RhfFilter filter(lab.device, lab.modules, task);
    json["tables"].push_back(rhfTable(task, filter.sequential(), filter.floorBytes(), bandwidth));
    measure(lab, filter, json["tables"].back());
  }
  lab.report.print(rhfScaling(json["tables"]));
  return lab.report.finish();
}

}  // namespace lacuna
