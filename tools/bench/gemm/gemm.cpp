// `lacuna bench gemm`: matrix products by coopmat-gemm, in the set-up of Vannson 2023, figure 12, and as a
// U-Net needs them: each of the study's kernels and ours, by size, precision of sums and layout.

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>

#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "tools/bench/gemm/graph.h"
#include "tools/bench/gemm/measure.h"

namespace lacuna {
namespace {

// Throws BenchMistake: names that mean no schedule of any kernel, all of them.
void checkGemmSchedules(const std::list<GemmFilter>& filters, const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const GemmFilter& filter : filters) {
    for (const VariantDescription* variant : filter.variants()) {
      if (std::find(known.begin(), known.end(), variant->name) == known.end()) {
        known.push_back(variant->name);
      }
    }
  }
  std::string wrong;
  for (const std::string& name : asked) {
    if (std::none_of(filters.begin(), filters.end(), [&](const GemmFilter& filter) {
          return kernelScheduleNamed(filter.variants(), name).has_value();
        })) {
      wrong += fmt::format(
          "lacuna: --schedule {}: no schedule is called so; there are {}; then @WxH, then /CONSTANT\n", name,
          fmt::join(known, ", "));
    }
  }
  if (!wrong.empty()) {
    throw BenchMistake(wrong);
  }
}

class GemmBench {
 public:
  GemmBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        modules_(moduleSearchPath(arguments.modules)),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs},
        ceilings_(keptCeilings(device.info())),
        report_(arguments, device.info()) {}

  int run() {
    Json& json = report_.json;
    std::vector<std::string> notes;
    const std::vector<GemmTask> tasks = gemmTasks(arguments_, device_.info(), notes);
    json["candidates"] = arguments_.candidates;
    json["spanMs"] = gemmSpanMs;
    json["limitSeconds"] = arguments_.limitSeconds;
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
    report_.print(gemmSummary(json["tables"]));
    return report_.finish();
  }

 private:
  // Kernels depend on how factors lie, not on the shape: names are looked for among the first one's.
  void measureShape(const std::vector<GemmTask>& tasks, bool isFirst) {
    const GemmSamples samples = gemmSamples(device_, modules_, tasks.front().shape);
    std::list<GemmFilter> filters;
    for (const GemmTask& task : tasks) {
      filters.emplace_back(device_, modules_, task, samples);
    }
    if (isFirst) {
      checkGemmSchedules(filters, arguments_.schedules);
      report_.print(report_.printDevice() + gemmHead(report_.json));
    }
    auto task = tasks.begin();
    for (const GemmFilter& filter : filters) {
      const std::vector<GemmGroup> groups = filter.groups(arguments_.schedules, arguments_.candidates);
      if (!groups.empty()) {  // not every kernel reads fragments
        report_.json["tables"].push_back(gemmTable(*task, ceilings_));
        measure(filter, groups, *task, report_.json["tables"].back());
      }
      ++task;
    }
  }

  void measure(const GemmFilter& filter, const std::vector<GemmGroup>& groups, const GemmTask& task,
               Json& table) {
    report_.print(gemmTitle(table));
    Json& rows = table["rows"];
    for (const GemmGroup& group : groups) {
      const size_t first = rows.size();
      const std::string& variant = group.variant->name;
      if (const std::string reason = tooSlow(group, task); !reason.empty()) {
        rows.push_back({{"variant", variant}, {"schedule", variant}, {"refused", reason}});
      } else {
        for (Json& row : filter.measure(group, effort_)) {
          rows.push_back(std::move(row));
        }
      }
      compareGemmRows(table, first);
      report_.print(gemmRows(table, first));
      if (const Json* best = fastest(rows, [&](const Json& row) { return row.at("variant") == variant; })) {
        speeds_[speedKey(group, task)] = best->at("operationsPerSecond");
      }
    }
    for (const bool ofStudy : {false, true}) {
      if (const Json* row = fastestProduct(table, ofStudy); row != nullptr && !table.contains("packing")) {
        if (Json packing = filter.packing(row->at("schedule"), effort_); !packing.is_null()) {
          table["packing"] = std::move(packing);
        }
      }
    }
    addFastest(table);
    report_.print(gemmFoot(table));
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
    if (effort_.seconds <= 0.0 || fewestRuns * seconds <= effort_.seconds) {
      return {};
    }
    return fmt::format("left out: {} products would take {:.1f} s, by the shape before; --limit is {:g} s",
                       fewestRuns, fewestRuns * seconds, effort_.seconds);
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  std::vector<std::string> modules_;
  BenchEffort effort_;
  DeviceCeilings ceilings_;
  Report report_;
  std::map<std::string, double> speeds_;  // operations a second, of the last shape
};

}  // namespace

int runBenchGemm(const BenchArguments& arguments) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  return GemmBench(arguments, device).run();
}

}  // namespace lacuna
