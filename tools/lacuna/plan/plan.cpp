#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "graph/frame/lifetime.h"
#include "graph/nodes/cull.h"
#include "graph/nodes/fuse.h"
#include "graph/nodes/reach.h"
#include "graph/nodes/warm_up.h"
#include "graph/run/tune/tuning.h"
#include "graph/shader/generate/shaders.h"
#include "tools/lacuna/plan/choice_table.h"
#include "tools/lacuna/plan/plan_table.h"
#include "tools/lacuna/plan/schedule_bytes.h"
#include "tools/lacuna/run/graph_arguments.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

constexpr double megabyte = 1e6;

std::string largestLivePass(const Schedule& schedule) {
  return schedule.largestLivePass < 0 ? ""
                                      : schedule.passes[static_cast<size_t>(schedule.largestLivePass)].name;
}

std::vector<std::string> largestLiveNames(const Schedule& schedule) {
  std::vector<std::string> names;
  for (const int r : liveAt(schedule, schedule.largestLivePass)) {
    names.push_back(schedule.resources[static_cast<size_t>(r)].name);
  }
  return names;
}

std::string memoryLines(const Schedule& schedule) {
  const auto megabytes = [](uint64_t bytes) { return static_cast<double>(bytes) / megabyte; };
  std::string text = fmt::format("memory {:.2f} MB, without aliasing {:.2f} MB\n",
                                 megabytes(schedule.arenaBytes), megabytes(schedule.unaliasedBytes));
  if (schedule.largestLivePass >= 0) {
    text += fmt::format("  at least {:.2f} MB for what lives together at pass {}: {}\n",
                        megabytes(schedule.largestLiveBytes), largestLivePass(schedule),
                        fmt::join(largestLiveNames(schedule), ", "));
  }
  return text;
}

// What a part of the graph's work needs of the rest: frames and pixels.
struct Needs {
  WarmUp warmUp;
  Reach reach;
};

void printPlan(const Schedule& schedule, const Needs& needs, const PlanArguments& arguments) {
  if (arguments.all || arguments.verbose) {
    for (const Choice& choice : schedule.choices) {
      fmt::print("{}\n", choiceTable(choice, arguments.all));
    }
  }
  fmt::print("{}", arguments.verbose ? printPasses(schedule) : planTable(schedule));
  const double moved = static_cast<double>(passBytes(schedule));
  const double least = static_cast<double>(floorBytes(schedule));
  fmt::print("\n{}bytes {:.2f} MB, {:.1f} times the floor of {:.2f} MB\n", memoryLines(schedule),
             moved / megabyte, least > 0 ? moved / least : 0.0, least / megabyte);
  fmt::print("warm-up before the first frame of a part: {}\n", print(needs.warmUp));
  fmt::print("pixels of inputs that a pixel of an output depends on: {}\n", print(needs.reach));
}

void printPlanJson(const Schedule& schedule, const Needs& needs) {
  const auto& [warmUp, reach] = needs;
  nlohmann::ordered_json out;
  for (const Choice& choice : schedule.choices) {
    out["choices"].push_back(choiceJson(choice));
  }
  for (const Pass& pass : schedule.passes) {
    out["passes"].push_back({{"name", pass.name},
                             {"groups", pass.groups},
                             {"bytesRead", pass.bytesRead},
                             {"bytesWritten", pass.bytesWritten},
                             {"sharedBytes", pass.sharedBytes}});
  }
  out["memory"] = {{"arenaBytes", schedule.arenaBytes},
                   {"unaliasedBytes", schedule.unaliasedBytes},
                   {"largestLiveBytes", schedule.largestLiveBytes},
                   {"largestLivePass", largestLivePass(schedule)},
                   {"largestLive", largestLiveNames(schedule)}};
  out["bytes"] = {{"moved", passBytes(schedule)}, {"floor", floorBytes(schedule)}};
  out["barriers"] = schedule.barriers.size();
  out["warmUp"] = {{"frames", warmUp.frames ? nlohmann::ordered_json(*warmUp.frames) : "all"},
                   {"why", warmUp.reason}};
  out["reach"] = {{"pixels", reach.pixels ? nlohmann::ordered_json(*reach.pixels) : "all"},
                  {"why", reach.reason}};
  fmt::print("{}\n", out.dump(2));
}

void printShaders(Passes passes, const std::vector<std::string>& modules) {
  generateShaders(passes, modules);
  for (const Pass& pass : passes.passes) {
    if (!pass.glsl.empty()) {
      fmt::print("// {}\n{}\n", pass.name, pass.glsl);
    }
  }
}

door::ScheduleTarget planTarget(const GraphArguments& arguments) {
  try {
    vk::DeviceOptions options;
    options.select = arguments.device;
    return targetOf(arguments, vk::Device(options).info());
  } catch (const vk::DeviceError& error) {
    if (!arguments.device.empty()) {
      throw;
    }
    printWarning(fmt::format("{}; planning for a device with Vulkan's guaranteed limits", error.what()));
    return {{}, std::nullopt, moduleSearchPath(arguments.modules)};
  }
}

}  // namespace

int runPlan(const PlanArguments& arguments) {
  const GraphArguments& graph = arguments.graph;
  if (arguments.json && !arguments.stage.empty()) {
    printError(fmt::format("--stage {} has no JSON; the plan as a whole has: leave out --stage or --json",
                           arguments.stage));
    return exitUsage;
  }
  LoadedGraph loaded = loadFor(graph, graph.graph);
  if (!loaded.ok()) {
    return exitUsage;
  }
  if (arguments.stage == "modules") {
    fmt::print("{}", print(loaded.graph.modules));
  } else if (arguments.stage == "nodes") {
    fmt::print("{}", print(loaded.graph));
  } else if (arguments.stage == "cull") {
    fmt::print("{}", print(cull(std::move(loaded.graph))));
  } else if (arguments.stage == "fuse") {
    fmt::print("{}", print(fuse(cull(std::move(loaded.graph)), planTarget(graph).model)));
  } else {
    const Needs needs{warmUpOf(loaded.graph), reachOf(loaded.graph)};
    auto passes = scheduleFor(graph, planTarget(graph), std::move(loaded));
    if (!passes) {
      return exitUsage;
    }
    const Schedule schedule = place(std::move(*passes));
    if (arguments.stage == "schedule") {
      fmt::print("{}", print(schedule));
    } else if (arguments.stage == "shaders") {
      printShaders(schedule, moduleSearchPath(graph.modules));
    } else if (arguments.json) {
      printPlanJson(schedule, needs);
    } else {
      printPlan(schedule, needs, arguments);
    }
  }
  return exitOk;
}

}  // namespace lacuna
