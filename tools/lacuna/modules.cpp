#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Modules = std::vector<std::shared_ptr<const ModuleDescription>>;

std::string asText(const Modules& modules) {
  size_t width = 0;
  for (const auto& module : modules)
    width = std::max(width, module->name.size());
  std::string out;
  for (const auto& module : modules)
    out += fmt::format("{:<{}}  {}\n", module->name, width, module->summary);
  return out;
}

std::string asJson(const Modules& modules) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& module : modules)
    list.push_back({{"name", module->name}, {"summary", module->summary}, {"folder", module->folder}});
  return jsonText(list, 2) + "\n";
}

}  // namespace

int runModules(const std::vector<std::string>& folders, bool json) {
  warnOfModuleFolders();
  Registry registry(moduleSearchPath(folders));
  Diagnostics diagnostics;
  Modules modules;
  for (const std::string& name : registry.names())
    if (auto module = registry.find(name, diagnostics))
      modules.push_back(std::move(module));
  if (registry.names().empty()) {
    printError(registry.emptyHint());
    return exitUsage;
  }
  fmt::print("{}", json ? asJson(modules) : terminalText(asText(modules)));
  fmt::print(stderr, "{}", diagnostics.render());
  return diagnostics.hasErrors() ? exitUsage : exitOk;
}

}  // namespace lacuna
