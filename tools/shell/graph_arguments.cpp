#include "tools/shell/graph_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/load/file_numbers.h"
#include "graph/module/words.h"
#include "graph/nodes/module_file.h"
#include "modules/codecs/image_file.h"
#include "tools/metrics/motion_guess.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr const char* overwriting = "--overwrite-input";

std::shared_ptr<door::GraphState> failed(const std::string& error, const std::string& hint = {}) {
  auto none = std::make_shared<door::GraphState>();
  none->loaded.diagnostics.error({}, error, hint);
  return none;
}

// A graph that comes with Lacuna may be meant.
std::shared_ptr<door::GraphState> missing(const std::string& graphFile) {
  namespace fs = std::filesystem;
  const fs::path ours = installedFolder("pipelines", "pipelines");
  const std::string there = (ours / fs::path(graphFile).filename()).string();
  std::error_code ignored;
  auto none = std::make_shared<door::GraphState>();
  Diagnostics& diagnostics = none->loaded.diagnostics;
  diagnostics.error(
      {diagnostics.addFile(graphFile, ""), 0, 0, 1}, "the file cannot be read: No such file or directory",
      fs::is_regular_file(there, ignored) ? fmt::format("there is {}", there)
                                          : fmt::format("graphs to start from are in {}", ours.string()));
  return none;
}

std::shared_ptr<door::GraphState> loadText(const GraphArguments& arguments, const std::string& graphFile,
                                           const GraphOptions& options,
                                           const std::vector<OtherOutput>& others, const StageTrace& see) {
  if (graphFile == "-") {
    const FileText read = readStandardInput();
    return read.error.empty()
               ? door::loadGraph({"standard input", &read.text, see, overwriting}, options, others)
               : failed("standard input: " + read.error);
  }
  if (arguments.text.empty() && isImageFile(graphFile)) {
    return failed(fmt::format("{}: this is a picture; expected a graph file", graphFile),
                  fmt::format("`lacuna denoise {} -o OUT` denoises it", graphFile));
  }
  std::error_code ignored;
  if (arguments.text.empty() && !std::filesystem::exists(std::filesystem::symlink_status(graphFile, ignored)))
    return missing(graphFile);
  return door::loadGraph({graphFile, arguments.text.empty() ? nullptr : &arguments.text, see, overwriting},
                         options, others);
}

// The options that read motion in the module's own convention.
ReadOptions readOptions(const ModuleInstance& module) {
  const auto number = [&](const char* name, size_t index) {
    const ParameterValues& values = module.parameter(name).values;
    return static_cast<float>(std::get<double>(values.at(index)));
  };
  const auto word = [&](const std::string& name) {
    return std::get<std::string>(module.parameter(name).values.front());
  };
  ReadOptions options;
  options.motion = motionConventionFromName(word("motion"));
  options.motionScale = {number("motion_scale", 0), number("motion_scale", 1)};
  for (const auto& [plane, parameter] : {std::pair("motion", "motion_layer"), std::pair("albedo", "albedo"),
                                         std::pair("normal", "normal"), std::pair("depth", "depth")})
    if (!word(parameter).empty())
      options.layers[plane] = word(parameter);
  return options;
}

// Compares the first two consecutive frames with files.
std::optional<MotionGuess> measure(const ModuleInstance& module, const std::string& folder,
                                   const FrameSet& frames) {
  for (const FrameSet::Run& run : frames.within(module.there).runs())
    if (run.first < run.last)
      return guessMotion({fileOf(module, folder, run.first)}, {fileOf(module, folder, run.first + 1)},
                         readOptions(module));
  return std::nullopt;
}

// Warns, for sources of EXR files with connected motion, if it is read in a convention other than the files'
// own, or fits none: history would be rejected nearly everywhere, without a warning. Compares two
// neighbouring files; does nothing if that can't be done. `frames`: the frames to run, ascending.
void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics) {
  for (const ModuleInstance& module : graph.modules) {
    if (!isNumberedSource(module) || module.description->parameter("motion_scale") == nullptr ||
        !contains(module.connectedOutputs, "motion"))
      continue;
    try {
      const auto guess = measure(module, graph.folder, frames);
      if (guess && !guess->asUsed)
        diagnostics.warn(filenameLocation(module),
                         fmt::format("the motion of {} has another convention: {:.0f}% of it doesn't fit; "
                                     "with another one, {:.0f}%",
                                     module.name(), 100 * guess->mismatchAsUsed, 100 * guess->mismatch),
                         "set " + asParameters(guess->convention, guess->scale));
      else if (guess && !guess->fits)
        diagnostics.warn(filenameLocation(module),
                         fmt::format("the motion of {} fits no convention: there will be hardly any history",
                                     module.name()));
    } catch (const FileError&) {
      // Damaged files are reported when they are read.
    }
  }
}

// Reports --missing if no source has a frame's number in its file name.
void checkMissing(const ModuleGraph& graph, Missing missing, Diagnostics& diagnostics) {
  // Pictures of a folder are listed, so none is missing.
  const auto mayLack = [](const ModuleInstance& module) {
    return isNumberedSource(module) && module.frameFiles.empty();
  };
  if (missing != Missing::error && std::ranges::none_of(graph.modules, mayLack))
    diagnostics.error({}, "--missing is for names with a frame's number, but no source has one");
}

}  // namespace

std::shared_ptr<door::GraphState> loadState(const GraphArguments& arguments, const std::string& graphFile,
                                            GraphOptions more, const std::vector<OtherOutput>& others,
                                            const StageTrace& see) {
  warnOfModuleFolders();
  warnOfCacheFolder();
  more.modules = arguments.modules;
  more.includeRoots = arguments.includeRoots;
  more.parameters = arguments.parameters;
  more.inputs = arguments.inputs;
  more.outputs = arguments.outputs;
  more.files = arguments.files;
  std::shared_ptr<door::GraphState> state = loadText(arguments, graphFile, more, others, see);
  LoadedGraph& loaded = state->loaded;
  if (loaded.ok() && arguments.text.empty()) {  // otherwise `denoise` has measured it
    checkMotion(loaded.graph.modules, loaded.frames, loaded.diagnostics);
    checkMissing(loaded.graph.modules, more.missing, loaded.diagnostics);
  }
  return state;
}

LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile, const StageTrace& see) {
  LoadedGraph loaded =
      std::move(loadState(arguments, graphFile, {.frames = Frames::none()}, {}, see)->loaded);
  printDiagnostics(loaded.diagnostics);
  return loaded;
}

std::string moduleLines(const ModuleInstance& module, std::optional<int> frame) {
  std::string lines = fmt::format("module:{}\n", module.name());
  for (const Parameter& parameter : module.parameters) {
    const auto add = [&](const std::string& keyword, const ParameterValues& values, const char* end) {
      std::vector<std::string> words;
      for (const ParameterValue& value : values) {
        const auto* name = std::get_if<std::string>(&value);
        const bool startsHere = name != nullptr && parameter.fromOption && parameter.description->isFile;
        words.push_back(
            textOf(startsHere ? ParameterValue(std::filesystem::absolute(*name).string()) : value));
      }
      lines += fmt::format("{}:{}:{}:{}{}\n", keyword, module.name(), parameter.description->name,
                           fmt::join(words, ":"), end);
    };
    if (frame ? parameter.isSet || !parameter.keyframes.empty() : parameter.isSet)
      add("param", frame ? valuesAt(parameter, *frame) : parameter.values, "");
    if (!frame)
      for (const Keyframe& key : parameter.keyframes)
        add(fmt::format("keyframe:{}", key.frame), key.values, key.linear ? ":linear" : ":step");
  }
  return lines;
}

std::set<std::string> filesToRead(const door::GraphState& state, const ModuleInstance& module) {
  const std::string& folder = state.loaded.graph.modules.folder;
  const std::vector<std::string> beside = filesBeside(module, folder);
  std::set<std::string> files(beside.begin(), beside.end());
  const bool isSink = std::ranges::any_of(module.description->nodes,
                                          [](const auto& node) { return node.kind == NodeKind::sink; });
  if (module.description->parameter("filename") != nullptr && !isSink && !state.plan.frames.empty())
    files.insert(fileOf(module, folder, state.plan.frames.front()));
  return files;
}

door::ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device) {
  return door::targetOf(device, DeviceOptions::defaultCacheFolder(), moduleSearchPath(arguments.modules));
}

door::ScheduleTarget openTarget(const GraphArguments& arguments) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  const auto device = std::make_shared<vk::Device>(options);
  door::ScheduleTarget target = targetOf(arguments, device->info());
  target.memoryNeeds = [device](const Passes& passes) { return vk::memoryNeeds(*device, passes); };
  return target;
}

}  // namespace lacuna
