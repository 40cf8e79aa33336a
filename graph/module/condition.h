#pragma once
// A node's `when`: "p", "!p", "p == value" or "p != value" over a structural parameter.

#include <optional>
#include <string>
#include <string_view>

#include "graph/module/description.h"

namespace lacuna {

struct Condition {
  std::string parameter;
  bool negated = false;              // "!p" and "p != value"
  std::optional<std::string> value;  // what it is compared with; none: true, not zero, not empty
};

std::optional<Condition> parseCondition(std::string_view text);  // nullopt: not in this form

bool holds(const Condition& condition, const ParameterValue& value);

}  // namespace lacuna
