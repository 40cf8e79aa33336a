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
  if (const auto* number = std::get_if<double>(&value))
    return *number != 0;
  if (const auto* integer = std::get_if<int64_t>(&value))
    return *integer != 0;
  if (const auto* boolean = std::get_if<bool>(&value))
    return *boolean;
  return !std::get<std::string>(value).empty();
}

bool equals(const ParameterValue& value, const std::string& word) {
  if (const auto* number = std::get_if<double>(&value))
    return parseNumber(word) == *number;
  if (const auto* integer = std::get_if<int64_t>(&value))
    return parseNumber(word) == static_cast<double>(*integer);
  if (const auto* boolean = std::get_if<bool>(&value))
    return word == (*boolean ? "true" : "false");
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
  if (!isName(text))
    return std::nullopt;
  condition.parameter = text;
  return condition;
}

}  // namespace

void When::parse() {
  any = text.find(" or ") != std::string::npos;
  const std::string_view joint = any ? " or " : " and ";
  size_t end = 0;
  for (std::string_view left = text; !text.empty() && end != std::string_view::npos && !isWrong;
       left.remove_prefix(std::min(left.size(), end + joint.size()))) {
    end = left.find(joint);
    const auto condition = parseCondition(left.substr(0, end));
    isWrong = !condition;
    conditions.push_back(condition.value_or(Condition()));
  }
}

bool Condition::holds(const ParameterValue& of) const {
  return (value ? equals(of, *value) : isTrue(of)) != negated;
}

std::optional<When> remaining(const When& when, const KnownValue& known) {
  std::string left;
  for (const Condition& condition : when.conditions) {
    const ParameterValue* value = known(condition.parameter);
    if (value == nullptr)
      left += fmt::format("{}{}", left.empty() ? "" : when.any ? " or " : " and ", condition.text);
    else if (condition.holds(*value) == when.any)
      return when.any ? std::optional(When()) : std::nullopt;
  }
  return left.empty() && when.any ? std::nullopt : std::optional(When(left));
}

}  // namespace lacuna
