#include "graph/nodes/module_file.h"

#include <filesystem>

#include "graph/files/standard_streams.h"

namespace lacuna {

namespace fs = std::filesystem;

std::string filePattern(const ModuleInstance& module) {
  if (module.description->parameter("filename") == nullptr)
    return {};
  const auto* text = std::get_if<std::string>(&module.parameter("filename").values.front());
  if (text == nullptr)
    return {};
  return module.description->isSink() ? standardOutputName(*text) : standardInputName(*text);
}

Location filenameLocation(const ModuleInstance& module) {
  const Location where = module.parameter("filename").where;
  return where.file < 0 ? module.where : where;
}

std::string fileFolder(const ModuleInstance& module, const std::string& graphFolder) {
  const bool startsHere = module.description->isSink() || module.parameter("filename").fromOption ||
                          fs::path(filePattern(module)).is_absolute();
  return startsHere ? std::string() : graphFolder;
}

std::string fileOf(const ModuleInstance& module, const std::string& graphFolder, int frame) {
  if (!module.frameFiles.empty())
    return module.frameFiles.at(static_cast<size_t>(frame));
  std::string pattern = filePattern(module);
  if (pattern.empty() || pattern == standardStream)
    return pattern;
  return fileBelow(fileFolder(module, graphFolder), framePath(pattern, frame + module.firstNumber));
}

std::vector<std::string> namedFiles(const ModuleInstance& module, const std::string& graphFolder) {
  std::vector<std::string> files;
  for (const Parameter& parameter : module.parameters) {
    const auto* name = std::get_if<std::string>(&parameter.values.front());
    if (parameter.description->isFile && name != nullptr && !name->empty())
      files.push_back(fileBelow(parameter.fromOption ? std::string() : graphFolder, *name));
  }
  return files;
}

std::vector<std::string> filesBeside(const ModuleInstance& module, const std::string& graphFolder) {
  std::vector<std::string> files = namedFiles(module, graphFolder);
  files.insert(files.end(), module.alsoRead.begin(), module.alsoRead.end());
  return files;
}

bool hasFrameFiles(const ModuleInstance& module) {
  return !module.frameFiles.empty() || namesFrames(filePattern(module));
}

FrameSet framesThere(const ModuleInstance& module, const std::string& graphFolder) {
  if (!module.frameFiles.empty()) {
    FrameSet frames;
    for (size_t frame = 0; frame < module.frameFiles.size(); ++frame) {
      std::error_code ignored;
      if (fs::exists(module.frameFiles[frame], ignored))
        frames.add(static_cast<int>(frame));
    }
    return frames;
  }
  const NumberedFiles files = numberedFiles(fileFolder(module, graphFolder), filePattern(module));
  return files.numbers.without(files.broken).shifted(-module.firstNumber);
}

namespace {

const ModuleConnection* connectionAt(const ModuleInstance& module, const std::string& connector) {
  const auto found = module.inputs.find(connector);
  return found == module.inputs.end() || found->second.feedback ? nullptr : &found->second;
}

const ModuleConnection* mainConnection(const ModuleInstance& module) {
  if (const ModuleConnection* input = connectionAt(module, "input"))
    return input;
  for (const ConnectorDescription& connector : module.description->connectors)
    if (const ModuleConnection* first = connectionAt(module, connector.name))
      return first;
  return nullptr;
}

}  // namespace

std::optional<SinkOrigin> originOf(const ModuleGraph& graph, const ModuleInstance& module) {
  const ModuleInstance* at = &module;
  // Graphs with a cycle are wrong, but may get here, so the steps are counted.
  for (size_t step = 0; step < graph.modules.size(); ++step) {
    const ModuleConnection* connection = mainConnection(*at);
    if (connection == nullptr)
      break;
    at = &graph.modules[connection->producer];
    if (at->description->isSource())
      return filePattern(*at).empty() ? std::nullopt : std::optional(SinkOrigin{at, connection->connector});
  }
  return std::nullopt;
}

}  // namespace lacuna
