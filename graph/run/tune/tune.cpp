#include "graph/run/tune/tune.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "graph/lists.h"
#include "graph/run/bandwidth.h"
#include "graph/schedule/maker.h"
#include "graph/shader/generate/filter_text.h"

namespace lacuna {
namespace {

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t bytesOf(const FrameGraph& schedule) {
  uint64_t bytes = schedule.arenaBytes;
  for (const Pass& pass : schedule.passes) {
    bytes += pass.kind == PassKind::upload || pass.kind == PassKind::download
                 ? pass.bytesRead + pass.bytesWritten
                 : 0;
  }
  return bytes;
}

// A filter's sessions, by schedule.
class FilterTimer {
 public:
  FilterTimer(vk::Device& device, NodeGraph alone, const DeviceModel& model, const ValueBytes& values,
              const TuneOptions& options)
      : device_(device), alone_(std::move(alone)), model_(model), values_(values), options_(options) {}

  FrameGraph compiled(const std::string& name, Diagnostics& diagnostics) const {
    CompileOptions layout;
    layout.device = model_;
    layout.fuses = false;  // it was
    layout.schedules[""] = name;
    return passesOf(alone_, layout, diagnostics);
  }

  bool open(const std::string& name) {
    Diagnostics diagnostics;
    FrameGraph passes = compiled(name, diagnostics);
    if (diagnostics.hasErrors())
      return false;
    try {
      auto session =
          std::make_unique<Session>(device_, std::move(passes), options_.includePath, options_.cacheFolder);
      upload(*session, values_);
      sessions_[name] = std::move(session);
    } catch (const vk::DeviceError&) {
      return false;  // too much memory, most likely
    }
    heat(name);
    return true;
  }

  double time(const std::string& name) { return sessions_.at(name)->time(options_.frame, false).totalMs; }
  void close(const std::string& name) { sessions_.erase(name); }

  ScheduleTimer timer() {
    return {[this](const std::string& name) { return open(name); },
            [this](const std::string& name) { return time(name); },
            [this](const std::string& name) { close(name); }, secondsNow};
  }

 private:
  // A GPU's clocks fall while a shader is compiled: its first runs then take five times as long.
  void heat(const std::string& name) {
    const double ms = !isWarm_ ? options_.preheatMs : model_.cpu ? 0.0 : options_.reheatMs;
    const double begin = secondsNow();
    while (1e3 * (secondsNow() - begin) < ms)
      time(name);
    isWarm_ = true;
  }

  vk::Device& device_;
  NodeGraph alone_;
  DeviceModel model_;
  const ValueBytes& values_;
  const TuneOptions& options_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  bool isWarm_ = false;
};

// As many as fit into a quarter of the device's memory, by the needs of one of them.
size_t mostOpen(const RoundsOptions& rounds, uint64_t deviceMemory, uint64_t bytes) {
  const uint64_t fits = deviceMemory / 4 / std::max<uint64_t>(bytes, 1);
  return static_cast<size_t>(std::clamp<uint64_t>(fits, 2, rounds.most));
}

ValueBytes inputsOf(vk::Device& device, const NodeGraph& graph, const Node& node,
                    const CompileOptions& layout, const TuneOptions& options) {
  Diagnostics diagnostics;
  CompileOptions asItIs = layout;
  asItIs.fuses = false;  // it was
  FrameGraph before = passesOf(graphBefore(graph, node), asItIs, diagnostics);
  Session session(device, std::move(before), options.includePath, options.cacheFolder);
  session.upload(options.frame);
  computeSettled(session, options.frame);
  return downloaded(session);
}

FilterTimes tuneFilter(vk::Device& device, const NodeGraph& graph, const Node& node,
                       const FilterChoice& choice, const CompileOptions& layout, const TuneOptions& options) {
  const Filter filter{graph, node, layout.device};
  const FilterPick picked = options.pick(filter, choice);
  if (picked.schedules.empty())
    return {node.name, choice.schedule, {}, {}};
  const ValueBytes values = inputsOf(device, graph, node, layout, options);
  FilterTimer timer(device, filterBetweenMemory(graph, node), layout.device, values, options);
  Diagnostics diagnostics;
  RoundsOptions rounds;
  rounds.rounds = options.rounds;
  rounds.seconds = picked.seconds;
  rounds.bestRuns = picked.bestRuns;
  rounds.anchor = choice.schedule;
  rounds.most = mostOpen(rounds, device.info().memoryBytes,
                         bytesOf(place(timer.compiled(picked.schedules.front(), diagnostics))));
  rounds.trying = [&](const std::string& schedule) {
    if (options.trying) {
      options.trying(choice, schedule);
    }
  };
  rounds.more = makerOf(graph, node)->search(filter, picked.searched);
  FilterTimes times = timeInRounds(picked.schedules, timer.timer(), rounds);
  times.filter = node.name;
  return times;
}

}  // namespace

std::vector<FilterTimes> tuneGraph(vk::Device& device, const NodeGraph& graph, const CompileOptions& layout,
                                   const TuneOptions& options) {
  Diagnostics diagnostics;
  const FrameGraph whole = passesOf(graph, layout, diagnostics);
  const TuningCache cache(options.cacheFolder, device.info(), options.includePath);
  if (cache.bandwidth() <= 0.0)
    cache.setBandwidth(copyBandwidth(device));
  std::vector<FilterTimes> all;
  std::set<std::pair<std::string, uint64_t>> seen;
  for (const FilterChoice& choice : whole.choices) {
    const Node* node = findNamed(whole.graph.nodes, choice.filter);
    if (!seen.emplace(filterText(whole.graph, *node, options.includePath), floorBytes(whole.graph, *node))
             .second)
      continue;
    FilterTimes times = tuneFilter(device, whole.graph, *node, choice, layout, options);
    if (!times.measured.empty())
      cache.add(whole.graph, *node, times.measured);
    all.push_back(std::move(times));
  }
  return all;
}

}  // namespace lacuna
