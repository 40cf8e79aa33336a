#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/run/tune/schedule_pick.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/plan/choice_table.h"
#include "tools/lacuna/run/graph_arguments.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

// One line on a terminal, written over; none elsewhere.
class StatusLine {
 public:
  explicit StatusLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) != 0) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const std::string& text) {
    if (shown_) {
      fmt::print(stderr, "\r{}\x1b[K", text);
      std::fflush(stderr);
    }
  }
  void clear() { show(""); }

 private:
  bool shown_;
};

int forget(const TuneArguments& arguments) {
  const std::string folder = ShaderCache::defaultFolder();
  if (arguments.graph.graph.empty()) {
    forgetTuning(folder);
    fmt::print("forgot all that was measured\n");
    return exitOk;
  }
  LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  if (!loaded.ok()) {
    return exitUsage;
  }
  vk::DeviceOptions options;
  options.select = arguments.graph.device;
  const vk::Device device(options);
  const door::ScheduleTarget target = targetOf(arguments.graph, device.info());
  const TuningCache cache(folder, device.info(), moduleSearchPath(arguments.graph.modules));
  const auto schedule = scheduleFor(arguments.graph, target, std::move(loaded));
  if (!schedule) {
    return exitUsage;
  }
  size_t filters = 0;
  for (const Node& node : schedule->graph.nodes) {
    filters += hasSchedules(schedule->graph, node) && cache.forget(schedule->graph, node) ? 1 : 0;
  }
  fmt::print("forgot the measurements of {} {}\n", filters, filters == 1 ? "filter" : "filters");
  return exitOk;
}

void printResult(const FilterTuning& tuning, const Choice& choice) {
  fmt::print("{}", choiceTable(choice, false));
  const auto& measured = tuning.end.measured;
  const auto before = std::find_if(measured.begin(), measured.end(),
                                   [&](const MeasuredSchedule& m) { return m.schedule == tuning.before; });
  if (tuning.before != choice.schedule && before != measured.end() && !measured.empty()) {
    fmt::print("   before: {}, {:.2f} times as long\n", tuning.before, before->ms / measured.front().ms);
  }
  if (!tuning.end.left.empty()) {
    fmt::print("   {} not tried, for lack of time: --seconds\n", tuning.end.left.size());
  }
  fmt::print("\n");
}

nlohmann::ordered_json toJson(const FilterTuning& tuning, const Choice& choice) {
  nlohmann::ordered_json measured = nlohmann::ordered_json::array();
  for (const MeasuredSchedule& one : tuning.end.measured) {
    measured.push_back({{"schedule", one.schedule}, {"ms", one.ms}});
  }
  return {{"node", tuning.node},
          {"auto", choice.schedule},
          {"before", tuning.before},
          {"measured", measured},
          {"left", tuning.end.left}};
}

void report(const TuneArguments& arguments, const vk::DeviceInfo& device,
            const std::vector<FilterTuning>& tunings, const std::vector<Choice>& choices) {
  nlohmann::ordered_json filters = nlohmann::ordered_json::array();
  if (!arguments.json) {
    fmt::print("{}, {}\n\n", device.name, device.driver);
  }
  for (const FilterTuning& tuning : tunings) {
    for (const Choice& choice : choices) {
      if (choice.node == tuning.node && arguments.json) {
        filters.push_back(toJson(tuning, choice));
      } else if (choice.node == tuning.node) {
        printResult(tuning, choice);
      }
    }
  }
  if (arguments.json) {
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"device", device.name}, {"driver", device.driver}, {"filters", filters}}.dump(
            2));
  }
}

}  // namespace

int runTune(const TuneArguments& arguments) {
  if (arguments.forget) {
    return forget(arguments);
  }
  if (arguments.graph.graph.empty()) {
    printError("tune: expected a graph file (--forget alone drops all that was measured)");
    return exitUsage;
  }
  LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  if (!loaded.ok()) {
    return exitUsage;
  }
  Diagnostics mistakes;
  const WantedSchedules wanted = wantedSchedules(arguments.graph.schedules, loaded.graph, mistakes);
  printDiagnostics(mistakes);
  if (mistakes.hasErrors()) {
    return exitUsage;
  }
  vk::DeviceOptions deviceOptions;
  deviceOptions.select = arguments.graph.device;
  vk::Device device(deviceOptions);
  const door::ScheduleTarget target = targetOf(arguments.graph, device.info());
  GraphArguments asAuto = arguments.graph;
  asAuto.schedules.clear();
  const auto before = scheduleFor(asAuto, target, loaded);  // says what is wrong with it
  if (!before) {
    return exitUsage;
  }
  if (before->choices.empty()) {
    printError(fmt::format("{} has no filter that schedules are for", arguments.graph.graph));
    return exitOk;
  }
  StatusLine status(arguments.json);
  TuneOptions options;
  options.includePath = moduleSearchPath(arguments.graph.modules);
  options.cacheFolder = ShaderCache::defaultFolder();
  options.rounds = arguments.runs;
  options.pick = [&](const Filter& filter, const Choice& choice) {
    FilterPick pick = pickSchedules(filter, choice, wanted);
    pick.seconds = arguments.seconds;
    return pick;
  };
  options.trying = [&](const Choice& choice, const std::string& schedule) {
    status.show(fmt::format("{}: {}", choice.node, schedule));
  };
  const std::vector<FilterTuning> tunings =
      tuneGraph(device, loaded.graph, compileOptionsFor(asAuto, target, loaded.graph), options);
  status.clear();
  const auto after = scheduleFor(asAuto, targetOf(arguments.graph, device.info()), std::move(loaded));
  if (!after) {
    return exitUsage;
  }
  report(arguments, device.info(), tunings, after->choices);
  return exitOk;
}

}  // namespace lacuna
