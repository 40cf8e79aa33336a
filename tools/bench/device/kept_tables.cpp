#include "tools/bench/device/kept_tables.h"

#include <fmt/format.h>

#include <span>

#include "graph/config/json_text.h"
#include "graph/shader/cache_file.h"
#include "lacuna/lacuna.h"

namespace lacuna {
namespace {

// Changes with what is measured, and how.
constexpr const char* tablesVersion = "device charts 2";
constexpr const char* tablesFolder = "device";

}  // namespace

KeptTables::KeptTables(const DeviceDescription& device)
    : device_(fmt::format("{}\n{}\n{}\n", device.name, device.uuid, device.driver)) {}

std::string KeptTables::keyOf(const std::string& name) const {
  return fmt::format("{}\n{}{}\n", tablesVersion, device_, name);
}

std::optional<ResultTable> KeptTables::read(const std::string& name) const {
  const auto content = CacheFile(DeviceOptions::defaultCacheFolder(), tablesFolder, keyOf(name)).read();
  if (!content) {
    return std::nullopt;
  }
  const char* begin = reinterpret_cast<const char*>(content->data());
  try {
    return tableOf(readOrderedJson({begin, content->size()}));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void KeptTables::write(const ResultTable& table) const {
  const std::string text = jsonText(toJson(table));
  CacheFile(DeviceOptions::defaultCacheFolder(), tablesFolder, keyOf(table.name))
      .write(std::as_bytes(std::span(text)));
}

}  // namespace lacuna
