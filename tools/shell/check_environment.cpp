
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include "graph/config/byte_size.h"
#include "graph/files/output_file.h"
#include "lacuna/lacuna.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string mistakeInModules(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fmt::format("'{}' is not a folder", folder);
  return fs::exists(fs::path(folder) / "module.toml", ignored)
             ? fmt::format("'{}' is a module; expected the folder that it lies in", folder)
             : "";
}

void warnOfModuleFolders() {
  static bool isDone = false;
  if (std::exchange(isDone, true))
    return;
  std::istringstream listed(environment("LACUNA_MODULES"));
  for (std::string folder; std::getline(listed, folder, ':');) {
    std::error_code ignored;
    const std::string mistake = folder.empty() ? "" : mistakeInModules(folder);
    if (!mistake.empty())
      printWarning(fmt::format("LACUNA_MODULES: {}{}", mistake,
                               fs::is_directory(folder, ignored) ? "" : "; it is ignored"));
  }
}

void warnOfCacheFolder() {
  static bool isDone = false;
  const std::string folder = DeviceOptions::defaultCacheFolder();
  if (std::exchange(isDone, true) || folder.empty())
    return;
  const std::string size = environment("LACUNA_CACHE_SIZE");
  if (!size.empty() && !parseBytes(size))
    printWarning(
        fmt::format("LACUNA_CACHE_SIZE: '{}' is not a size, such as 500MB or 2GiB; using 2 GiB", size));
  if (const auto reason = unusableFolder(folder))
    printWarning(
        fmt::format("{}'{}' can't be written: {}; compiled shaders are not kept{}",
                    environment("LACUNA_CACHE").empty() ? "" : "LACUNA_CACHE: ", folder, *reason,
                    environment("LACUNA_CACHE").empty() ? ", LACUNA_CACHE names another folder" : ""));
}

void warnOfAddressSpace() {
  constexpr rlim_t enough = rlim_t{1} << 30U;
  static bool isDone = false;
  rlimit limit{};
  if (std::exchange(isDone, true) || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= enough)
    return;
  printWarning(
      fmt::format("the address space is limited to {} MiB (ulimit -v); Vulkan drivers need about {} MiB, "
                  "and may crash when they get less",
                  limit.rlim_cur >> 20U, enough >> 20U));
}

}  // namespace lacuna
