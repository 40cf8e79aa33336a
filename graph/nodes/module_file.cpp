#include "graph/nodes/module_file.h"

#include <filesystem>

#include "graph/files/standard_streams.h"

namespace lacuna {
namespace fs = std::filesystem;

std::string filePattern(const ModuleInstance& module) {
  if (module.description->parameter("filename") == nullptr) {
    return {};
  }
  const auto* text = std::get_if<std::string>(&module.parameter("filename").values.front());
  if (text == nullptr) {
    return {};
  }
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
  std::string pattern = filePattern(module);
  if (pattern.empty() || pattern == standardStream) {
    return pattern;
  }
  return fileBelow(fileFolder(module, graphFolder), framePath(pattern, frame + module.firstNumber));
}

std::vector<std::string> filesBeside(const ModuleInstance& module, const std::string& graphFolder) {
  std::vector<std::string> files = module.alsoRead;
  for (const Parameter& parameter : module.parameters) {
    const auto* name = std::get_if<std::string>(&parameter.values.front());
    if (parameter.description->isFile && name != nullptr && !name->empty()) {
      files.push_back(fileBelow(parameter.fromOption ? std::string() : graphFolder, *name));
    }
  }
  return files;
}

FrameSet framesThere(const ModuleInstance& module, const std::string& graphFolder) {
  const NumberedFiles files = numberedFiles(fileFolder(module, graphFolder), filePattern(module));
  return files.numbers.without(files.broken).shifted(-module.firstNumber);
}

}  // namespace lacuna
