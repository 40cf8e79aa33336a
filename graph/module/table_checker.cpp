#include "graph/module/table_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/module/condition.h"

namespace lacuna {

namespace fs = std::filesystem;

void TableChecker::error(const std::string& key, std::string message, std::string hint) {
  file_.error(table_ + "." + key, std::move(message), std::move(hint));
}

bool TableChecker::isWrong(const std::string& key) const {
  return file_.isWrong(table_ + "." + key);
}

const ParameterDescription* TableChecker::structural(const std::string& key, const std::string& name) {
  const ParameterDescription* parameter = module_.parameter(name);
  if (parameter == nullptr) {
    error(key, fmt::format("there is no parameter '{}'", name), suggest(name, namesIn(module_.parameters)));
  } else if (!parameter->structural) {
    error(key, fmt::format("the parameter '{}' is not structural", name),
          "parameters that change the graph need structural = true");
    return nullptr;
  } else if (parameter->count != 1) {
    error(key, fmt::format("the parameter '{}' has {} values", name, parameter->count));
    return nullptr;
  }
  return parameter;
}

void TableChecker::checkCount(const std::string& key, const Count& count, double least, double most) {
  if (count.parameter.empty()) {
    return;
  }
  const ParameterDescription* parameter = structural(key, count.parameter);
  if (parameter == nullptr) {
    return;
  }
  if (parameter->type != ParameterType::integer) {
    error(key, fmt::format("the parameter '{}' is not of type int", count.parameter));
  } else if (!parameter->minimum || *parameter->minimum < least || *parameter->maximum > most) {
    error(key, fmt::format("the parameter '{}' needs a range within {} to {}", count.parameter, least, most));
  }
}

void TableChecker::checkMatrixWidth(const std::string& key, uint32_t width) {
  if (width % matrixLanes != 0) {
    error(key, fmt::format("a workgroup with matrices is {} invocations wide", width),
          fmt::format("{} invocations hold a matrix: make the width a multiple", matrixLanes));
  }
}

void TableChecker::checkChoice(const std::string& key, const std::string& name, std::string_view of,
                               const std::vector<std::string>& words, std::string_view settled) {
  const ParameterDescription* parameter = structural(key, name);
  if (parameter == nullptr) {
    return;
  }
  const bool areKnown = parameter->type == ParameterType::choice &&
                        std::ranges::all_of(parameter->choices, [&](const std::string& word) {
                          return contains(words, word) || (!settled.empty() && word == settled);
                        });
  if (!areKnown) {
    error(key, fmt::format("the parameter '{}' is not a choice of {}", name, of),
          "its choices must be among " + joinNames(words) +
              (settled.empty() ? "" : fmt::format(", and '{}' where native code sets it", settled)));
  }
}

void TableChecker::checkFormat(const std::string& key, const FormatChoice& choice) {
  if (!choice.parameter.empty()) {
    checkChoice(key, choice.parameter, "formats", namesOf(formatWords()), "auto");
  }
}

void TableChecker::checkShaderIsThere(const std::string& shader) {
  std::error_code failed;
  const fs::path folder = module_.folder;
  if (!shader.empty() && module_.made.count(shader) == 0 &&
      !liesWithin((folder / shader).lexically_normal(), {folder, folder.parent_path(), folder / ".."})) {
    error("shader", fmt::format("the file '{}' lies outside the module's folder and its parent", shader));
  } else if (!shader.empty() && module_.made.count(shader) == 0 &&
             !fs::is_regular_file(fs::path(module_.folder) / shader, failed)) {
    std::vector<std::string> files;
    for (fs::directory_iterator entry(module_.folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      files.push_back(entry->path().filename().string());
    }
    error("shader", fmt::format("there is no file '{}' in the module's folder", shader),
          didYouMean(shader, files));
  }
}

void TableChecker::checkWhen(const std::string& when) {
  if (when.empty()) {
    return;
  }
  const std::optional<When> parsed = parseWhen(when);
  if (!parsed) {
    error("when", fmt::format("'{}' is not a condition", when),
          "write p, !p, p == value or p != value, p a structural parameter; join several by 'and', or by "
          "'or'");
    return;
  }
  for (const Condition& condition : parsed->conditions) {
    checkCondition(condition);
  }
}

void TableChecker::checkCondition(const Condition& condition) {
  const ParameterDescription* parameter = structural("when", condition.parameter);
  if (parameter == nullptr) {
    return;
  }
  const std::string value = condition.value.value_or("");
  const bool isChoice = parameter->type == ParameterType::choice;
  if (!condition.value) {
    if (isChoice) {
      error("when", fmt::format("'{}' is a choice: compare it with one of its words", parameter->name));
    }
  } else if (isChoice && !contains(parameter->choices, value)) {
    error("when", fmt::format("'{}' is not a choice of '{}'", value, parameter->name),
          suggest(value, parameter->choices));
  } else if (parameter->type == ParameterType::boolean && value != "true" && value != "false") {
    error("when", fmt::format("'{}' is true or false, not '{}'", parameter->name, value));
  } else if ((parameter->type == ParameterType::floating || parameter->type == ParameterType::integer) &&
             !parseNumber(value)) {
    error("when", fmt::format("'{}' is a number, not '{}'", parameter->name, value));
  }
}

NodeChecker::NodeChecker(const ModuleDescription& module, size_t index, TomlFile& file)
    : TableChecker(module, fmt::format("node[{}]", index), file), node_(module.nodes[index]), index_(index) {}

}  // namespace lacuna
