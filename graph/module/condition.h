#pragma once
// A node's `when`: "p", "!p", "p == value" or "p != value" over a structural parameter, several of them
// joined by `and`, or by `or`.

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lacuna {

using ParameterValue = std::variant<double, int64_t, bool, std::string>;  // choice: the word

struct Condition {
  std::string parameter;
  bool negated = false;  // "!p" and "p != value"
  // The value for comparison; if none, the condition is: true, not zero, or not empty.
  std::optional<std::string> value;
  std::string text;

  bool holds(const ParameterValue& of) const;
};

// Parsed once, when it is read. An empty one always holds.
struct When {
  std::string text;
  std::vector<Condition> conditions;
  bool any = false;      // one is enough; else all must hold
  bool isWrong = false;  // the text has another form; it never holds

  When() = default;
  template <std::convertible_to<std::string_view> T>
  When(const T& given) : text(given) {
    parse();
  }
  bool empty() const { return text.empty(); }
  template <typename ValueOf>  // const ParameterValue&(const std::string& parameter)
  bool holds(const ValueOf& valueOf) const {
    const auto holdsNow = [&](const Condition& each) { return each.holds(valueOf(each.parameter)); };
    return !isWrong && (empty() || (any ? std::any_of(conditions.begin(), conditions.end(), holdsNow)
                                        : std::all_of(conditions.begin(), conditions.end(), holdsNow)));
  }

 private:
  void parse();
};

// The rest if some parameters are known; nullopt if it can't hold.
using KnownValue = std::function<const ParameterValue*(const std::string& name)>;  // null: not known
std::optional<When> remaining(const When& when, const KnownValue& known);

}  // namespace lacuna
