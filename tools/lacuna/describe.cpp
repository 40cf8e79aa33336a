#include <fmt/format.h>

#include <cstdio>

#include "graph/module/registry.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

int runDescribe(const std::vector<std::string>& modulePath, const std::string& name, bool json) {
  Registry registry(moduleSearchPath(modulePath));
  Diagnostics diagnostics;
  const auto module = registry.find(name, diagnostics);
  if (module == nullptr) {
    if (!diagnostics.hasErrors()) {
      const std::string near = didYouMean(name, registry.names());
      diagnostics.error({}, fmt::format("unknown module '{}'", name),
                        near.empty() ? "`lacuna modules` lists what there is" : near);
    }
    fmt::print(stderr, "{}", diagnostics.render());
    return exitUsage;
  }
  fmt::print("{}", json ? printJson(*module) : print(*module));
  return exitOk;
}

}  // namespace lacuna
