#include "graph/run/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/compile/cull.h"
#include "graph/compile/schedule_words.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/choice_table.h"
#include "tools/lacuna/graph_arguments.h"

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

// --schedule NAME or module:instance=NAME: which to time. Nothing said of a chain: all.
struct Wanted {
  std::map<std::string, std::vector<std::string>> names;  // by module instance; "": of any

  std::vector<std::string> of(const NodeGraph& graph, const std::string& node) const {
    std::vector<std::string> all;
    for (const auto& entry : names) {
      const std::string& owner = entry.first;
      const std::vector<std::string>& list = entry.second;
      const bool isOwn =
          owner.empty() || std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) {
            return n.name == node && graph.modules.modules[static_cast<size_t>(n.module)].name() == owner;
          });
      if (isOwn) {
        all.insert(all.end(), list.begin(), list.end());
      }
    }
    return all;
  }
};

std::optional<Wanted> wantedOf(const std::vector<std::string>& words, const NodeGraph& graph) {
  Wanted wanted;
  for (const std::string& word : words) {
    const size_t at = word.find('=');
    const std::string owner = at == std::string::npos ? "" : word.substr(0, at);
    const std::string name = at == std::string::npos ? word : word.substr(at + 1);
    if (schedulesNamed(name, true).empty()) {
      fmt::print(stderr, "lacuna: --schedule {}: no schedule is called so; {}\n", word, scheduleHint(name));
      return std::nullopt;
    }
    if (!owner.empty() && graph.modules.find(owner) == nullptr) {
      fmt::print(stderr, "lacuna: --schedule {}: the graph has no module '{}'\n", word, owner);
      return std::nullopt;
    }
    wanted.names[owner].push_back(name);
  }
  return wanted;
}

// The wanted candidates, and the one that would be taken otherwise, so that measuring a few never makes
// `auto` worse.
std::vector<std::string> pick(const Choice& choice, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const Candidate& candidate : choice.candidates) {
    const bool isWanted =
        wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& prefix) {
          const auto meant = schedulesNamed(prefix, true);
          const auto plain = schedulesNamed(prefix, false);
          const auto isIt = [&](const StencilSchedule& s) { return print(s) == candidate.schedule; };
          return std::any_of(meant.begin(), meant.end(), isIt) ||
                 std::any_of(plain.begin(), plain.end(), isIt);
        });
    if (candidate.rejected.empty() && (isWanted || candidate.schedule == choice.schedule)) {
      names.push_back(candidate.schedule);
    }
  }
  return names;
}

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
  const ScheduleTarget target = targetOf(arguments.graph, device.info());
  const TuningCache cache(folder, device.info(), moduleSearchPath(arguments.graph.modules));
  const auto schedule = scheduleFor(arguments.graph, target, std::move(loaded));
  if (!schedule) {
    return exitUsage;
  }
  size_t chains = 0;
  for (const Node& node : schedule->graph.nodes) {
    chains += node.kind == NodeKind::stencil && cache.forget(schedule->graph, node) ? 1 : 0;
  }
  fmt::print("forgot the measurements of {} {}\n", chains, chains == 1 ? "filter" : "filters");
  return exitOk;
}

void printResult(const ChainTuning& tuning, const Choice& choice) {
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

nlohmann::ordered_json toJson(const ChainTuning& tuning, const Choice& choice) {
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
            const std::vector<ChainTuning>& tunings, const Schedule& schedule) {
  nlohmann::ordered_json chains = nlohmann::ordered_json::array();
  if (!arguments.json) {
    fmt::print("{}, {}\n\n", device.name, device.driver);
  }
  for (const ChainTuning& tuning : tunings) {
    for (const Choice& choice : schedule.choices) {
      if (choice.node == tuning.node && arguments.json) {
        chains.push_back(toJson(tuning, choice));
      } else if (choice.node == tuning.node) {
        printResult(tuning, choice);
      }
    }
  }
  if (arguments.json) {
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"device", device.name}, {"driver", device.driver}, {"chains", chains}}.dump(
            2));
  }
}

}  // namespace

int runTune(const TuneArguments& arguments) {
  if (arguments.forget) {
    return forget(arguments);
  }
  if (arguments.graph.graph.empty()) {
    fmt::print(stderr, "lacuna: tune: which graph? (--forget alone drops all that was measured)\n");
    return exitUsage;
  }
  LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  const auto wanted = loaded.ok() ? wantedOf(arguments.graph.schedules, loaded.graph) : std::nullopt;
  if (!wanted) {
    return exitUsage;
  }
  vk::DeviceOptions deviceOptions;
  deviceOptions.select = arguments.graph.device;
  vk::Device device(deviceOptions);
  const ScheduleTarget target = targetOf(arguments.graph, device.info());
  GraphArguments asAuto = arguments.graph;
  asAuto.schedules.clear();
  const auto before = scheduleFor(asAuto, target, loaded);  // says what is wrong with it
  if (!before) {
    return exitUsage;
  }
  if (before->choices.empty()) {
    fmt::print(stderr, "lacuna: {} has no filter that schedules are for\n", arguments.graph.graph);
    return exitOk;
  }
  StatusLine status(arguments.json);
  TuneOptions options;
  options.includePath = moduleSearchPath(arguments.graph.modules);
  options.cacheFolder = ShaderCache::defaultFolder();
  options.rounds = arguments.runs;
  options.pick = [&](const Choice& choice) {
    return ChainPick{pick(choice, wanted->of(loaded.graph, choice.node)), arguments.seconds};
  };
  options.trying = [&](const Choice& choice, const std::string& schedule) {
    status.show(fmt::format("{}: {}", choice.node, schedule));
  };
  LayoutOptions layout;
  layout.device = target.model;
  layout.know = target.know;
  const std::vector<ChainTuning> tunings = tuneGraph(device, loaded.graph, layout, options);
  status.clear();
  const auto after = scheduleFor(asAuto, targetOf(arguments.graph, device.info()), std::move(loaded));
  if (!after) {
    return exitUsage;
  }
  report(arguments, device.info(), tunings, *after);
  return exitOk;
}

}  // namespace lacuna
