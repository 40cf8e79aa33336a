#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "graph/config/text.h"
#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/lacuna/run/frame_run.h"
#include "tools/lacuna/run/report.h"
#include "tools/lacuna/run/run_pictures.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/shell/time_watch.h"

namespace lacuna {
namespace {

GraphOptions wantedFrames(const RunArguments& arguments) {
  GraphOptions options = arguments;
  options.records = arguments.runs > 1;
  return options;
}

std::vector<std::string> allGpus() {
  std::vector<std::string> uuids;
  for (const DeviceDescription& device : devices())
    if (device.unusable.empty() && device.kind != "cpu")
      uuids.push_back(device.uuid);
  if (uuids.empty())
    throw Error(ErrorKind::noDevice, "--device all: there is no GPU; `lacuna devices` lists all devices");
  return uuids;
}

// The words of --device: "A,B", or all GPUs.
std::vector<std::string> namedDevices(const std::string& words) {
  if (words == "all")
    return allGpus();
  const std::vector<std::string_view> names = splitCommas(words);
  if (names.size() > 1 && std::ranges::any_of(names, &std::string_view::empty))
    throw Error(ErrorKind::call, fmt::format("--device {}: expected names with commas between them", words));
  return {names.begin(), names.end()};
}

// Prints the result of measuring before the first frame.
void printMeasured(const RunArguments& arguments, Pipeline& pipeline) {
  for (const Message& warning : pipeline.warnings())
    printMessage(warning);
  if (pipeline.measured().empty() || arguments.quiet ||
      (arguments.progress != ShowProgress::always && !arguments.time))
    return;
  for (const FilterTimes& filter : pipeline.measured()) {
    if (!filter.measured.empty()) {
      fmt::print(stderr, "{}: measured {} schedules, takes {}\n", filter.filter, filter.measured.size(),
                 filter.measured.front().name);
    }
  }
  fmt::print(stderr, "measuring took {:.1f} s (--no-tune leaves it out; it is kept for later runs)\n",
             door::Access::of(pipeline).measuringSeconds);
}

// With less memory, a larger part of each tile is halo.
void warnOfTiles(const Pipeline& pipeline) {
  constexpr double much = 2.0;
  if (const std::optional<TileReport>& tiles = pipeline.plan().tiles; tiles && tiles->work > much) {
    printWarning(
        fmt::format("with so little memory the picture runs in {} tiles, which compute {:.0f} times its "
                    "pixels; `lacuna plan --memory SIZE` shows what more memory would take",
                    tiles->columns * tiles->rows, tiles->work));
  }
}

int framesToCompute(const Graph& graph) {
  const FramesToRun& plan = door::Access::of(graph)->plan;
  return static_cast<int>(plan.frames.size() + plan.warmUp.size());
}

// "; 2 are made again: 1 was made with other settings, 1 from other inputs"
std::string whyOthersRun(const door::GraphState& state) {
  constexpr std::array<const char*, outputStates> words = {
      "",
      "",
      "{} incomplete",
      "{} without a record of what they were made from",
      "{} recorded by another version",
      "{} of another program, graph, module or parameter",
      "{} of other inputs"};
  std::vector<std::string> reasons;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i][0] != 0 && state.outputs[i] > 0)
      reasons.push_back(fmt::format(fmt::runtime(words[i]), state.outputs[i]));
  return reasons.empty() ? "" : fmt::format("; made again: {}", fmt::join(reasons, ", "));
}

// The skipped frames, and the reasons why others aren't.
void printFinished(const RunArguments& arguments, const door::GraphState& state) {
  const bool isNothing = state.finished.empty() && whyOthersRun(state).empty();
  if (isNothing || !state.loaded.ok())
    return;
  const std::string count = state.askedFrames == 1 && !state.finished.empty()
                                ? "the frame already exists"
                                : fmt::format("{} of {} {} already exist", state.finished.size(),
                                              state.askedFrames, arguments.watch ? "pictures" : "frames");
  if (!arguments.keepOutputs) {
    printNote(count + whyOthersRun(state));
    return;
  }
  const std::string kept = listFrames(state.finished, [&](int frame) {
    return fmt::format("{}", fmt::join(door::outputFiles(state, frame), ", "));
  });
  printNote(state.askedFrames > 1 ? fmt::format("{}, and are kept: {}", count, kept)
                                  : fmt::format("{} already exists, and is kept", kept));
}

nlohmann::ordered_json keptFiles(const door::GraphState& state) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const int frame : state.finished)
    for (const std::string& file : door::outputFiles(state, frame))
      files.push_back(file);
  return files;
}

// Prints mistakes and returns nullopt if there are any.
std::optional<Graph> openGraph(const RunArguments& arguments, const std::shared_ptr<Trace>& trace,
                               nlohmann::ordered_json& out) {
  const Profile::Span span(door::Access::of(trace), "load");
  const std::shared_ptr<door::GraphState> state =
      loadState(arguments.graph, arguments.graph.graph, wantedFrames(arguments), arguments.others);
  if (!arguments.quiet)
    printFinished(arguments, *state);
  if (arguments.keepOutputs && state->loaded.ok())
    out["kept"] = keptFiles(*state);
  printDiagnostics(state->loaded.diagnostics);
  return state->loaded.ok() ? std::optional(door::openGraph(state)) : std::nullopt;
}

// Parts for several devices. If each part begins with a warm-up, one for each device; else so many that
// slower devices take fewer.
PartedRun inParts(const RunArguments& arguments, const door::GraphState& state, size_t devices) {
  PartedRun asked;
  asked.parts = framesInParts(state, state.warmUp.needsEarlier() ? devices : 4 * devices);
  asked.graphOf = [&arguments, total = state.plan.frames.size()](const FrameSet& part) {
    GraphOptions options = wantedFrames(arguments);
    options.frames = Frames(part);
    options.resume = false;  // the frames that are left are known
    options.records = total > 1;
    return door::openGraph(loadState(arguments.graph, arguments.graph.graph, options));
  };
  asked.pipeline = arguments.graph.pipeline;
  asked.pipeline.startsFast = true;
  return asked;
}

int runTraced(const RunArguments& arguments, const std::shared_ptr<Trace>& trace, nlohmann::ordered_json& out,
              std::vector<Device>& devices) {
  const std::optional<Graph> graph = openGraph(arguments, trace, out);
  if (!graph)
    return exitUsage;
  if (graph->frames().empty()) {
    out.update(runJson(*graph, {}, {}, 0.0));
    return exitOk;
  }
  if ((arguments.profile == standardStream || arguments.json) && writesStandardOutput(*graph)) {
    printError(fmt::format("{} and a sink would both write standard output: name a file",
                           arguments.json ? "--json" : "--profile -"));
    return exitUsage;
  }
  openDevices(devices, arguments, trace);
  FrameRun frames(arguments, devices, *graph, out);
  if (devices.size() > 1) {
    if (arguments.time || trace != nullptr || !arguments.report.empty()) {
      printError(fmt::format("--device {}: --time, --profile and --report are for one device",
                             arguments.graph.device));
      return exitUsage;
    }
    PartedRun asked = inParts(arguments, *door::Access::of(*graph), devices.size());
    asked.run = frames.options();
    return frames.run([&] { return runOnDevices(devices, asked); }, nullptr);
  }
  PipelineOptions options = arguments.graph.pipeline;
  options.trace = trace;
  options.frames = framesToCompute(*graph) * arguments.runs;
  options.tunes = arguments.tune && !arguments.graph.validate && arguments.missing != Missing::wait;
  options.startsFast = !arguments.time && arguments.report.empty();
  Pipeline pipeline(devices.front(), *graph, options);
  printMeasured(arguments, pipeline);
  warnOfTiles(pipeline);
  const int code = frames.run(
      [&] {
        return PartedResult{pipeline.run(frames.options()), {}, {}};
      },
      &pipeline.plan());
  if (code == exitOk && !arguments.report.empty())
    writeReport(arguments, devices.front(), *graph, pipeline, frames.times());
  return code;
}

int runReported(const RunArguments& given, nlohmann::ordered_json& out, std::vector<Device>& devices) {
  RunArguments arguments = given;
  arguments.profile = standardOutputName(given.profile);
  if (!arguments.report.empty()) {
    try {
      checkNamedOutput({"--report", "the report is written as HTML", ".html"}, arguments.report, {});
    } catch (const FileError& error) {
      printError(error.what());
      return exitUsage;
    }
    arguments.others.push_back(
        {"--report " + arguments.report, "the report", arguments.report, FileKind::page});
  }
  if (arguments.keepOutputs && fileIdOf(arguments.profile)) {
    if (!arguments.quiet)
      printNote(fmt::format("{} already exists, and is kept", arguments.profile));
    arguments.profile.clear();
  }
  if (arguments.profile.empty())
    return runTraced(arguments, nullptr, out, devices);
  const bool toStdout = arguments.profile == standardStream;
  if (toStdout && (arguments.time || arguments.json)) {
    printError(fmt::format("--profile - and {} would both print to stdout: write the profile to a file",
                           arguments.time ? "--time" : "--json"));
    return exitUsage;
  }
  if (!toStdout) {
    arguments.others.push_back(
        {"--profile " + arguments.profile, "the profile", arguments.profile, FileKind::profile});
  }
  const auto trace = std::make_shared<Trace>();
  const auto write = [&] {
    if (toStdout)
      fmt::print("{}", trace->json());
    else
      trace->write(arguments.profile);
  };
  int code = exitOk;
  try {
    code = runTraced(arguments, trace, out, devices);
  } catch (const std::exception& error) {
    if (exitCodeOf(error) != exitUsage)
      write();
    throw;
  }
  if (code != exitUsage)
    write();
  return code;
}

}  // namespace

void openDevices(std::vector<Device>& devices, const RunArguments& arguments,
                 const std::shared_ptr<Trace>& trace) {
  if (!devices.empty())
    return;
  const Profile::Span span(door::Access::of(trace), "device");
  warnOfAddressSpace();
  for (const std::string& name : namedDevices(arguments.graph.device)) {
    DeviceOptions options;
    options.select = name;
    options.validates = arguments.graph.validate;
    devices.emplace_back(options);
  }
}

int runGraph(const RunArguments& arguments, nlohmann::ordered_json& out, std::vector<Device>& devices) {
  if (arguments.quiet)
    TimeWatch::keepQuiet();
  return runReported(arguments, out, devices);
}

int runGraph(const RunArguments& arguments) {
  std::vector<Device> devices;
  return reported(arguments.json, [&](nlohmann::ordered_json& out) {
    return namesPictures(arguments) ? runFolder(arguments, out) : runGraph(arguments, out, devices);
  });
}

}  // namespace lacuna
