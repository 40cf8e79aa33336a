#include "graph/run/tune/tuned.h"

#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"

namespace lacuna {

std::optional<Tuned> parseTuned(std::span<const std::byte> content) {
  const char* begin = reinterpret_cast<const char*>(content.data());
  try {
    const nlohmann::json json = readJson({begin, content.size()});
    Tuned tuned;
    tuned.date = json.at("date").get<std::string>();
    const auto& pixels = json.at("pixels");
    tuned.pixels = pixels.is_number_unsigned() ? pixels.get<uint64_t>() : 0;
    for (const auto& [schedule, ms] : json.at("ms").items())
      tuned.measured.push_back({schedule, ms.get<double>()});
    return tuned.measured.empty() || tuned.pixels == 0 ? std::nullopt : std::optional(tuned);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace lacuna
