#include "tools/lacuna/run/graph_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "graph/config/text.h"
#include "graph/run/stream.h"
#include "graph/run/tune/tuning.h"
#include "graph/shader/compile.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/check_motion.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

// "name=value" at the first '='.
std::pair<std::string, std::string> split(const std::string& word) {
  const size_t at = word.find('=');
  return at == std::string::npos ? std::pair(word, std::string())
                                 : std::pair(word.substr(0, at), word.substr(at + 1));
}

// What is wrong with "module:instance" of --schedule module:instance=NAME; "" if nothing.
std::string scheduleOwnerMistake(const NodeGraph& graph, const std::string& name,
                                 std::vector<std::string>& filters) {
  for (const Node& node : graph.nodes) {
    if (hasSchedules(graph, node)) {
      filters.push_back(instanceOf(graph, node).name());
    }
  }
  if (graph.modules.find(name) == nullptr) {
    return fmt::format("--schedule {}=...: the graph has no module '{}'", name, name);
  }
  return std::find(filters.begin(), filters.end(), name) == filters.end()
             ? fmt::format("--schedule {}=...: {} has no filter that schedules are for", name, name)
             : std::string();
}

bool isInstanceName(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == ':';
  });
}

// -i and -o: "FILE", or "module:instance=FILE".
void addFile(const std::string& word, bool isOutput, LoadOptions& options,
             std::vector<std::string>& mistakes) {
  const auto [name, file] = split(word);
  const bool hasEquals = word.find('=') != std::string::npos;
  const bool isInstance = isInstanceName(name) && std::count(name.begin(), name.end(), ':') == 1;
  const std::string option = fmt::format("{} {}", isOutput ? "-o" : "-i", word);
  if (isInstance && hasEquals) {
    options.overrides.push_back({name + ":filename", file, option});
  } else if (isInstance || (hasEquals && isInstanceName(name))) {
    mistakes.push_back(fmt::format("{}: expected FILE or {}:instance=FILE; a file of this name is ./{}",
                                   option, isOutput ? "sink" : "source", word));
  } else {
    options.files.push_back({isOutput, word});
  }
}

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
  std::vector<std::string> mistakes;
  for (const std::string& word : arguments.parameters) {
    const auto [name, value] = split(word);
    if (word.find('=') == std::string::npos) {
      mistakes.push_back(fmt::format("-p {}: expected module:instance:parameter=value", word));
    } else {
      options.overrides.push_back({name, value, "-p " + word});
    }
  }
  for (const std::string& word : arguments.inputs) {
    addFile(word, false, options, mistakes);
  }
  for (const std::string& word : arguments.outputs) {
    addFile(word, true, options, mistakes);
  }
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

ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device) {
  const TuningCache cache(ShaderCache::defaultFolder(), device, moduleSearchPath(arguments.modules));
  ScheduleTarget target{modelOf(device), cache};
  target.model.bandwidth = cache.bandwidth();
  return target;
}

CompileOptions compileOptionsFor(const GraphArguments& arguments, const ScheduleTarget& target,
                                 const NodeGraph& graph) {
  CompileOptions options;
  options.device = target.model;
  options.fuses = !arguments.keepsApart;
  const NodeGraph filters = filtersOf(graph, target.model, options.fuses);
  options.known =
      target.cache ? target.cache->know(filters) : workOf(filters, moduleSearchPath(arguments.modules));
  for (const std::string& word : arguments.schedules) {
    const auto [name, value] = split(word);
    const bool one = word.find('=') != std::string::npos;
    options.schedules[one ? name : ""] = one ? value : name;
  }
  return options;
}

std::optional<OrderedPasses> scheduleFor(const GraphArguments& arguments, const ScheduleTarget& target,
                                         LoadedGraph loaded) {
  for (const std::string& word : arguments.schedules) {
    const bool isNameless = word.empty() || word.back() == '=';
    if (isNameless || (word.find('=') == std::string::npos && word.find(':') != std::string::npos)) {
      loaded.diagnostics.error(
          {}, fmt::format("--schedule {}: expected the name of a schedule, or module:instance=NAME", word),
          isNameless ? "`lacuna plan --verbose` lists the schedules of each filter"
                     : fmt::format("such as --schedule {}=rows4; `lacuna plan --verbose` lists the schedules",
                                   word));
    }
  }
  if (loaded.diagnostics.hasErrors()) {
    printDiagnostics(loaded.diagnostics);
    return std::nullopt;
  }
  const CompileOptions options = compileOptionsFor(arguments, target, loaded.graph);
  for (const auto& [name, schedule] : options.schedules) {
    std::vector<std::string> filters;
    if (const std::string mistake = name.empty() ? "" : scheduleOwnerMistake(loaded.graph, name, filters);
        !mistake.empty()) {
      loaded.diagnostics.error({}, mistake, didYouMean(name, filters));
    }
  }
  OrderedPasses passes = passesOf(std::move(loaded.graph), options, loaded.diagnostics);
  if (arguments.memory > 0 && !loaded.diagnostics.hasErrors()) {
    reportMemory(place(passes), arguments.memory, loaded.diagnostics);
  }
  if (loaded.diagnostics.hasErrors()) {
    printDiagnostics(loaded.diagnostics);
    return std::nullopt;
  }
  return passes;
}

}  // namespace lacuna
