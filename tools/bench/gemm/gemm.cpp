// `lacuna bench gemm`: matrix products by coopmat-gemm, in the set-up of Vannson 2023, figure 12, and as a
// U-Net needs them: each of the study's kernels and ours, by size, precision of sums and layout.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/module/registry.h"
#include "tools/bench/benches.h"
#include "tools/bench/gemm/graph.h"
#include "tools/bench/gemm/measure.h"
#include "tools/bench/write.h"

namespace lacuna {
namespace {

// Throws FileError: names that mean no schedule of any kernel, all of them.
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
    throw FileError(wrong);
  }
}

class GemmBench {
 public:
  GemmBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments),
        device_(device),
        modules_(moduleSearchPath(arguments.modules)),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs} {}

  GemmReport run() {
    report_.device = device_.info().name;
    report_.driver = device_.info().driver;
    report_.date = benchDate();
    report_.candidates = arguments_.candidates;
    report_.runs = arguments_.runs;
    report_.limitSeconds = arguments_.limitSeconds;
    report_.ceilings = keptCeilings(device_.info());
    const std::vector<GemmTask> tasks = gemmTasks(arguments_, device_.info(), report_.notes);
    for (auto first = tasks.begin(); first != tasks.end();) {
      const auto end = std::find_if(
          first, tasks.end(), [&](const GemmTask& task) { return print(task.shape) != print(first->shape); });
      measureShape({first, end}, first == tasks.begin());
      first = end;
    }
    tell(printSummary(report_));
    return std::move(report_);
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
      tell(printHead(report_));
    }
    auto task = tasks.begin();
    for (const GemmFilter& filter : filters) {
      const std::vector<GemmGroup> groups = filter.groups(arguments_.schedules, arguments_.candidates);
      if (!groups.empty()) {  // not every kernel reads fragments
        report_.tables.push_back({*task});
        measure(filter, groups, report_.tables.back());
      }
      ++task;
    }
  }

  void measure(const GemmFilter& filter, const std::vector<GemmGroup>& groups, GemmTable& table) {
    tell(printTitle(table));
    for (const GemmGroup& group : groups) {
      const size_t first = table.rows.size();
      if (const std::string reason = tooSlow(group, table.task); !reason.empty()) {
        table.rows.push_back(
            {.variant = group.variant->name, .schedule = group.variant->name, .refused = reason});
      } else {
        std::vector<GemmRow> rows = filter.measure(group, effort_);
        table.rows.insert(table.rows.end(), rows.begin(), rows.end());
      }
      tell(printRows(report_, table, first));
      if (const GemmRow* fastest = table.fastestOf(group.variant->name); fastest != nullptr) {
        speeds_[speedKey(group, table.task)] = table.operationsPerSecond(*fastest);
      }
    }
    for (const bool ofStudy : {false, true}) {
      if (const GemmRow* row = table.fastest(ofStudy); row != nullptr && !table.packing) {
        table.packing = filter.packing(row->schedule, effort_);
      }
    }
    tell(printFoot(table));
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

  void tell(const std::string& text) const {
    if (!arguments_.json) {
      fmt::print("{}", text);
      std::fflush(stdout);
    }
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  std::vector<std::string> modules_;
  BenchEffort effort_;
  GemmReport report_;
  std::map<std::string, double> speeds_;  // operations a second, of the last shape
};

}  // namespace

int runBenchGemm(const BenchArguments& arguments) {
  GemmReport report;
  try {
    vk::DeviceOptions options;
    options.select = arguments.device;
    vk::Device device(options);
    report = GemmBench(arguments, device).run();
  } catch (const FileError& error) {
    fmt::print(stderr, "{}", error.what());
    return exitUsage;
  }
  writeReport(arguments, toJson(report));
  if (const int wrong = report.wrongCount(); wrong > 0) {
    fmt::print(stderr, "lacuna: {} of the schedules compute wrong products; they were not timed\n", wrong);
    return exitFailed;
  }
  return exitOk;
}

}  // namespace lacuna
