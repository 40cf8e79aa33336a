#include <fmt/format.h>

#include <cstdio>

#include "lacuna/lacuna.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/check_environment.h"
#include "tools/shell/messages.h"

namespace lacuna {

int runDescribe(const std::vector<std::string>& modulePath, const std::string& name, bool json) {
  warnOfModuleFolders();
  try {
    const ModuleText said = describeModule(name, modulePath);
    fmt::print("{}", json ? said.json : terminalText(said.text));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exitUsage;
  }
  return exitOk;
}

}  // namespace lacuna
