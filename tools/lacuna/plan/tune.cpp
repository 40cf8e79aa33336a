#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/output_file.h"
#include "graph/files/standard_streams.h"
#include "graph/lists.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// One line on a terminal, written over; none elsewhere.
class StatusLine : NoCopy {
 public:
  explicit StatusLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) != 0) {}
  ~StatusLine() { clear(); }

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

DeviceOptions deviceOptions(const TuneArguments& arguments) {
  warnOfAddressSpace();
  DeviceOptions options;
  options.select = arguments.graph.device;
  return options;
}

// Prints mistakes and returns nullopt if there are any.
std::optional<Graph> openGraph(const TuneArguments& arguments) {
  const std::shared_ptr<door::GraphState> state = loadState(arguments.graph, arguments.graph.graph);
  printDiagnostics(state->loaded.diagnostics);
  return state->loaded.ok() ? std::optional(door::openGraph(state)) : std::nullopt;
}

int forget(const TuneArguments& arguments) {
  if (arguments.graph.graph.empty()) {
    forgetMeasurements();
    fmt::print("forgot all that was measured\n");
    return exitOk;
  }
  const std::optional<Graph> graph = openGraph(arguments);
  if (!graph)
    return exitUsage;
  const size_t filters = forgetMeasurements(Device(deviceOptions(arguments)), *graph);
  fmt::print("forgot the measurements of {} {}\n", filters, filters == 1 ? "filter" : "filters");
  return exitOk;
}

void printResult(const FilterTimes& times, const FilterChoice& filter) {
  fmt::print("{}", choiceTable(filter, false));
  const auto& measured = times.measured;
  const TimedSchedule* before = findNamed(measured, times.before);
  if (times.before != filter.schedule && before != nullptr)
    fmt::print("   before: {}, {:.2f} times as long\n", times.before, before->ms / measured.front().ms);
  if (!times.untried.empty())
    fmt::print("   {} not tried, for lack of time: --seconds\n", times.untried.size());
  fmt::print("\n");
}

nlohmann::ordered_json toJson(const FilterTimes& times, const FilterChoice& filter) {
  nlohmann::ordered_json measured = nlohmann::ordered_json::array();
  for (const TimedSchedule& one : times.measured)
    measured.push_back({{"schedule", one.name}, {"ms", one.ms}});
  return {{"node", times.filter},
          {"auto", filter.schedule},
          {"before", times.before},
          {"measured", measured},
          {"left", times.untried}};
}

void report(const TuneArguments& arguments, const DeviceDescription& device,
            const std::vector<FilterTimes>& all, const PlanReport& plan) {
  nlohmann::ordered_json filters = nlohmann::ordered_json::array();
  if (!arguments.json)
    fmt::print("{}, {}\n\n", device.name, device.driver);
  for (const FilterTimes& times : all) {
    for (const FilterChoice& filter : plan.filters)
      if (filter.filter == times.filter && arguments.json)
        filters.push_back(toJson(times, filter));
      else if (filter.filter == times.filter)
        printResult(times, filter);
  }
  if (arguments.json) {
    const nlohmann::ordered_json out = {
        {"device", device.name}, {"driver", device.driver}, {"filters", filters}};
    fmt::print("{}\n", jsonText(out, 2));
  }
}

int exportTo(const std::string& name, const Device& device) {
  const std::string file = standardOutputName(name) == standardStream ? std::string() : name;
  try {
    const std::string text = exportMeasurements(device);
    if (file.empty())
      fmt::print("{}", text);
    else
      writeTextFile(file, text);
  } catch (const Error& error) {
    printError(fmt::format("--export {}: {}", name, error.messages().front().text));
    return exitUsage;
  }
  return exitOk;
}

int import(const TuneArguments& arguments) {
  const std::string& file = arguments.imported;
  const FileText read = readTextFileOrPipe(file);
  if (!read.error.empty()) {
    printError(fmt::format("--import {}: the file cannot be read: {}", file, read.error));
    return exitUsage;
  }
  const Device device(deviceOptions(arguments));
  try {
    const ImportedMeasurements imported = importMeasurements(device, read.text);
    for (const std::string& warning : imported.warnings)
      printWarning(fmt::format("{}: {}", file, warning));
    if (arguments.json)
      fmt::print(
          "{}\n",
          jsonText(nlohmann::ordered_json{{"kept", imported.filters}, {"stayed", imported.stayed}}, 2));
    else
      fmt::print("kept the measurements of {} {}{}\n", imported.filters,
                 imported.filters == 1 ? "filter" : "filters",
                 imported.stayed == 0
                     ? ""
                     : fmt::format("; those of {} that were measured here stay", imported.stayed));
  } catch (const Error& error) {
    printError(fmt::format("--import {}: {}", file, error.messages().front().text));
    return exitUsage;
  }
  return exitOk;
}

}  // namespace

int runTune(const TuneArguments& arguments) {
  if (arguments.forget)
    return forget(arguments);
  if (!arguments.imported.empty())
    return import(arguments);
  if (const auto reason = arguments.exported.empty() ? std::nullopt : unwritable(arguments.exported)) {
    printError(fmt::format("--export {}", *reason));
    return exitUsage;
  }
  if (arguments.graph.graph.empty()) {
    if (!arguments.exported.empty())
      return exportTo(arguments.exported, Device(deviceOptions(arguments)));
    printError("tune: expected a graph file (--forget alone drops all that was measured)");
    return exitUsage;
  }
  const std::optional<Graph> graph = openGraph(arguments);
  if (!graph)
    return exitUsage;
  Device device(deviceOptions(arguments));
  StatusLine status(arguments.json);
  TuningOptions options;
  options.schedules = arguments.graph.pipeline.schedules;
  options.runs = arguments.runs;
  options.seconds = arguments.seconds;
  options.trying = [&](const std::string& filter, const std::string& schedule) {
    status.show(fmt::format("{}: {}", filter, schedule));
  };
  const std::vector<FilterTimes> times = tune(device, *graph, options);
  status.clear();
  const PlanReport after = plan(*graph, device);
  if (after.filters.empty()) {
    printError(fmt::format("{}: nothing to tune: none of its filters has a choice of schedules",
                           arguments.graph.graph));
    return exitUsage;
  }
  report(arguments, device.description(), times, after);
  return arguments.exported.empty() ? exitOk : exportTo(arguments.exported, device);
}

}  // namespace lacuna
