#pragma once
// JSON from text and to text. Compilers take seconds for either, so the library's own functions are called
// here alone.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace lacuna {

// Throw nlohmann::json::exception for text that isn't JSON. The first sorts keys; the second keeps their
// order. What lies below `deepest` levels is left out, unless that is negative: to copy what is very deep
// overflows the stack.
nlohmann::json readJson(std::string_view text);
nlohmann::ordered_json readOrderedJson(std::string_view text, int deepest = -1);

// In one line, or with so many spaces a level. Names of files need not be UTF-8: other bytes are replaced.
std::string jsonText(const nlohmann::json& json, int indent = -1);
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace lacuna
