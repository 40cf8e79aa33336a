#include "tools/bench/lab.h"

#include <algorithm>

#include "tools/bench/places.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

vk::DeviceOptions optionsOf(const BenchArguments& arguments) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  options.shaderStatistics = arguments.statistics;
  return options;
}

}  // namespace

Lab::Lab(const BenchArguments& given)
    : arguments(given),
      device(optionsOf(given)),
      modules(moduleSearchPath(given.modules)),
      effort{given.runs, given.limitSeconds, given.preheatMs},
      report(given, device.info()) {
  modules.push_back(benchFolder() + "/modules");  // filters that only benchmarks need
}

NodeGraph Lab::graphOf(const std::string& text, const std::map<std::string, ValueType>& memory) const {
  LoadOptions options;
  options.modulePath = modules;
  for (const auto& [name, type] : memory) {
    // Not all filters take all images.
    if (text.find("module:" + name) != std::string::npos)
      options.memory.emplace(name, type);
  }
  LoadedGraph loaded = loadGraphText("lacuna:1\n" + text, "bench.cfg", options);
  if (!loaded.ok())
    throw Error(ErrorKind::graph, loaded.diagnostics.messages());
  return std::move(loaded.graph);
}

FrameGraph Lab::passesOf(NodeGraph graph, const ForcedSchedules& schedules, std::string& refused,
                         bool fuses) const {
  CompileOptions options;
  options.device = device.info().limits;
  options.schedules = schedules;
  options.fuses = fuses;
  options.know = [cache = TuningCache(ShaderCache::defaultFolder(), device.info(), modules)](
                     const NodeGraph& filters) { return cache.know(filters); };
  Diagnostics diagnostics;
  FrameGraph passes = lacuna::passesOf(std::move(graph), options, diagnostics);
  refused = diagnostics.hasErrors() ? diagnostics.sorted().front().message : "";
  return passes;
}

std::unique_ptr<Session> Lab::open(NodeGraph graph) {
  std::string refused;
  FrameGraph passes = passesOf(std::move(graph), {}, refused);
  if (!refused.empty())
    throw Error(ErrorKind::graph, refused);
  return open(std::move(passes));
}

std::unique_ptr<Session> Lab::open(FrameGraph passes) {
  return std::make_unique<Session>(device, std::move(passes), modules, ShaderCache::defaultFolder());
}

std::vector<Extent> Lab::sizes(const std::vector<Extent>& usual,
                               const std::vector<Extent>& usualOfCpu) const {
  return !arguments.sizes.empty() ? arguments.sizes : isCpu() ? usualOfCpu : usual;
}

NodeGraph withConstants(NodeGraph graph, const BenchPixels& pixels) {
  for (Value& value : graph.values) {
    if (const auto made = pixels.find(value.name); made != pixels.end()) {
      value.constant = made->second;
      value.producer = {};
    }
  }
  return graph;
}

FrameGraph replaceUploads(FrameGraph schedule, const BenchPixels& pixels) {
  for (Pass& pass : schedule.passes) {
    if (pass.kind != PassKind::upload)
      continue;
    const Resource& input = schedule.resources[pass.accesses.front().resource];
    Resource constant;
    constant.name = input.name + ".constant";
    constant.contents = pixels.at(schedule.graph.values[input.value].name);
    constant.bytes = constant.contents->size();
    constant.persistent = true;
    pass.kind = PassKind::copy;
    pass.accesses.insert(pass.accesses.begin(), {schedule.resources.add(std::move(constant)),
                                                 AccessKind::read, AccessPoint::transfer});
  }
  return schedule;
}

const Node& nodeNamed(const NodeGraph& graph, const std::string& name) {
  const auto found = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), [&](const Node& node) {
    return node.name == name || node.name.starts_with(name + "/");
  });
  if (found == graph.nodes.rend())
    throw Error(ErrorKind::graph, "the module that is found has no node " + name);
  return *found;
}

SessionTimes timesOf(Session& session, const std::vector<int>& frames, const BenchEffort& effort) {
  using Clock = std::chrono::steady_clock;
  preheat([&] { return session.time(frames.front(), false).totalMs; }, effort.preheatMs);
  SessionTimes times;
  times.passes = Table<PassId, std::vector<double>>(session.schedule().passes.size());
  BenchRuns runs(effort);
  for (size_t i = 0; runs.next(); ++i) {
    const int frame = frames[i % frames.size()];
    if (frames.size() > 1)
      session.upload(frame);
    const Table<PassId, double> passMs = session.time(frame, true).passMs;
    for (const PassId pass : passMs.ids())
      times.passes[pass].push_back(passMs[pass]);
    const Clock::time_point start = Clock::now();
    times.totals.push_back(session.time(frame, false).totalMs);
    times.walls.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return times;
}

}  // namespace lacuna
