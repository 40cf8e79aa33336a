// lacuna cache: kept files, and their size.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/shader/cache_file.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr std::pair<const char*, const char*> kinds[] = {
    {"spirv", "compiled shaders"},
    {"checked", "checked modules"},
    {"pipelines", "drivers' pipelines"},
    {"tuning", "measured schedules (`lacuna tune`)"},
};

std::string megabytes(uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

int runCache(const CacheArguments& arguments) {
  warnOfCacheFolder();
  const std::string folder = DeviceOptions::defaultCacheFolder();
  nlohmann::ordered_json out = {{"folder", folder}, {"mostBytes", cacheBound()}};
  std::string text =
      fmt::format("{}: at most {} (LACUNA_CACHE_SIZE); files unused for longest are removed first\n",
                  folder.empty() ? "no folder" : folder, megabytes(cacheBound()));
  for (const auto& [kind, words] : kinds) {
    const bool isMeasured = std::string_view(kind) == "tuning";  // costs the user's time, not a compiler's
    const bool isCleared = arguments.clear && !isMeasured;
    const CacheContent found = cacheContent(folder, kind);
    if (isCleared)
      emptyCache(folder, kind);
    out[kind] = {{"files", found.files}, {"bytes", found.bytes}, {"cleared", isCleared}};
    text += fmt::format("{:>6} files, {:>9}: {}{}\n", found.files, megabytes(found.bytes), words,
                        isCleared ? ", removed" : "");
  }
  fmt::print("{}", arguments.json ? jsonText(out, 2) + "\n" : text);
  return exitOk;
}

}  // namespace lacuna
