#include <fmt/format.h>

#include <algorithm>

#include "graph/config/lexer.h"
#include "graph/load/file_numbers.h"
#include "graph/load/file_options.h"
#include "graph/load/files.h"
#include "graph/load/frame_plan.h"
#include "graph/load/load.h"
#include "graph/load/overwriting.h"
#include "graph/load/settle.h"
#include "graph/nodes/load_native.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {
namespace {

std::vector<Word> splitWords(const std::string& text, const Location& where) {
  std::vector<Word> words = {{{}, where}};
  for (const char c : text) {
    if (c == ':') {
      words.push_back({{}, where});
    } else {
      words.back().text += c;
    }
  }
  return words;
}

// As in a graph file: colons between values, and quotes around one that has a colon. A parameter that is one
// text takes the whole value, unless that begins with a quote.
std::vector<Word> valuesOf(const Override& given, const ParameterDescription* parameter,
                           const Location& where, Diagnostics& diagnostics) {
  const bool isOneText =
      parameter != nullptr && parameter->type == ParameterType::string && parameter->count == 1;
  if (given.isFileName || (isOneText && !given.value.starts_with('"'))) {
    return {{given.value, where, true}};
  }
  if (given.value.find('"') == std::string::npos) {
    return splitWords(given.value, where);
  }
  LexedLine lexed = lexLine(given.value, where, diagnostics);
  if (!lexed.wrong && !lexed.comment.empty()) {
    diagnostics.error(where, fmt::format("expected nothing more at '{}'", lexed.comment));
    lexed.wrong = true;
  }
  for (Word& word : lexed.words) {
    word.where = where;
  }
  return lexed.wrong ? std::vector<Word>() : lexed.words;
}

// nullptr: there is none, which is reported elsewhere.
const ParameterDescription* findParameter(const std::vector<Word>& name, Registry& registry) {
  Diagnostics ignored;
  const auto module = registry.find(name[0].text, ignored);
  if (module == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(module->parameters.begin(), module->parameters.end(),
                                  [&](const ParameterDescription& p) { return p.name == name[2].text; });
  return found == module->parameters.end() ? nullptr : &*found;  // the registry keeps the module
}

// Parameters from the command line have no place in a file: their option stands for it.
void applyOverrides(Config& config, const std::vector<Override>& overrides, Registry& registry,
                    Diagnostics& diagnostics) {
  for (const Override& given : overrides) {
    const std::string text = fmt::format("{}={}", given.parameter, given.value);
    const Location where{diagnostics.addOption(given.option.empty() ? text : given.option)};
    const std::vector<Word> name = splitWords(given.parameter, where);
    if (name.size() != 3) {
      diagnostics.error(where, fmt::format("'{}': expected module:instance:parameter=value", text));
      continue;
    }
    ParamLine line;
    line.owner = {name[0], name[1]};
    line.name = name[2];
    line.fromOption = true;
    line.values = valuesOf(given, findParameter(name, registry), where, diagnostics);
    if (line.values.empty()) {
      continue;
    }
    std::erase_if(config.keyframes, [&](const ParamLine& keyframe) {
      return keyframe.owner.name() == line.owner.name() && keyframe.name.text == line.name.text;
    });
    config.params.push_back(std::move(line));
  }
}

using FilesRead = std::map<std::string, std::vector<std::string>>;  // by module: beside its own

ProbeSource prober(const LoadOptions& options, FilesRead& read) {
  return [&](const ModuleInstance& source, const ModuleGraph& graph, Diagnostics& diagnostics) {
    if (needsNativeCode(*source.description)) {
      return probeSource(source, graph, diagnostics, read[source.name()]);
    }
    const auto found = options.memory.find(source.name());
    if (found == options.memory.end()) {
      diagnostics.error(
          source.where,
          fmt::format("{} has no image: a program that embeds Lacuna gives it one", source.name()),
          "to read a file, use i-file");
      return std::map<std::string, ValueType>();
    }
    return std::map<std::string, ValueType>{{"output", found->second}};
  };
}

// What LoadOptions::frames asks for, of what has files; decides whose files tell what sources deliver.
FrameSet findFrames(ModuleGraph& modules, const LoadOptions& options, Diagnostics& diagnostics) {
  if (!options.frames) {
    return {};
  }
  try {
    const FrameSet frames = options.frames(modules);
    if (!frames.empty() && frames.back() >= mostFrames) {
      diagnostics.error({},
                        fmt::format("frame {} is asked for, but the last one possible is {}",
                                    int64_t{frames.back()} + modules.firstNumber,
                                    int64_t{mostFrames} - 1 + modules.firstNumber),
                        "frames count from the first file's number");
      return {};
    }
    FrameSet runnable = findFiles(modules, frames, options.missing, diagnostics);
    modules.firstFrame = runnable.empty() ? 0 : runnable.front();
    return runnable;
  } catch (const FileError&) {
    return {};  // a pattern is wrong, which is reported of its module
  }
}

// Only of what the graph file says: files of modules that keep nothing are none the worse for it.
void checkWarmUp(const NodeGraph& graph, Diagnostics& diagnostics) {
  NodeGraph plain = graph;
  plain.modules.warmUp.reset();
  if (graph.modules.warmUp && !warmUpOf(plain).needsEarlier()) {
    diagnostics.warn(graph.modules.warmUp->where,
                     "'warmup' changes nothing: no module takes a value of the frame before");
  }
}

// The earliest frame whose files have headers that can be read, else the first frame.
int firstReadable(const ModuleGraph& graph, const FrameSet& frames, const ProbeSource& probe) {
  FrameSet differing = frames.first(1);  // other frames read the same files as one before
  for (const ModuleInstance& module : graph.modules) {
    differing = differing.with(module.there);
  }
  for (const int frame : frames.within(differing)) {
    ModuleGraph modules = graph;
    modules.firstFrame = frame;
    Diagnostics found;
    settle(
        modules, [](const ModuleInstance&) { return false; }, found);
    for (const ModuleInstance& module : modules.modules) {
      if (isNumberedSource(module) && !found.hasErrors()) {
        probe(module, modules, found);
      }
    }
    if (!found.hasErrors()) {
      return frame;
    }
  }
  return frames.empty() ? 0 : frames.front();
}

void load(LoadedGraph& loaded, Config config, const LoadOptions& options) {
  Diagnostics& diagnostics = loaded.diagnostics;
  Registry registry(options.modulePath);
  applyOverrides(config, overridesFor(options.files, config, registry, diagnostics), registry, diagnostics);
  applyOverrides(config, options.overrides, registry, diagnostics);
  FilesRead read;
  const ProbeSource probe = prober(options, read);
  ModuleGraph modules = loadNative(buildModuleGraph(config, registry, diagnostics), diagnostics);
  numberFiles(modules, diagnostics);
  modules.keepsOutputs = options.outputs.keepOutputs;
  for (int file = 0; file < diagnostics.fileCount(); ++file) {
    modules.files.push_back(diagnostics.fileName(file));
  }
  for (const ModuleInstance& module : modules.modules) {
    auto& all = loaded.descriptions;
    if (std::find(all.begin(), all.end(), module.description) == all.end()) {
      all.push_back(module.description);
    }
  }
  loaded.frames = findFrames(modules, options, diagnostics);
  if (options.skipDamaged && !diagnostics.hasErrors()) {
    modules.firstFrame = firstReadable(modules, loaded.frames, probe);
  }
  const auto isToldMissing = [&](const ModuleInstance& module) {
    return options.frames && !framesWithFile(module).contains(modules.firstFrame);
  };
  const std::set<std::string> wrongSources = settle(modules, isToldMissing, diagnostics);
  const FrameSet written = options.frames ? loaded.frames : framesToWrite(modules);
  checkStills(modules, written, diagnostics);
  checkSinks(modules, written, diagnostics);
  const auto checkOutputs = [&](ModuleGraph& graph) {
    for (ModuleInstance& module : graph.modules) {
      module.alsoRead = read[module.name()];
    }
    checkOverwriting(graph, written, options.outputs, diagnostics);
  };
  if (diagnostics.hasErrors()) {
    // Sources are probed all the same, so that what is wrong with a file is told beside the other mistakes.
    for (const ModuleInstance& module : modules.modules) {
      if (module.description->isSource() && !isToldMissing(module) &&
          wrongSources.count(module.name()) == 0) {
        probe(module, modules, diagnostics);
      }
    }
    checkOutputs(modules);
    return;
  }
  loaded.graph = buildNodeGraph(std::move(modules), probe, diagnostics);
  checkOutputs(loaded.graph.modules);
  if (!diagnostics.hasErrors()) {
    checkWarmUp(loaded.graph, diagnostics);
  }
}

}  // namespace

LoadedGraph loadGraphFile(const std::string& path, const LoadOptions& options) {
  LoadedGraph loaded;
  Config config = parseConfigFile(path, loaded.diagnostics, options.includeRoots);
  load(loaded, std::move(config), options);
  return loaded;
}

LoadedGraph loadGraphText(const std::string& text, const std::string& name, const LoadOptions& options) {
  LoadedGraph loaded;
  Config config = parseConfigText(text, name, loaded.diagnostics, options.includeRoots);
  load(loaded, std::move(config), options);
  return loaded;
}

}  // namespace lacuna
