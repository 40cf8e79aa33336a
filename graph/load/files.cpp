#include "graph/load/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "graph/config/text.h"
#include "graph/files/output_file.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "graph/nodes/build_native.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Also if its nodes depend on parameters that are not settled because a source has an error.
bool isFileSink(const ModuleInstance& module) {
  return std::ranges::any_of(module.description->nodes, [](const NodeDescription& node) {
    return node.kind == NodeKind::sink && !node.memory;
  });
}

NativePlanes nativePlanes(const std::vector<FilePlane>& planes) {
  NativePlanes list;
  for (const FilePlane& plane : planes)
    list.add(plane.name, toAbi(plane.type), plane.pixels);
  return list;
}

// The line or option that set the wrong parameter; for a default the module's line, and the message says
// so.
void blame(const ModuleInstance& module, const ModuleGraph& graph, const NativeReport& error,
           Diagnostics& diagnostics) {
  Location where = module.where;
  std::string message = error.text;
  bool isOption = false;
  if (module.description->parameter(error.parameter) != nullptr) {
    const Parameter& parameter = module.parameter(error.parameter);
    isOption = parameter.fromOption;
    if (parameter.where.file >= 0)
      where = parameter.where;
    else
      message += fmt::format("\n  {}: its default; no line sets it", error.parameter);
  }
  if (where.file >= 0 && static_cast<size_t>(where.file) < graph.files.size()) {
    const std::string& name = graph.files[static_cast<size_t>(where.file)];
    where.file = isOption ? diagnostics.addOption(name) : diagnostics.addFile(name, readTextFile(name).text);
  } else {
    where.file = -1;
  }
  diagnostics.error(where, message);
}

template <class Error>
void finish(const NativeCall& call, bool done, const ModuleInstance& module, const ModuleGraph& graph,
            const Warn& warn) {
  for (const NativeReport& warning : call.warnings())
    warn(warning.isNote ? Severity::note : Severity::warning, warning.text);
  if (done)
    return;
  Diagnostics diagnostics;
  for (const NativeReport& error : call.errors())
    blame(module, graph, error, diagnostics);
  throw Error(call.errorText(), std::move(diagnostics));
}

// Why a sink can't write the files of these frames.
std::optional<std::string> unplaceableIn(const ModuleInstance& sink, const std::string& graphFolder,
                                         const FrameSet& frames) {
  if (sink.frameFiles.empty())  // all are in one folder
    return unplaceable(fileOf(sink, graphFolder, frames.empty() ? 0 : frames.front()));
  if (!frames.empty() && static_cast<size_t>(frames.back()) >= sink.frameFiles.size()) {
    return fmt::format("{} has {} files, from frame 0 on, and none for frame {}", sink.name(),
                       sink.frameFiles.size(), frames.back());
  }
  for (const int frame : frames)
    if (auto reason = unplaceable(fileOf(sink, graphFolder, frame)))
      return reason;
  return std::nullopt;
}

}  // namespace

bool hasFileName(const ModuleInstance& module, Diagnostics& diagnostics) {
  if (module.description->parameter("filename") == nullptr || !filePattern(module).empty())
    return true;
  const Parameter& name = module.parameter("filename");
  if (!name.isWrong) {
    diagnostics.error(filenameLocation(module), fmt::format("{} has no filename", module.name()),
                      name.fromOption ? "the name of a file must follow"
                                      : fmt::format("param:{}:filename:\"...\"", module.name()));
  }
  return false;
}

void checkSinks(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics) {
  for (const ModuleInstance& module : graph.modules) {
    if (!isFileSink(module) || !hasFileName(module, diagnostics) || filePattern(module).empty())
      continue;
    try {
      const bool isStream = filePattern(module) == standardStream;
      if (frames.size() > 1 && !hasFrameFiles(module)) {
        diagnostics.error(filenameLocation(module),
                          fmt::format("{} would write all {} frames to {}", module.name(), frames.size(),
                                      isStream ? "standard output" : "one file"),
                          isStream ? "--frames chooses one"
                                   : "put %04d or #### into the name; write:last writes only the last frame");
      }
      if (const auto reason = isStream ? closedStandardOutput() : unplaceableIn(module, graph.folder, frames))
        diagnostics.error(filenameLocation(module), *reason);
      else if (const auto unseen = unlisted(fileFolder(module, graph.folder), filePattern(module)))
        diagnostics.error(filenameLocation(module), *unseen, "existing files must not be inputs of the run");
    } catch (const FileError& error) {
      diagnostics.error(filenameLocation(module), error.what());
    }
  }
}

void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes,
               const Warn& warn, HeldFiles& held, const PassRows& rows) {
  const ModuleInstance& module = graph.modules.modules[source.module];
  const NativeCode& code = *module.native;
  const NativePlanes given = nativePlanes(planes);
  NativeCall call(callContext(graph.modules, module, frame, &held), rows);
  const bool done = call.run(code.file(), "read", code.table().read, given.list(), given.count());
  finish<InputError>(call, done, module, graph.modules, warn);
}

void checkOrigins(const NodeGraph& graph, int frame, HeldFiles& held) {
  const ModuleGraph& modules = graph.modules;
  for (const NodeByOrigin& node : graph.byOrigin) {
    const ModuleInstance& module = modules.modules[node.module];
    const auto origin = frame == modules.firstFrame ? std::nullopt : originOf(modules, module);
    Diagnostics diagnostics;
    if (!origin || madeFor(modules, node, frame, held, diagnostics) == node.made)
      continue;
    const std::string text = fmt::format(
        "{}: {} would do something else for it than for {}; frames of one run must agree in that: set its "
        "parameters, or run the files one by one",
        fileOf(*origin->source, modules.folder, frame), module.name(),
        fileOf(*origin->source, modules.folder, modules.firstFrame));
    blame(module, modules, {text, {}}, diagnostics);
    throw InputError(text, std::move(diagnostics));
  }
}

void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes,
                const Warn& warn, HeldFiles& held, const PassRows& rows) {
  const ModuleInstance& module = graph.modules.modules[sink.module];
  const NativeCode& code = *module.native;
  const NativePlanes given = nativePlanes(planes);
  const std::string path = fileOf(module, graph.modules.folder, frame);
  const bool keeps = graph.modules.keepsOutputs;
  const auto sayKept = [&] { warn(Severity::warning, fmt::format("{} already exists, and is kept", path)); };
  if (keeps && path != standardStream && fs::exists(path))
    return sayKept();
  std::optional<PartFile> part;
  std::optional<StandardOutputFile> stream;
  if (path == standardStream)
    stream.emplace();
  else if (!path.empty())
    part.emplace(path);
  NativeCall call(callContext(graph.modules, module, frame, &held), rows);
  const std::string target = part ? part->name() : stream ? stream->name() : std::string();
  const bool done = call.run(code.file(), "write", code.table().write, given.list(), given.count(),
                             target.empty() ? nullptr : target.c_str());
  finish<NativeFileError>(call, done, module, graph.modules, warn);
  if (part && !part->place(keeps ? PartFile::Older::kept : PartFile::Older::replaced))
    sayKept();  // another process has written it meanwhile
  if (stream)
    stream->send();
}

void computeNode(const NodeGraph& graph, const Node& host, int frame, const HostValues& values,
                 const Warn& warn) {
  const ModuleInstance& module = graph.modules.modules[host.module];
  const NativeCode& code = *module.native;
  const NativePlanes inputs = nativePlanes(values.inputs), outputs = nativePlanes(values.outputs);
  CallContext context = callContext(graph.modules, module, frame);
  context.node = host.description->name;
  context.first = values.first;
  context.whole = values.whole;
  NativeCall call(std::move(context));
  const bool done = call.run(code.file(), "compute", code.table().compute, inputs.list(), inputs.count(),
                             outputs.list(), outputs.count());
  finish<NativeFileError>(call, done, module, graph.modules, warn);
  for (size_t i = 0; i < values.outputs.size(); ++i) {
    const FilePlane& output = values.outputs[i];
    const std::optional<ValueType> told = fromAbi(*outputs[i].type);
    if (told != output.type) {
      throw FileError(fmt::format(
          "{}: compute() of {} states {} for '{}', but the node declares {}", host.name, code.file(),
          told ? print(*told) : describeWrong(*outputs[i].type), output.name, print(output.type)));
    }
  }
}

bool passesRows(const NodeGraph& graph, const Node& node) {
  if (node.description->memory || (node.kind != NodeKind::source && node.kind != NodeKind::sink))
    return false;
  const auto isArray = [&](const NamedValue& end) {
    return end.value && graph.values[end.value].type.isArray();
  };
  if (std::ranges::any_of(node.inputs, isArray) || std::ranges::any_of(node.outputs, isArray))
    return false;
  const lacuna_module& table = graph.modules.modules[node.module].native->table();
  return node.kind == NodeKind::source || table.writes_rows != 0;
}

}  // namespace lacuna
