#include "graph/compile/module_file.h"

#include <filesystem>

#include "graph/files/standard_streams.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

template <typename T>
const T* firstValue(const ModuleInstance& module, const std::string& parameter) {
  return module.description->parameter(parameter) == nullptr
             ? nullptr
             : std::get_if<T>(&module.parameter(parameter).values.front());
}

}  // namespace

std::string filePattern(const ModuleInstance& module) {
  const auto* text = firstValue<std::string>(module, "filename");
  return text == nullptr ? std::string() : *text;
}

std::string fileOf(const ModuleInstance& module, const std::string& graphFolder, int frame) {
  const std::string pattern = filePattern(module);
  if (pattern.empty() || pattern == standardStream) {
    return pattern;
  }
  const auto* first = firstValue<int64_t>(module, "first");
  const fs::path path = framePath(pattern, frame + (first == nullptr ? 0 : static_cast<int>(*first)));
  return path.is_absolute() || graphFolder.empty()
             ? path.string()
             : (fs::path(graphFolder) / path).lexically_normal().string();
}

}  // namespace lacuna
