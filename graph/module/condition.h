#pragma once
// A node's `when`: "p", "!p", "p == value" or "p != value" over a structural parameter, several of them
// joined by `and`, or by `or`.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/module/description.h"

namespace lacuna {

struct Condition {
  std::string parameter;
  bool negated = false;  // "!p" and "p != value"
  // The value for comparison; if none, the condition is: true, not zero, or not empty.
  std::optional<std::string> value;
  std::string text = {};
};

struct When {
  std::vector<Condition> conditions;  // at least one
  bool any = false;                   // one is enough; else all must hold
};

std::optional<When> parseWhen(std::string_view text);  // nullopt: another form

bool holds(const Condition& condition, const ParameterValue& value);

// The rest of a `when` if some parameters are known; nullopt if it can't hold.
using KnownValue = std::function<const ParameterValue*(const std::string& name)>;  // null: not known
std::optional<std::string> remaining(const std::string& when, const KnownValue& known);

// The value of a whole `when` that was checked before; an empty one is true.
using ValueOfParameter = std::function<const ParameterValue&(const std::string& name)>;
bool holds(const std::string& when, const ValueOfParameter& value);

}  // namespace lacuna
