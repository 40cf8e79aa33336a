// `lacuna bench graph`: a graph's frames on the device, one after the other, with its real inputs, timed pass
// by pass with timestamps and as a whole. Sources are read and uploaded, and sinks' values downloaded,
// outside of what counts as the graph's time; no file is written.

#include <fmt/format.h>

#include <chrono>

#include "graph/door/plan.h"
#include "graph/load/frame_plan.h"
#include "graph/median.h"
#include "graph/run/bandwidth.h"
#include "graph/run/session.h"
#include "graph/shader/compile.h"
#include "tools/bench/lab.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/timing/preheat.h"
#include "tools/timing/schedule_bytes.h"
#include "tools/timing/time_table.h"

namespace lacuna {
namespace {

struct GraphFigures {
  PassTimes times;
  double totalMs = 0.0;  // of a frame without timestamps between its passes, without transfers
  double wallMs = 0.0;   // of a frame by the host's clock: submitted, transferred, computed, waited for
  int runs = 0;
  double bandwidth = 0.0;
  uint64_t floorBytes = 0;
  double floorMs() const { return bandwidth > 0.0 ? 1e3 * static_cast<double>(floorBytes) / bandwidth : 0.0; }
};

GraphFigures measure(vk::Device& device, Session& session, const FramePlan& plan, const BenchEffort& effort) {
  for (const int frame : plan.warmUp) {
    session.upload(frame);
    session.compute(frame);
  }
  session.upload(plan.frames.front());
  preheat([&] { return session.time(plan.frames.front(), false).totalMs; }, effort.preheatMs);
  FrameTimes perPass;
  std::vector<double> totals, walls;
  BenchRuns runs(effort);
  for (auto next = plan.frames.begin(); runs.next();) {
    const int frame = *next++;
    next = next == plan.frames.end() ? plan.frames.begin() : next;
    if (plan.frames.size() > 1) {
      session.upload(frame);
    }
    const Table<PassId, double> passMs = session.time(frame, true).passMs;
    perPass.emplace_back(passMs.begin(), passMs.end());
    const auto start = std::chrono::steady_clock::now();
    totals.push_back(session.time(frame, false).totalMs);
    walls.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  GraphFigures figures;
  figures.bandwidth = copyBandwidth(device);
  figures.times = passTimes(door::passPlans(session.schedule()), perPass, figures.bandwidth);
  figures.totalMs = median(totals);
  figures.wallMs = median(walls);
  figures.runs = runs.count();
  figures.floorBytes = floorBytes(session.schedule());
  return figures;
}

void printText(const std::string& graph, const vk::DeviceInfo& device, const OrderedPasses& schedule,
               const GraphFigures& figures) {
  fmt::print("{}: {}, {}; medians of {} runs\n", graph, device.name, device.driver, figures.runs);
  for (const FilterPlan& choice : schedule.choices) {
    fmt::print("{}: {} ({})\n", choice.filter, choice.schedule, choice.reason);
  }
  print(figures.times, figures.bandwidth);
  fmt::print("{:<40} {:>10.4f}\n", "all in one go", figures.totalMs);
  fmt::print("{:<40} {:>10.4f} {:>10.2f}\n", "floor: inputs and outputs once", figures.floorMs(),
             static_cast<double>(figures.floorBytes) * 1e-6);
  fmt::print("{:<40} {:>10.4f}\n", "wall time of a frame, with transfers", figures.wallMs);
}

using Statistics = Table<PassId, std::vector<vk::ShaderStatistic>>;

void printStatistics(const OrderedPasses& schedule, const Statistics& statistics) {
  for (const PassId pass : statistics.ids()) {
    if (!statistics[pass].empty()) {
      fmt::print("{}\n", schedule.passes[pass].name);
    }
    for (const vk::ShaderStatistic& statistic : statistics[pass]) {
      fmt::print("  {:<38} {:>10}\n", statistic.name, statistic.value);
    }
  }
}

Json toJson(const OrderedPasses& schedule, const Statistics& statistics) {
  Json result = Json::object();
  for (const PassId pass : statistics.ids()) {
    for (const vk::ShaderStatistic& statistic : statistics[pass]) {
      result[schedule.passes[pass].name][statistic.name] = statistic.value;
    }
  }
  return result;
}

void setFigures(Json& out, const OrderedPasses& schedule, const FramePlan& plan,
                const GraphFigures& figures) {
  Json passes = Json::array(), schedules = Json::object();
  for (const PassTime& pass : figures.times.passes) {
    passes.push_back({{"name", pass.name},
                      {"ms", pass.ms},
                      {"bytesRead", pass.read},
                      {"bytesWritten", pass.written},
                      {"floorMs", pass.floorMs},
                      {"share", pass.share},
                      {"isTransfer", pass.isTransfer}});
  }
  for (const FilterPlan& choice : schedule.choices) {
    schedules[choice.filter] = choice.schedule;
  }
  out["frames"] = {plan.frames.front(), plan.frames.back()};
  out["warmUpFrames"] = plan.warmUp.size();
  out["runs"] = figures.runs;
  out["schedules"] = schedules;
  out["passes"] = passes;
  out["ms"] = figures.times.ms;
  out["inOneGoMs"] = figures.totalMs;
  out["wallMs"] = figures.wallMs;
  out["bytes"] = {{"read", figures.times.read}, {"written", figures.times.written}};
  out["floor"] = {{"bytes", figures.floorBytes}, {"ms", figures.floorMs()}};
  out["copyBytesPerSecond"] = figures.bandwidth;
}

}  // namespace

int runBenchGraph(const BenchArguments& arguments) {
  GraphArguments graph;
  graph.modules = arguments.modules;
  graph.parameters = arguments.parameters;
  graph.schedules = arguments.schedules;
  graph.device = arguments.device;
  Frames frames = arguments.frames;
  frames.most = arguments.runs;  // more than there are runs would never be looked at
  const std::shared_ptr<door::GraphState> state = loadState(graph, arguments.graph, {.frames = frames});
  printDiagnostics(state->loaded.diagnostics);
  if (!state->loaded.ok()) {
    return exitUsage;
  }
  Lab lab(arguments);
  auto schedule = scheduleFor(graph, targetOf(graph, lab.device.info()), state->loaded);
  if (!schedule) {
    return exitUsage;
  }
  Session session(lab.device, std::move(*schedule), lab.modules, ShaderCache::defaultFolder());
  session.onWarning([](const std::string& text) { printWarning(text); });
  const GraphFigures figures = measure(lab.device, session, state->plan, lab.effort);
  const Statistics statistics = session.shaderStatistics();
  Json& json = lab.report.json;
  if (!arguments.json) {
    printText(arguments.graph, lab.device.info(), session.schedule(), figures);
    printStatistics(session.schedule(), statistics);
  }
  json["graph"] = arguments.graph;
  setFigures(json, session.schedule(), state->plan, figures);
  if (arguments.statistics) {
    json["shaderStatistics"] = toJson(session.schedule(), statistics);
  }
  return lab.report.finish();
}

}  // namespace lacuna
