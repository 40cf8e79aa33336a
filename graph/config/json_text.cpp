#include "graph/config/json_text.h"

#include <nlohmann/json.hpp>

namespace lacuna {

nlohmann::json readJson(std::string_view text) {
  return readOrderedJson(text);
}

nlohmann::ordered_json readOrderedJson(std::string_view text, int deepest) {
  nlohmann::ordered_json::parser_callback_t keeps = nullptr;
  if (deepest >= 0)
    keeps = [deepest](int depth, auto, const auto&) { return depth <= deepest; };
  return nlohmann::ordered_json::parse(text.begin(), text.end(), keeps);
}

std::string jsonText(const nlohmann::json& json, int indent) {
  return jsonText(nlohmann::ordered_json(json), indent);
}

std::string jsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace lacuna
