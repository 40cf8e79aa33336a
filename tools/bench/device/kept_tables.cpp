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
  if (!content)
    return std::nullopt;
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

DeviceCeilings ceilingsOf(const std::function<std::optional<ResultTable>(const std::string& name)>& table) {
  const auto figure = [&](const char* name, const char* figureName) {
    const auto found = table(name);
    return found ? found->figure(figureName) : 0.0;
  };
  return {figure("copy", "copy"), figure("arithmetic", "all of them"),
          figure("tensor", "f32 sums, all of them"), figure("tensor", "f16 sums, all of them")};
}

DeviceCeilings keptCeilings(const DeviceDescription& device) {
  return ceilingsOf([&](const std::string& name) { return KeptTables(device).read(name); });
}

Json toJson(const DeviceCeilings& ceilings) {
  return {{"copyBytesPerSecond", ceilings.copyBytesPerSecond},
          {"f32PerSecond", ceilings.f32PerSecond},
          {"tensorF32PerSecond", ceilings.tensorF32PerSecond},
          {"tensorF16PerSecond", ceilings.tensorF16PerSecond}};
}

}  // namespace lacuna
