#include "tools/lacuna/graph_arguments.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace lacuna {
namespace {

// "name=value" at the first '='.
std::pair<std::string, std::string> split(const std::string& word) {
  const size_t at = word.find('=');
  return at == std::string::npos ? std::pair(word, std::string())
                                 : std::pair(word.substr(0, at), word.substr(at + 1));
}

}  // namespace

LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile) {
  LoadOptions options;
  options.modulePath = moduleSearchPath(arguments.modules);
  for (const std::string& word : arguments.parameters) {
    const auto [name, value] = split(word);
    options.overrides.push_back({name, value});
  }
  for (const std::string& word : arguments.outputs) {
    const auto [name, value] = split(word);
    // Relative to where the user stands, unlike file names inside the graph.
    options.overrides.push_back({name + ":filename", std::filesystem::absolute(value).string()});
  }
  LoadedGraph loaded = loadGraphFile(graphFile, options);
  fmt::print(stderr, "{}", loaded.diagnostics.render());
  return loaded;
}

std::optional<Schedule> scheduleFor(const GraphArguments& arguments, const DeviceModel& model,
                                    LoadedGraph loaded) {
  LayoutOptions options;
  options.device = model;
  for (const std::string& word : arguments.schedules) {
    const auto [name, value] = split(word);
    const bool one = word.find('=') != std::string::npos;
    options.schedules[one ? name : ""] = one ? value : name;
  }
  Schedule schedule = compile(std::move(loaded.graph), options, loaded.diagnostics);
  if (loaded.diagnostics.hasErrors()) {
    fmt::print(stderr, "{}", loaded.diagnostics.render());
    return std::nullopt;
  }
  return schedule;
}

}  // namespace lacuna
