#include "tools/lacuna/load/check_environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Why nothing can be written below a folder, which need not be there yet; "": it can.
std::string writeMistake(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = fs::absolute(folder, ignored);
  while (!fs::exists(there, ignored) && there.has_relative_path())
    there = there.parent_path();
  if (!fs::is_directory(there, ignored))
    return fmt::format("'{}' is not a folder", there.string());
  return access(there.c_str(), W_OK | X_OK) == 0
             ? ""
             : fmt::format("'{}': {}", there.string(), std::strerror(errno));
}

}  // namespace

void warnOfModuleFolders() {
  static bool isDone = false;
  if (std::exchange(isDone, true))
    return;
  std::istringstream listed(environment("LACUNA_MODULES"));
  for (std::string folder; std::getline(listed, folder, ':');) {
    std::error_code ignored;
    if (!folder.empty() && !fs::is_directory(folder, ignored))
      printWarning(fmt::format("LACUNA_MODULES: '{}' is not a folder; no modules are taken from it", folder));
  }
}

void warnOfCacheFolder() {
  static bool isDone = false;
  const std::string folder = environment("LACUNA_CACHE");
  if (std::exchange(isDone, true) || folder.empty())
    return;
  if (const std::string mistake = writeMistake(folder); !mistake.empty())
    printWarning(fmt::format("LACUNA_CACHE: '{}' can't be written: {}; compiled shaders are not kept", folder,
                             mistake));
}

}  // namespace lacuna
