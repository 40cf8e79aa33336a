#include "graph/load/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "graph/config/diagnostics.h"
#include "graph/load/file_numbers.h"
#include "graph/load/files.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

// The node that reads the file; null if the module has none, or none yet.
const NodeDescription* fileSource(const ModuleInstance& module) {
  for (const NodeDescription& node : module.description->nodes) {
    if (node.kind == NodeKind::source && !node.memory && isActive(node, module)) {
      return &node;
    }
  }
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
      for (const NodeInput& input : other.inputs) {
        reads = reads || input.source == node.name + "." + output.name;
      }
      for (const NodeOutput& made : other.outputs) {
        needed = needed || (reads && connected.count(made.connector) != 0);
      }
    }
    if (needed) {
      wanted.push_back(output.name);
    }
  }
  return wanted;
}

// Checks what the module's probe() filled in.
DeliveredTypes typesOf(const NativePlanes& planes, const ModuleInstance& source, Diagnostics& diagnostics) {
  DeliveredTypes types;
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
DeliveredTypes probeFile(const ModuleInstance& source, const ModuleGraph& graph, Diagnostics& diagnostics,
                         std::vector<std::string>& alsoRead) {
  const NodeDescription* node = fileSource(source);
  if (source.native == nullptr || node == nullptr || !hasFileName(source, diagnostics)) {
    return {};
  }
  const std::vector<std::string> wanted = wantedPlanes(source, *node);
  NativePlanes planes;
  for (const std::string& name : wanted) {
    planes.add(name, {sizeof(lacuna_type), 0, 0, 0, 0, 0, 0, {}, {}});
  }
  const NativeCode& code = *source.native;
  try {
    NativeCall call(callContext(graph, source, graph.firstFrame));
    const bool done = call.run(code.file(), "probe", code.table().probe, planes.list(), planes.count());
    passOn(call, source, diagnostics, hintForMissing(source, graph.folder));
    alsoRead = call.filesRead();
    return done ? typesOf(planes, source, diagnostics) : DeliveredTypes();
  } catch (const FileError& error) {
    diagnostics.error(filenameLocation(source), error.what());
    return {};
  }
}

DeliveredTypes typeInMemory(const ModuleInstance& source, const std::map<std::string, ValueType>& memory,
                            Diagnostics& diagnostics) {
  const auto found = memory.find(source.name());
  if (found != memory.end()) {
    return {{"output", found->second}};
  }
  diagnostics.error(source.where,
                    fmt::format("{} has no image: a program that embeds Lacuna gives it one", source.name()),
                    "to read a file, use i-file");
  return {};
}

// Images for sources that the graph doesn't have, if all of its modules are known.
void checkImages(const ModuleGraph& graph, const std::map<std::string, ValueType>& memory,
                 Diagnostics& diagnostics) {
  std::vector<std::string> sources;
  for (const ModuleInstance& module : graph.modules) {
    if (module.description->isSource() && !needsNativeCode(*module.description)) {
      sources.push_back(module.name());
    }
  }
  for (const auto& [name, type] : memory) {
    if (std::ranges::find(sources, name) == sources.end()) {
      diagnostics.error({}, fmt::format("images: '{}' is not a source in memory of the graph", name),
                        sources.empty() ? "it has no module i-memory" : suggestInstance(name, sources));
    }
  }
}

// Works on a copy, because settle() sets parameters for a frame.
bool isReadable(const FramedGraph& graph, int frame) {
  FramedGraph tried = graph;
  tried.firstFrame = frame;
  Diagnostics found;
  const SettledGraph settled = settle(std::move(tried), found);
  return !found.hasErrors() && std::ranges::all_of(settled.modules, [&](const ModuleInstance& module) {
    return !isNumberedSource(module) || canProbe(module, settled);
  });
}

}  // namespace

ProbedGraph probe(SettledGraph graph, const std::map<std::string, ValueType>& memory,
                  Diagnostics& diagnostics) {
  ProbedGraph probed{std::move(graph)};
  const bool isRight = !diagnostics.hasErrors();
  for (ModuleInstance& module : probed.modules) {
    if (!module.description->isSource() ||
        (!isRight && (probed.isMissing(module) || probed.wrong.count(module.name()) != 0))) {
      continue;
    }
    probed.delivered[module.name()] = needsNativeCode(*module.description)
                                          ? probeFile(module, probed, diagnostics, module.alsoRead)
                                          : typeInMemory(module, memory, diagnostics);
  }
  if (isRight) {
    checkImages(probed, memory, diagnostics);
  }
  return probed;
}

bool canProbe(const ModuleInstance& source, const ModuleGraph& graph) {
  Diagnostics found;
  std::vector<std::string> alsoRead;
  probeFile(source, graph, found, alsoRead);
  return !found.hasErrors();
}

NodeGraph buildNodeGraph(ProbedGraph graph, Diagnostics& diagnostics) {
  const auto delivered = [types = std::move(graph.delivered)](const ModuleInstance& source,
                                                              const ModuleGraph&, Diagnostics&) {
    const auto found = types.find(source.name());
    return found == types.end() ? DeliveredTypes() : found->second;
  };
  return buildNodeGraph(static_cast<ModuleGraph&&>(std::move(graph)), delivered, diagnostics);
}

std::string print(const ProbedGraph& graph) {
  std::string out = print(static_cast<const FramedGraph&>(graph));
  for (const auto& [source, types] : graph.delivered) {
    for (const auto& [output, type] : types) {
      out += fmt::format("{} delivers {} {}\n", source, output, print(type));
    }
  }
  return out;
}

void awaitReadable(const FramedGraph& graph) {
  constexpr std::chrono::milliseconds interval{50};
  Awaited awaited;
  while (!graph.runnable.empty() && isAwaited(graph, graph.firstFrame, awaited) &&
         !isReadable(graph, graph.firstFrame)) {
    std::this_thread::sleep_for(interval);
  }
}

FramedGraph beginReadable(FramedGraph graph) {
  FrameSet differing = graph.runnable.first(1);  // other frames read the same files as an earlier one
  for (const ModuleInstance& module : graph.modules) {
    differing = differing.with(module.there);
  }
  for (const int frame : graph.runnable.within(differing)) {
    if (isReadable(graph, frame)) {
      graph.firstFrame = frame;
      break;
    }
  }
  return graph;
}

}  // namespace lacuna
