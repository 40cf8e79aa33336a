#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

// Visits all tables of a module (keys.h).
class ParameterUses : TableChecker {
 public:
  using TableChecker::TableChecker;

  template <typename T, typename... Words>
  void operator()(const Key& key, const T& value, const Words&... words) {
    check(key, value, words...);
  }

 private:
  template <typename T, typename... Words>
  void check(const Key&, const T&, const Words&...) {}  // names no parameter

  template <HasKeys T>
  void check(const Key& key, const T& table) {
    visit(key.name, table);
  }
  template <HasKeys T>
  void check(const Key& key, const std::vector<T>& tables) {
    for (size_t i = 0; i < tables.size(); ++i) {
      const std::string entry = fmt::format("{}[{}]", key.name, i);
      visit(tables.size() > 1 || has(entry) ? entry : key.name, tables[i]);
    }
  }
  template <typename T, typename... Words>
  void check(const Key& key, const std::optional<T>& value, const Words&... words) {
    if (value)
      check(key, *value, words...);
  }
  template <typename T>
  void visit(const std::string& key, const T& table) {
    ParameterUses inner(module_, path(key), file_);
    keys(inner, table);
  }

  template <typename E>
  void check(const Key& key, const OrParameter<E>& value, const WordList<E>& words) {
    if (!value.parameter.empty()) {
      checkChoice(key.name, value.parameter, key.title, namesOf(words),
                  std::is_same_v<E, Format> ? "auto" : "");
    }
  }
  void check(const Key& key, const OrParameter<int64_t>& value) {
    checkCount(key.name, value.parameter, key.least, key.most);
  }
  void check(const Key& key, const OrParameter<double>& factor) {
    const ParameterDescription* parameter =
        factor.parameter.empty() ? nullptr : structural(key.name, factor.parameter);
    if (parameter != nullptr && parameter->type != ParameterType::floating)
      error(key.name, fmt::format("the parameter '{}' is not of type float", factor.parameter));
    else if (parameter != nullptr && (!parameter->range || parameter->range->minimum <= 0))
      error(key.name, fmt::format("the parameter '{}' needs a range above 0", factor.parameter));
  }

  void check(const Key& key, const std::vector<NodeConstant>& constants) {
    for (const NodeConstant& constant : constants) {
      const std::string entry = key.name + "." + constant.name;
      if (constant.parameter.empty()) {
        expect(constant.number >= INT32_MIN && constant.number <= INT32_MAX, entry,
               fmt::format("{} is not a number of 32 bits", constant.number));
      } else if (const ParameterDescription* parameter = structural(entry, constant.parameter)) {
        expect(parameter->type != ParameterType::string, entry,
               fmt::format("the parameter '{}' is a string, and constants are numbers, bools or choices",
                           constant.parameter));
      }
    }
  }

  void check(const Key& key, const When& when) {
    for (const Condition& condition : when.conditions) {
      const ParameterDescription* parameter =
          when.isWrong ? nullptr : structural(key.name, condition.parameter);
      if (parameter != nullptr) {
        const std::string wrong = whyNot(condition, *parameter);
        const bool isChoice = parameter->type == ParameterType::choice && condition.value;
        expect(wrong.empty(), key.name, wrong,
               isChoice ? suggest(*condition.value, parameter->choices) : std::string());
      }
    }
  }

  static std::string whyNot(const Condition& condition, const ParameterDescription& parameter) {
    const std::string value = condition.value.value_or("");
    const bool isChoice = parameter.type == ParameterType::choice;
    if (!condition.value) {
      return isChoice ? fmt::format("'{}' is a choice: compare it with one of its words", parameter.name)
                      : "";
    }
    if (isChoice && !contains(parameter.choices, value))
      return fmt::format("'{}' is not a choice of '{}'", value, parameter.name);
    if (parameter.type == ParameterType::boolean && value != "true" && value != "false")
      return fmt::format("'{}' is true or false, not '{}'", parameter.name, value);
    const bool isOfNumber = isNumber(parameter.type) && !parseNumber(value);
    return isOfNumber ? fmt::format("'{}' is a number, not '{}'", parameter.name, value) : "";
  }
};

}  // namespace

void checkKeys(const ModuleDescription& module, TomlFile& file) {
  ParameterUses uses(module, "", file);
  keys(uses, module);
}

}  // namespace lacuna
