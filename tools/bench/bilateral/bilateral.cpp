// `lacuna bench bilateral`: the steps of Larsson 2015 and what goes beyond them, at its sizes and radii, in
// colour and grey. Beside them a sequential filter on one thread of this machine, and the study's own
// figures.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "tools/bench/bilateral/measure.h"
#include "tools/bench/bilateral/sequential.h"
#include "tools/bench/bilateral/tables.h"
#include "tools/bench/lab.h"

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

void checkNames(const BenchArguments& arguments, const BilateralFilter& filter) {
  std::vector<std::string> known;
  for (const VariantDescription* variant : filter.variants()) {
    known.push_back(variant->name);
  }
  checkSchedules(
      arguments,
      [&](const std::string& name) { return kernelScheduleNamed(filter.variants(), name).has_value(); },
      fmt::format("no schedule is called so; there are {}; then @WxH, then /nN", fmt::join(known, ", ")));
}

void measure(Lab& lab, BilateralFilter& filter, Json& table) {
  table["sequentialMs"] = filter.sequentialMs();
  lab.report.print(bilateralTitle(table));
  Json& rows = table["rows"];
  for (const BilateralGroup& group :
       filter.groups(lab.arguments.schedules, lab.arguments.candidates != "first")) {
    const size_t first = rows.size();
    measureRows(
        lab, group.schedules,
        [&](const KernelSchedule& schedule, const BenchEffort& effort) {
          return filter.measure(schedule, effort);
        },
        rows);
    compareRows(table, first);
    lab.report.print(bilateralRows(table, first));
  }
  addCeilings(table);
  lab.report.print(bilateralFoot(table));
}

}  // namespace

int runBenchBilateral(const BenchArguments& arguments) {
  Lab lab(arguments);
  const std::vector<BilateralTask> tasks = tasksOf(arguments);
  const BilateralSigmas sigmas;
  Json& json = lab.report.json;
  json["candidates"] = arguments.candidates;
  json["sigmaSpace"] = sigmas.space;
  json["sigmaRange"] = sigmas.range;
  json["study"] = {{"title", studyTitle}, {"device", studyDevice}, {"processor", studyProcessor}};
  json["filters"] = Json::array();
  for (const BilateralTask& task : tasks) {
    json["filters"].push_back(bilateralTable(task));
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    BilateralFilter filter(lab.device, lab.modules, tasks[i]);
    if (i == 0) {
      checkNames(arguments, filter);
      lab.report.print(lab.report.printDevice() + bilateralHead(json));
    }
    measure(lab, filter, json["filters"][i]);
  }
  return lab.report.finish();
}

}  // namespace lacuna
