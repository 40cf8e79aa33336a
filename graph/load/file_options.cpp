#include "graph/load/file_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lacuna {
namespace {

bool takesFile(const ModuleDescription& module, bool isOutput) {
  const bool hasName = std::any_of(module.parameters.begin(), module.parameters.end(),
                                   [](const ParameterDescription& p) { return p.name == "filename"; });
  return hasName && (isOutput ? module.isSink() : module.isSource());
}

// "i-png:01" of all modules that read, or write, files. Those without a description are reported elsewhere.
std::vector<std::string> candidates(const Config& config, Registry& registry, bool isOutput) {
  std::vector<std::string> names;
  for (const ModuleLine& line : config.modules) {
    Diagnostics ignored;
    const auto module = registry.find(line.owner.module.text, ignored);
    if (module != nullptr && takesFile(*module, isOutput))
      names.push_back(line.owner.name());
  }
  return names;
}

}  // namespace

std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const FileOption& file : files) {
    const char* kind = file.isOutput ? "sink" : "source";
    const std::vector<std::string> names = candidates(config, registry, file.isOutput);
    const std::string option = fmt::format("{} {}", file.isOutput ? "-o" : "-i", file.name);
    if (names.size() == 1)
      overrides.push_back({names.front() + ":filename", file.name, option, true});
    else if (names.empty())
      diagnostics.error({}, fmt::format("{}: the graph has no {} for a file", option, kind));
    else
      diagnostics.error(
          {}, fmt::format("{}: the graph has {} {}s, {}", option, names.size(), kind, fmt::join(names, ", ")),
          fmt::format("{} {}={} is for the first", file.isOutput ? "-o" : "-i", names.front(), file.name));
  }
  return overrides;
}

}  // namespace lacuna
