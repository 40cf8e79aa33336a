#include "tools/bench/device/kept_charts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "graph/shader/cache_file.h"

namespace lacuna {
namespace {

// Changes with what is measured, and how.
constexpr const char* chartsVersion = "device charts 1";
constexpr const char* chartsFolder = "device";

}  // namespace

KeptCharts::KeptCharts(std::string folder, const vk::DeviceInfo& device)
    : folder_(std::move(folder)),
      device_(fmt::format("{}\n{}\n{}\n", device.name, device.uuid, device.driver)) {}

std::string KeptCharts::keyOf(const std::string& name) const {
  return fmt::format("{}\n{}{}\n", chartsVersion, device_, name);
}

std::optional<DeviceChart> KeptCharts::read(const std::string& name) const {
  const auto content = CacheFile(folder_, chartsFolder, keyOf(name)).read();
  if (!content) {
    return std::nullopt;
  }
  const char* begin = reinterpret_cast<const char*>(content->data());
  try {
    return chartOf(nlohmann::ordered_json::parse(begin, begin + content->size()));
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void KeptCharts::write(const DeviceChart& chart) const {
  const std::string text = toJson(chart).dump();
  CacheFile(folder_, chartsFolder, keyOf(chart.name)).write(std::as_bytes(std::span(text)));
}

}  // namespace lacuna
