#include "tools/lacuna/run/graph_arguments.h"

#include <fmt/format.h>

#include <cstdio>

#include "graph/config/text.h"
#include "graph/load/graph_words.h"
#include "graph/shader/compile.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/check_motion.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

// A byte more than it may have, where it has more.
std::string readStandardInput() {
  std::string text(maxTextBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  return text;
}

LoadedGraph failed(const std::string& error, const std::string& hint = {}) {
  LoadedGraph none;
  none.diagnostics.error({}, error, hint);
  return none;
}

LoadedGraph loadText(const GraphArguments& arguments, const std::string& graphFile,
                     const LoadOptions& options) {
  if (graphFile == "-") {
    const std::string text = readStandardInput();
    return text.size() > maxTextBytes
               ? failed(fmt::format("standard input: it is larger than {} MiB", maxTextBytes >> 20U))
               : loadGraphText(text, "standard input", options);
  }
  if (arguments.text.empty() && isImageFile(graphFile)) {
    return failed(fmt::format("{}: this is a picture; expected a graph file", graphFile),
                  fmt::format("`lacuna denoise {} -o OUT` takes the noise out of it", graphFile));
  }
  return arguments.text.empty() ? loadGraphFile(graphFile, options)
                                : loadGraphText(arguments.text, graphFile, options);
}

}  // namespace

LoadedGraph load(const GraphArguments& arguments, const std::string& graphFile, const WantedFrames& frames) {
  LoadOptions options;
  options.modulePath = moduleSearchPath(arguments.modules);
  options.includeRoots = arguments.includeRoots;
  options.frames = frames.of;
  options.missing = frames.missing;
  options.overwriteInput = frames.overwriteInput;
  options.skipDamaged = frames.skipDamaged;
  const std::vector<std::string> mistakes =
      addWords({arguments.parameters, arguments.inputs, arguments.outputs}, options);
  LoadedGraph loaded = loadText(arguments, graphFile, options);
  for (const std::string& mistake : mistakes) {
    loaded.diagnostics.error({}, mistake);
  }
  if (loaded.ok() && arguments.text.empty()) {  // else `denoise` has measured it
    checkMotion(loaded.graph.modules, loaded.frames, loaded.diagnostics);
  }
  return loaded;
}

LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile,
                    const WantedFrames& frames) {
  LoadedGraph loaded = load(arguments, graphFile, frames);
  printDiagnostics(loaded.diagnostics);
  return loaded;
}

PipelineOptions pipelineOptions(const GraphArguments& arguments) {
  PipelineOptions options;
  options.schedules = arguments.schedules;
  options.memoryBytes = arguments.memory;
  options.fuses = !arguments.keepsApart;
  return options;
}

door::ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device) {
  return door::targetOf(device, ShaderCache::defaultFolder(), moduleSearchPath(arguments.modules));
}

CompileOptions compileOptionsFor(const GraphArguments& arguments, const door::ScheduleTarget& target,
                                 const NodeGraph& graph) {
  return door::compileOptions(pipelineOptions(arguments), target, graph);
}

std::optional<OrderedPasses> scheduleFor(const GraphArguments& arguments, const door::ScheduleTarget& target,
                                         LoadedGraph loaded) {
  auto passes =
      door::scheduleGraph(std::move(loaded.graph), pipelineOptions(arguments), target, loaded.diagnostics);
  if (!passes) {
    printDiagnostics(loaded.diagnostics);
  }
  return passes;
}

}  // namespace lacuna
