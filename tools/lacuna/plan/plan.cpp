#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "graph/compile/compile.h"
#include "graph/config/json_text.h"
#include "graph/door/state.h"
#include "graph/nodes/reach.h"
#include "graph/nodes/warm_up.h"
#include "graph/shader/generate/shaders.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/shell/command_words.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/timing/time_table.h"

namespace lacuna {
namespace {

constexpr double megabyte = 1e6;

std::string memoryLines(const PlanReport& plan, bool verbose) {
  const auto megabytes = [](uint64_t bytes) { return static_cast<double>(bytes) / megabyte; };
  std::string text = fmt::format("memory {:.2f} MB, without aliasing {:.2f} MB\n",
                                 megabytes(plan.memoryBytes), megabytes(plan.unaliasedBytes));
  if (!plan.livePass.empty()) {
    text +=
        fmt::format("  at least {:.2f} MB for what lives together at pass {}{}\n", megabytes(plan.liveBytes),
                    plan.livePass, verbose ? fmt::format(": {}", fmt::join(plan.liveTogether, ", ")) : "");
  }
  return text;
}

// `built`: the graph as it was loaded.
std::string planText(const PlanReport& plan, const FrameGraph& frame, const NodeGraph& built,
                     const PlanArguments& arguments) {
  std::string text;
  if (arguments.all || arguments.verbose)
    for (const FilterChoice& filter : plan.filters)
      text += choiceTable(filter, arguments.all) + "\n";
  text += arguments.verbose ? printPasses(frame) : planTable(plan);
  const double moved = static_cast<double>(bytesOf(plan.passes, false));
  const double least = static_cast<double>(bytesOf(plan.passes, true));
  const std::string warmUp = print(warmUpOf(built));
  text += frame.tiles ? "\nin " + print(*frame.tiles) + "; of each tile:\n" : "\n";
  return text + fmt::format(
                    "{}bytes {:.2f} MB, {:.1f} times the floor of {:.2f} MB\n{}"
                    "pixels of inputs that a pixel of an output depends on: {}\n",
                    memoryLines(plan, arguments.verbose), moved / megabyte, least > 0 ? moved / least : 0.0,
                    least / megabyte,
                    warmUp == "none" ? "" : "warm-up before the first frame of a part: " + warmUp + "\n",
                    print(reachOf(built)));
}

void printPlanJson(const PlanReport& plan) {
  nlohmann::ordered_json out;
  for (const FilterChoice& filter : plan.filters)
    out["choices"].push_back(choiceJson(filter));
  for (const PassReport& pass : plan.passes) {
    out["passes"].push_back({{"name", pass.name},
                             {"groups", pass.groups},
                             {"bytesRead", pass.bytesRead},
                             {"bytesWritten", pass.bytesWritten},
                             {"sharedBytes", pass.sharedBytes}});
  }
  if (const std::optional<TileReport>& tiles = plan.tiles) {
    out["tiles"] = {{"columns", tiles->columns}, {"rows", tiles->rows}, {"width", tiles->width},
                    {"height", tiles->height},   {"halo", tiles->halo}, {"work", tiles->work}};
  }
  out["memory"] = {{"arenaBytes", plan.memoryBytes},
                   {"unaliasedBytes", plan.unaliasedBytes},
                   {"largestLiveBytes", plan.liveBytes},
                   {"largestLivePass", plan.livePass},
                   {"largestLive", plan.liveTogether}};
  out["bytes"] = {{"moved", bytesOf(plan.passes, false)}, {"floor", bytesOf(plan.passes, true)}};
  out["barriers"] = plan.barriers;
  const auto orAll = [](auto count) {
    return count < 0 ? nlohmann::ordered_json("all") : nlohmann::ordered_json(count);
  };
  out["warmUp"] = {{"frames", orAll(plan.warmUpFrames)}, {"why", plan.warmUpReason}};
  out["reach"] = {{"pixels", orAll(plan.reachPixels)}, {"why", plan.reachReason}};
  fmt::print("{}\n", jsonText(out, 2));
}

// Prints the stage that --stage names, or all of them.
class StagePrinter {
 public:
  explicit StagePrinter(std::string wanted) : wanted_(std::move(wanted)) {}

  StageTrace trace() {
    return wanted_.empty() ? StageTrace()
                           : StageTrace([this](const auto& stage, const auto& text) { see(stage, text); });
  }
  bool isDone() const { return isDone_; }

 private:
  void see(const std::string& stage, const std::string& text) {
    if (wanted_ == "all") {
      fmt::print("== {}\n{}", stage, text == last_ ? "(unchanged)\n" : text);
      last_ = text;
    } else if (wanted_ == stage) {
      fmt::print("{}", text);
      isDone_ = true;
    }
  }

  std::string wanted_, last_;
  bool isDone_ = false;
};

door::ScheduleTarget planTarget(const GraphArguments& arguments, const std::string& modelName) {
  if (!modelName.empty())
    return {door::deviceModel(modelName), std::nullopt, moduleSearchPath(arguments.modules)};
  try {
    return openTarget(arguments);
  } catch (const vk::DeviceError& error) {
    if (!arguments.device.empty())
      throw;
    printWarning(fmt::format("{}; planning for a device with Vulkan's guaranteed limits", error.what()));
    return {{}, std::nullopt, moduleSearchPath(arguments.modules)};
  }
}

std::vector<std::string> unusedByChunks(const PlanArguments& arguments) {
  const GraphArguments& graph = arguments.graph;
  const std::pair<const char*, bool> options[] = {{"--stage", !arguments.stage.empty()},
                                                  {"--model", !arguments.model.empty()},
                                                  {"--device", !graph.device.empty()},
                                                  {"--schedule", !graph.pipeline.schedules.empty()},
                                                  {"--memory", graph.pipeline.memoryBytes != 0},
                                                  {"--no-fuse", !graph.pipeline.fuses},
                                                  {"--verbose", arguments.verbose},
                                                  {"--all", arguments.all}};
  std::vector<std::string> unused;
  for (const auto& [name, isGiven] : options)
    if (isGiven)
      unused.emplace_back(name);
  return unused;
}

}  // namespace

std::vector<std::string> planStages() {
  std::vector<std::string> stages(stageNames.begin(), stageNames.end());
  stages.insert(stages.end(), {"code", "all"});
  return stages;
}

int runPlan(const PlanArguments& arguments) {
  const GraphArguments& graph = arguments.graph;
  if (arguments.json && !arguments.stage.empty()) {
    printError(fmt::format("--stage {} has no JSON; the plan as a whole has: leave out --stage or --json",
                           arguments.stage));
    return exitUsage;
  }
  if ((arguments.all || arguments.verbose) && !arguments.stage.empty()) {
    printError(
        fmt::format("--stage {} prints that stage; {} is for the plan as a whole: leave out one of them",
                    arguments.stage, arguments.all ? "--all" : "--verbose"));
    return exitUsage;
  }
  if (!arguments.model.empty() && !graph.device.empty()) {
    printError("--model and --device: a plan is for one of them");
    return exitUsage;
  }
  if (arguments.chunks > 0) {
    const std::vector<std::string> unused = unusedByChunks(arguments);
    if (!unused.empty()) {
      printError(
          fmt::format("{} and --chunks exclude each other: ranges of frames are the same on all devices",
                      joined(unused, " and ")));
      return exitUsage;
    }
    return printChunks(arguments);
  }
  const GraphOptions& frames = arguments.frames;
  if (!frames.frames.text.empty() || frames.warmUp >= 0 || frames.missing != Missing::error) {
    printError("--frames, --warm-up and --missing are for --chunks: a plan is the same for all frames");
    return exitUsage;
  }
  StagePrinter printer(arguments.stage);
  LoadedGraph loaded = loadFor(graph, graph.graph, printer.trace());
  if (!loaded.ok())
    return exitUsage;
  if (printer.isDone())
    return exitOk;
  const NodeGraph built = loaded.graph;
  door::ScheduleTarget target = planTarget(graph, arguments.model);
  target.see = printer.trace();
  // The choice for a first run: on a CPU compile time counts.
  const int count = arguments.stage == "code" && target.model.cpu ? 1 : 0;
  auto frame = door::frameOf(std::move(loaded.graph), graph.pipeline, target, loaded.diagnostics, count);
  if (!frame) {
    printDiagnostics(loaded.diagnostics);
    return exitUsage;
  }
  if (printer.isDone())
    return exitOk;
  if (arguments.stage == "code") {
    shadersOf(std::move(*frame), moduleSearchPath(graph.modules),
              ShaderCache(DeviceOptions::defaultCacheFolder()), target.see);
  } else if (!arguments.stage.empty()) {
    target.see("shaders", shade(std::move(*frame), moduleSearchPath(graph.modules)));
  } else if (arguments.json) {
    printPlanJson(door::planOf(*frame, built));
  } else {
    fmt::print("{}", inColumns(planText(door::planOf(*frame, built), *frame, built, arguments)));
  }
  return exitOk;
}

}  // namespace lacuna
