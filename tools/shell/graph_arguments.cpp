#include "tools/shell/graph_arguments.h"

#include <fmt/format.h>

#include <filesystem>

#include "graph/config/text.h"
#include "modules/codecs/image_file.h"
#include "tools/shell/check_environment.h"
#include "tools/shell/installed.h"
#include "tools/shell/messages.h"
#include "tools/shell/text_file.h"

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
  if (arguments.text.empty() &&
      !std::filesystem::exists(std::filesystem::symlink_status(graphFile, ignored))) {
    return missing(graphFile);
  }
  return door::loadGraph({graphFile, arguments.text.empty() ? nullptr : &arguments.text, see, overwriting},
                         options, others);
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
