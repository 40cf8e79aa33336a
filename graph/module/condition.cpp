#include "graph/module/condition.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"

namespace lacuna {
namespace {

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  const size_t last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

bool isTrue(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return *number != 0;
  }
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return *integer != 0;
  }
  if (const auto* boolean = std::get_if<bool>(&value)) {
    return *boolean;
  }
  return !std::get<std::string>(value).empty();
}

bool equals(const ParameterValue& value, const std::string& word) {
  if (const auto* number = std::get_if<double>(&value)) {
    return parseNumber(word) == *number;
  }
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return parseNumber(word) == static_cast<double>(*integer);
  }
  if (const auto* boolean = std::get_if<bool>(&value)) {
    return word == (*boolean ? "true" : "false");
  }
  return std::get<std::string>(value) == word;
}

std::optional<Condition> parseCondition(std::string_view text) {
  text = trim(text);
  Condition condition;
  condition.text = text;
  size_t at = text.find("==");
  if (at == std::string_view::npos) {
    at = text.find("!=");
    condition.negated = at != std::string_view::npos;
  }
  if (at != std::string_view::npos) {
    condition.value = trim(text.substr(at + 2));
    text = trim(text.substr(0, at));
  } else if (!text.empty() && text[0] == '!') {
    condition.negated = true;
    text = trim(text.substr(1));
  }
  if (!isName(text)) {
    return std::nullopt;
  }
  condition.parameter = text;
  return condition;
}

}  // namespace

std::optional<When> parseWhen(std::string_view text) {
  When when;
  when.any = text.find(" or ") != std::string_view::npos;
  const std::string_view joint = when.any ? " or " : " and ";
  while (true) {
    const size_t end = text.find(joint);
    const auto condition = parseCondition(text.substr(0, end));
    if (!condition) {
      return std::nullopt;
    }
    when.conditions.push_back(*condition);
    if (end == std::string_view::npos) {
      return when;
    }
    text.remove_prefix(end + joint.size());
  }
}

bool holds(const Condition& condition, const ParameterValue& value) {
  const bool matches = condition.value ? equals(value, *condition.value) : isTrue(value);
  return matches != condition.negated;
}

std::optional<std::string> remaining(const std::string& when, const KnownValue& known) {
  const std::optional<When> parsed = parseWhen(when);
  if (!parsed) {
    return when;
  }
  std::string left;
  for (const Condition& condition : parsed->conditions) {
    const ParameterValue* value = known(condition.parameter);
    if (value == nullptr) {
      left += fmt::format("{}{}", left.empty() ? "" : parsed->any ? " or " : " and ", condition.text);
    } else if (holds(condition, *value) == parsed->any) {
      return parsed->any ? std::optional(std::string()) : std::nullopt;
    }
  }
  return left.empty() && parsed->any ? std::nullopt : std::optional(left);
}

bool holds(const std::string& when, const ValueOfParameter& value) {
  if (when.empty()) {
    return true;
  }
  const std::optional<When> parsed = parseWhen(when);
  if (!parsed) {
    return false;
  }
  const auto isTrue = [&](const Condition& condition) {
    return holds(condition, value(condition.parameter));
  };
  const std::vector<Condition>& all = parsed->conditions;
  return parsed->any ? std::ranges::any_of(all, isTrue) : std::ranges::all_of(all, isTrue);
}

}  // namespace lacuna
