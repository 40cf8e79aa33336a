// `lacuna bench gemm`: matrix products by coopmat-gemm, in the set-up of Vannson 2023, figure 12, and as a
// U-Net needs them: each of the study's kernels and ours, by size, precision of sums and layout.

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>

#include "graph/config/text.h"
#include "tools/bench/gemm/graph.h"
#include "tools/bench/gemm/measure.h"
#include "tools/bench/lab.h"

namespace lacuna {
namespace {

void checkNames(const BenchArguments& arguments, const std::list<GemmFilter>& filters) {
  std::vector<std::string> known;
  for (const GemmFilter& filter : filters) {
    for (const VariantDescription* variant : filter.variants()) {
      if (std::find(known.begin(), known.end(), variant->name) == known.end()) {
        known.push_back(variant->name);
      }
    }
  }
  checkSchedules(
      arguments,
      [&](const std::string& name) {
        return std::any_of(filters.begin(), filters.end(), [&](const GemmFilter& filter) {
          return kernelScheduleNamed(filter.variants(), name).has_value();
        });
      },
      fmt::format("no schedule is called so; there are {}; then @WxH, then /CONSTANT",
                  fmt::join(known, ", ")));
}

class GemmBench {
 public:
  explicit GemmBench(const BenchArguments& arguments)
      : lab_(arguments), ceilings_(keptCeilings(lab_.device.info())) {}

  int run() {
    Json& json = lab_.report.json;
    std::vector<std::string> notes;
    const std::vector<GemmTask> tasks = gemmTasks(lab_.arguments, lab_.device.info(), notes);
    json["candidates"] = lab_.arguments.candidates;
    json["spanMs"] = gemmSpanMs;
    json["limitSeconds"] = lab_.arguments.limitSeconds;
    json["ceilings"] = {{"tensorF32PerSecond", ceilings_.tensorF32PerSecond},
                        {"tensorF16PerSecond", ceilings_.tensorF16PerSecond},
                        {"copyBytesPerSecond", ceilings_.copyBytesPerSecond}};
    json["notes"] = notes;
    json["study"] = gemmStudyJson();
    json["tables"] = Json::array();
    for (auto first = tasks.begin(); first != tasks.end();) {
      const auto end = std::find_if(
          first, tasks.end(), [&](const GemmTask& task) { return print(task.shape) != print(first->shape); });
      measureShape({first, end}, first == tasks.begin());
      first = end;
    }
    lab_.report.print(gemmSummary(json["tables"]));
    return lab_.report.finish();
  }

 private:
  // Kernels depend on how factors lie, not on the shape: names are looked for among the first one's.
  void measureShape(const std::vector<GemmTask>& tasks, bool isFirst) {
    const GemmSamples samples = gemmSamples(lab_.device, lab_.modules, tasks.front().shape);
    std::list<GemmFilter> filters;
    for (const GemmTask& task : tasks) {
      filters.emplace_back(lab_.device, lab_.modules, task, samples);
    }
    if (isFirst) {
      checkNames(lab_.arguments, filters);
      lab_.report.print(lab_.report.printDevice() + gemmHead(lab_.report.json));
    }
    auto task = tasks.begin();
    for (const GemmFilter& filter : filters) {
      const std::vector<GemmGroup> groups =
          filter.groups(lab_.arguments.schedules, lab_.arguments.candidates);
      if (!groups.empty()) {  // not every kernel reads fragments
        lab_.report.json["tables"].push_back(gemmTable(*task, ceilings_));
        measure(filter, groups, *task, lab_.report.json["tables"].back());
      }
      ++task;
    }
  }

  void measure(const GemmFilter& filter, const std::vector<GemmGroup>& groups, const GemmTask& task,
               Json& table) {
    lab_.report.print(gemmTitle(table));
    Json& rows = table["rows"];
    for (const GemmGroup& group : groups) {
      const size_t first = rows.size();
      const std::string& variant = group.variant->name;
      if (const std::string reason = tooSlow(group, task); !reason.empty()) {
        rows.push_back({{"variant", variant}, {"schedule", variant}, {"refused", reason}});
      } else {
        for (Json& row : filter.measure(group, lab_.effort)) {
          rows.push_back(std::move(row));
        }
      }
      compareGemmRows(table, first);
      lab_.report.print(gemmRows(table, first));
      if (const Json* best = fastestWith(rows, "variant", variant)) {
        speeds_[speedKey(group, task)] = best->at("operationsPerSecond");
      }
    }
    for (const bool ofStudy : {false, true}) {
      if (const Json* row = fastestProduct(table, ofStudy); row != nullptr && !table.contains("packing")) {
        if (Json packing = filter.packing(row->at("schedule"), lab_.effort); !packing.is_null()) {
          table["packing"] = std::move(packing);
        }
      }
    }
    addFastest(table);
    lab_.report.print(gemmFoot(table));
  }

  static std::string speedKey(const GemmGroup& group, const GemmTask& task) {
    return fmt::format("{} {} {}", group.variant->name, task.halfSums, task.pack);
  }

  // By the speed of the last shape: why the group is left out.
  std::string tooSlow(const GemmGroup& group, const GemmTask& task) const {
    const auto speed = speeds_.find(speedKey(group, task));
    if (speed == speeds_.end()) {
      return {};
    }
    const double seconds = task.shape.operations() / speed->second;
    if (lab_.effort.seconds <= 0.0 || fewestRuns * seconds <= lab_.effort.seconds) {
      return {};
    }
    return fmt::format("left out: {} products would take {:.1f} s, by the shape before; --limit is {:g} s",
                       fewestRuns, fewestRuns * seconds, lab_.effort.seconds);
  }

  Lab lab_;
  DeviceCeilings ceilings_;
  std::map<std::string, double> speeds_;  // operations a second, of the last shape
};

}  // namespace

int runBenchGemm(const BenchArguments& arguments) {
  return GemmBench(arguments).run();
}

}  // namespace lacuna
