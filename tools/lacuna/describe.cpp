#include <fmt/format.h>

#include <cstdio>

#include "lacuna/lacuna.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/command_words.h"
#include "tools/shell/messages.h"

namespace lacuna {

int runDescribe(const std::vector<std::string>& folders, const std::string& name, bool json) {
  warnOfModuleFolders();
  try {
    // Of an instance, as graphs name it: its module.
    const ModuleText said = describeModule(name.substr(0, name.find(':')), folders);
    fmt::print("{}", json ? said.json : inColumns(terminalText(said.text)));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exitUsage;
  }
  return exitOk;
}

}  // namespace lacuna
