#include "graph/run/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

const ParameterValue* findValue(const ModuleInstance& module, const std::string& name) {
  return module.description->parameter(name) == nullptr ? nullptr : &module.parameter(name).values.front();
}

std::string pattern(const ModuleInstance& module) {
  const ParameterValue* value = findValue(module, "filename");
  return value == nullptr ? std::string() : std::get<std::string>(*value);
}

Location filenameLocation(const ModuleInstance& module) {
  const Location where = module.parameter("filename").where;
  return where.file < 0 ? module.where : where;
}

const NodeDescription* fileNode(const ModuleInstance& module) {
  for (const NodeDescription& node : module.description->nodes) {
    if (!node.codec.empty()) {
      return &node;
    }
  }
  return nullptr;
}

// Names of the planes of a source that something connected needs: its file node's outputs that are connectors
// connected downstream, or that feed other nodes of the module.
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

}  // namespace

std::string fileOf(const ModuleInstance& module, const std::string& folder, int frame) {
  const ParameterValue* first = findValue(module, "first");
  const auto offset = first == nullptr ? 0 : static_cast<int>(std::get<int64_t>(*first));
  const fs::path path = framePath(pattern(module), frame + offset);
  return path.is_absolute() || folder.empty() ? path.string()
                                              : (fs::path(folder) / path).lexically_normal().string();
}

bool readsFile(const ModuleInstance& source) {
  return fileNode(source) != nullptr;
}

std::map<std::string, ValueType> probeSource(const ModuleInstance& source, const ModuleGraph& graph,
                                             Diagnostics& diagnostics) {
  const NodeDescription* node = fileNode(source);
  if (pattern(source).empty()) {
    diagnostics.error(source.where, fmt::format("{} has no filename", source.name()),
                      fmt::format("param:{}:filename:\"...\"", source.name()));
    return {};
  }
  try {
    return probeImage(node->codec, fileOf(source, graph.folder, 0), wantedPlanes(source, *node));
  } catch (const FileError& error) {
    diagnostics.error(filenameLocation(source), error.what());
    return {};
  }
}

void checkSinks(const ModuleGraph& graph, Diagnostics& diagnostics) {
  std::map<std::string, std::string> writers;
  for (const ModuleInstance& module : graph.modules) {
    if (!module.description->isSink() || fileNode(module) == nullptr) {
      continue;
    }
    if (pattern(module).empty()) {
      diagnostics.error(module.where, fmt::format("{} has no filename", module.name()),
                        fmt::format("param:{}:filename:\"...\"", module.name()));
      continue;
    }
    try {
      if (graph.frames > 1 && !namesFrames(pattern(module))) {
        diagnostics.error(
            filenameLocation(module),
            fmt::format("{} would write all {} frames to one file", module.name(), graph.frames),
            "put %04d into the name");
      }
      const std::string path = fileOf(module, graph.folder, 0);
      if (const auto reason = unwritable(path)) {
        diagnostics.error(filenameLocation(module), *reason);
      }
      const auto [other, fresh] = writers.emplace(path, module.name());
      if (!fresh) {
        diagnostics.error(filenameLocation(module), fmt::format("{} and {} write the same file {}",
                                                                other->second, module.name(), path));
      }
    } catch (const FileError& error) {
      diagnostics.error(filenameLocation(module), error.what());
    }
  }
}

void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes) {
  const ModuleInstance& module = graph.modules.modules[static_cast<size_t>(source.module)];
  std::vector<PlaneTarget> targets;
  for (const FilePlane& plane : planes) {
    targets.push_back({plane.name, plane.type, plane.pixels});
  }
  readImage(source.description->codec, fileOf(module, graph.modules.folder, frame), targets);
}

void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes) {
  const ModuleInstance& module = graph.modules.modules[static_cast<size_t>(sink.module)];
  std::vector<NamedImage> images;
  for (const FilePlane& plane : planes) {
    images.push_back({plane.name, plane.type, plane.pixels});
  }
  WriteOptions options;
  if (const ParameterValue* quality = findValue(module, "quality")) {
    options.quality = static_cast<int>(std::get<int64_t>(*quality));
  }
  if (const ParameterValue* encoding = findValue(module, "encoding")) {
    options.linear = std::get<std::string>(*encoding) == "linear";
  }
  writeImage(sink.description->codec, fileOf(module, graph.modules.folder, frame), images, options);
}

}  // namespace lacuna
