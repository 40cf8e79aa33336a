#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "graph/config/diagnostics.h"
#include "graph/load/file_numbers.h"
#include "graph/load/files.h"
#include "graph/load/load.h"
#include "graph/nodes/build_native.h"
#include "graph/nodes/module_file.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

// Values that a call sets, still as words.
struct SettledWord {
  std::string parameter, value;
};

void keepWord(void* host, const char* parameter, const char* value) {
  static_cast<std::vector<SettledWord>*>(host)->push_back({parameter, value});
}

// Names of the connectors of a module that the graph uses: a source's outputs, a sink's inputs.
std::vector<std::string> connectedNames(const ModuleInstance& module) {
  std::vector<std::string> names = module.connectedOutputs;
  for (const auto& [name, connection] : module.inputs)
    names.push_back(name);
  return names;
}

void apply(ModuleInstance& module, const SettledWord& word, Diagnostics& diagnostics) {
  const auto found = std::ranges::find_if(module.parameters, [&](const Parameter& parameter) {
    return parameter.description->name == word.parameter && parameter.description->structural;
  });
  Diagnostics wrong;
  ParameterValues values;
  if (found != module.parameters.end())
    values = convertValues(*found->description, {word.parameter, {}}, {{word.value, {}}}, wrong);
  if (values.empty()) {
    diagnostics.error(
        module.where,
        fmt::format("{}: settle() of {} sets '{}' to '{}', which is not a value of a structural "
                    "parameter",
                    module.name(), module.native->file(), word.parameter, word.value));
    return;
  }
  found->values = std::move(values);
}

// False if the module has an error, which was reported.
bool settleOne(const ModuleGraph& graph, ModuleInstance& module, Diagnostics& diagnostics) {
  const std::vector<std::string> connected = connectedNames(module);
  std::vector<const char*> names;
  for (const std::string& name : connected)
    names.push_back(name.c_str());
  std::vector<SettledWord> words;
  const lacuna_settings settings{sizeof(lacuna_settings), &words, keepWord};
  const NativeCode& code = *module.native;
  try {
    NativeCall call(callContext(graph, module, graph.firstFrame));
    const bool done = call.run(code.file(), "settle", code.table().settle, names.data(),
                               static_cast<uint32_t>(names.size()), &settings);
    passOn(call, module, diagnostics, hintForMissing(module, graph.folder));
    for (const SettledWord& word : words)
      apply(module, word, diagnostics);
    return done;
  } catch (const FileError& error) {
    diagnostics.error(filenameLocation(module), error.what());
    return false;
  }
}

bool canSettle(const ModuleInstance& module) {
  return module.native != nullptr && module.native->table().settle != nullptr;
}

// Whether a source's file of the first frame is missing, which was reported.
bool isMissing(const Sources& sources, const ModuleInstance& source) {
  return sources.frames && !framesWithFile(source).contains(sources.modules.firstFrame);
}

// Returns the names of sources with an error, which was reported.
std::set<std::string> settle(Sources& sources, Diagnostics& diagnostics) {
  std::set<std::string> wrong;
  ModuleGraph& graph = sources.modules;
  for (ModuleInstance& module : graph.modules)
    if (canSettle(module) && module.description->isSource() && !isMissing(sources, module) &&
        (!hasFileName(module, diagnostics) || !settleOne(graph, module, diagnostics)))
      wrong.insert(module.name());
  // A sink's call may read the file of its source, whose errors were already reported.
  for (ModuleInstance& module : graph.modules)
    if (wrong.empty() && canSettle(module) && module.description->isSink() && !filePattern(module).empty())
      settleOne(graph, module, diagnostics);
  return wrong;
}

// The node that reads the file; null if the module has none, or none yet.
const NodeDescription* fileSource(const ModuleInstance& module) {
  for (const NodeDescription& node : module.description->nodes)
    if (node.kind == NodeKind::source && !node.memory && isActive(node, module))
      return &node;
  return nullptr;
}

// Names of a source's planes that connected nodes need: its file node's outputs that are connectors connected
// downstream, or that feed other nodes of the module.
std::vector<std::string> wantedPlanes(const ModuleInstance& source, const NodeDescription& node) {
  const std::set<std::string> connected(source.connectedOutputs.begin(), source.connectedOutputs.end());
  std::vector<std::string> wanted;
  for (const NodeOutput& output : node.outputs) {
    bool needed = connected.count(output.connector) != 0;
    for (const NodeDescription& other : source.description->nodes) {
      bool reads = false;
      for (const NodeInput& input : other.inputs)
        reads = reads || input.source == node.name + "." + output.name;
      for (const NodeOutput& made : other.outputs)
        needed = needed || (reads && connected.count(made.connector) != 0);
    }
    if (needed)
      wanted.push_back(output.name);
  }
  return wanted;
}

// By output; empty if the source has an error, which was reported.
using Types = std::map<std::string, ValueType>;

// Checks what the module's probe() filled in.
Types typesOf(const NativePlanes& planes, const ModuleInstance& source, Diagnostics& diagnostics) {
  Types types;
  for (uint32_t i = 0; i < planes.count(); ++i) {
    const lacuna_type& told = *planes[i].type;
    const std::optional<ValueType> type = fromAbi(told);
    if (!type) {
      diagnostics.error(source.where,
                        fmt::format("{}: probe() of {} reports for '{}': {}", source.name(),
                                    source.native->file(), planes[i].name, describeWrong(told)));
      return {};
    }
    types[planes[i].name] = *type;
  }
  return types;
}

// From the header alone. `alsoRead` gets the names of other files that its code reads.
Types probeFile(const ModuleInstance& source, const ModuleGraph& graph, Diagnostics& diagnostics,
                std::vector<std::string>& alsoRead) {
  const NodeDescription* node = fileSource(source);
  if (source.native == nullptr || node == nullptr || !hasFileName(source, diagnostics))
    return {};
  const std::vector<std::string> wanted = wantedPlanes(source, *node);
  NativePlanes planes;
  for (const std::string& name : wanted)
    planes.add(name, {sizeof(lacuna_type), 0, 0, 0, 0, 0, 0, {}, {}});
  const NativeCode& code = *source.native;
  try {
    NativeCall call(callContext(graph, source, graph.firstFrame));
    const bool done = call.run(code.file(), "probe", code.table().probe, planes.list(), planes.count());
    passOn(call, source, diagnostics, hintForMissing(source, graph.folder));
    alsoRead = call.filesRead();
    return done ? typesOf(planes, source, diagnostics) : Types();
  } catch (const FileError& error) {
    diagnostics.error(filenameLocation(source), error.what());
    return {};
  }
}

Types typeInMemory(const ModuleInstance& source, const std::map<std::string, ValueType>& memory,
                   Diagnostics& diagnostics) {
  const auto found = memory.find(source.name());
  if (found != memory.end())
    return {{"output", found->second}};
  diagnostics.error(source.where,
                    fmt::format("{} has no image: a program that embeds Lacuna gives it one", source.name()),
                    "to read a file, use i-file");
  return {};
}

// Images for sources that the graph doesn't have, if all of its modules are known.
void checkImages(const ModuleGraph& graph, const std::map<std::string, ValueType>& memory,
                 Diagnostics& diagnostics) {
  std::vector<std::string> sources;
  for (const ModuleInstance& module : graph.modules)
    if (module.description->isSource() && !needsNativeCode(*module.description))
      sources.push_back(module.name());
  for (const auto& [name, type] : memory) {
    if (std::ranges::find(sources, name) == sources.end()) {
      diagnostics.error({}, fmt::format("images: '{}' is not a source in memory of the graph", name),
                        sources.empty() ? "it has no module i-memory" : suggestInstance(name, sources));
    }
  }
}

// Works on a copy, because settle() sets parameters for a frame.
bool isReadable(const Sources& sources, int frame) {
  Sources tried = sources;
  tried.modules.firstFrame = frame;
  Diagnostics found;
  settle(tried, found);
  for (ModuleInstance& module : tried.modules.modules)
    if (!found.hasErrors() && isNumberedSource(module))
      probeFile(module, tried.modules, found, module.alsoRead);
  return !found.hasErrors();
}

// Until the files of the first frame have readable headers, or have been written for long.
void awaitReadable(const Sources& sources) {
  constexpr std::chrono::milliseconds interval{50};
  const int first = sources.modules.firstFrame;
  Awaited awaited;
  while (sources.frames && !sources.frames->empty() && isAwaited(sources.modules, first, awaited) &&
         !isReadable(sources, first))
    std::this_thread::sleep_for(interval);
}

void beginReadable(Sources& sources) {
  const FrameSet frames = sources.frames.value_or(FrameSet());
  FrameSet differing = frames.first(1);  // other frames read the same files as an earlier one
  for (const ModuleInstance& module : sources.modules.modules)
    differing = differing.with(module.there);
  for (const int frame : frames.within(differing)) {
    if (isReadable(sources, frame)) {
      sources.modules.firstFrame = frame;
      break;
    }
  }
}

// `wrong`: sources with an error, which was reported.
void probe(Sources& sources, const std::map<std::string, ValueType>& memory,
           const std::set<std::string>& wrong, Diagnostics& diagnostics) {
  ModuleGraph& graph = sources.modules;
  for (const ModuleId id : graph.modules.ids()) {
    ModuleInstance& module = graph.modules[id];
    if (module.description->isSource() &&
        (sources.isRight || (!isMissing(sources, module) && wrong.count(module.name()) == 0))) {
      sources.types[id] = needsNativeCode(*module.description)
                              ? probeFile(module, graph, diagnostics, module.alsoRead)
                              : typeInMemory(module, memory, diagnostics);
    }
  }
  if (sources.isRight)
    checkImages(graph, memory, diagnostics);
}

}  // namespace

Sources findSources(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics) {
  Sources sources = findFrames(loadNative(std::move(graph), diagnostics), options, diagnostics);
  if (options.missing == Missing::wait && !diagnostics.hasErrors())
    awaitReadable(sources);
  if (options.skipDamaged && !diagnostics.hasErrors())
    beginReadable(sources);
  const std::set<std::string> wrong = settle(sources, diagnostics);
  const FrameSet written = sources.frames.value_or(framesToWrite(sources.modules));
  checkStills(sources.modules, written, diagnostics);
  checkSinks(sources.modules, written, diagnostics);
  sources.isRight = !diagnostics.hasErrors();
  probe(sources, options.memory, wrong, diagnostics);
  checkOverwriting(sources.modules, written, options.outputs, diagnostics);
  return sources;
}

}  // namespace lacuna
