#include "graph/module/table_checker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"

namespace lacuna {

namespace fs = std::filesystem;

void TableChecker::error(const std::string& key, std::string message, std::string hint) {
  file_.error(path(key), std::move(message), std::move(hint));
}

void TableChecker::expect(bool isRight, const std::string& key, std::string message, std::string hint) {
  if (!isRight)
    error(key, std::move(message), std::move(hint));
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

void TableChecker::checkCount(const std::string& key, const std::string& name, int64_t least, int64_t most) {
  const ParameterDescription* parameter = name.empty() ? nullptr : structural(key, name);
  if (parameter == nullptr)
    return;
  const NumberRange allowed{static_cast<double>(least), static_cast<double>(most)};
  const std::optional<NumberRange>& range = parameter->range;
  if (parameter->type != ParameterType::integer)
    error(key, fmt::format("the parameter '{}' is not of type int", name));
  else if (!range || !allowed.contains(range->minimum) || !allowed.contains(range->maximum))
    error(key, fmt::format("the parameter '{}' needs a range within {} to {}", name, least, most));
}

void TableChecker::checkMatrixWidth(const std::string& key, uint32_t width) {
  expect(width % matrixLanes == 0, key,
         fmt::format("a workgroup with matrices is {} invocations wide", width),
         fmt::format("{} invocations hold a matrix: make the width a multiple", matrixLanes));
}

void TableChecker::checkChoice(const std::string& key, const std::string& name, std::string_view of,
                               const std::vector<std::string>& words, std::string_view settled) {
  const ParameterDescription* parameter = structural(key, name);
  if (parameter == nullptr)
    return;
  const auto isKnown = [&](const std::string& word) {
    return contains(words, word) || (!settled.empty() && word == settled);
  };
  expect(parameter->type == ParameterType::choice && std::ranges::all_of(parameter->choices, isKnown), key,
         fmt::format("the parameter '{}' is not a choice of {}", name, of),
         "its choices must be among " + joinNames(words) +
             (settled.empty() ? "" : fmt::format(", and '{}' where native code sets it", settled)));
}

void TableChecker::checkFormula(const std::string& key, const Formula& formula,
                                const std::function<bool(std::string_view)>& isKnown,
                                const std::string& known) {
  const auto isKnownHere = [&](const std::string& name) {
    const ParameterDescription* parameter = module_.parameter(name);
    return isKnown(name) || (parameter != nullptr && parameter->structural && parameter->count == 1 &&
                             parameter->type == ParameterType::integer);
  };
  const auto unknown = std::ranges::find_if_not(formula.names(), isKnownHere);
  const std::string mistake =
      unknown != formula.names().end() ? fmt::format("there is no number '{}'", *unknown) : formula.mistake();
  expect(mistake.empty(), key, fmt::format("'{}': {}", formula.text(), mistake),
         fmt::format("known are {} and structural int parameters", known));
}

void TableChecker::checkShaderIsThere(const std::string& shader) {
  if (shader.empty() || module_.made.contains(shader))
    return;
  std::error_code failed;
  const fs::path folder = module_.folder;
  if (!liesWithin((folder / shader).lexically_normal(), {folder, folder.parent_path(), folder / ".."})) {
    error("shader", fmt::format("the file '{}' lies outside the module's folder and its parent", shader));
  } else if (!fs::is_regular_file(folder / shader, failed)) {
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
      files.push_back(entry->path().filename().string());
    error("shader", fmt::format("there is no file '{}' in the module's folder", shader),
          didYouMean(shader, files));
  }
}

NodeChecker::NodeChecker(const ModuleDescription& module, size_t index, TomlFile& file)
    : TableChecker(module, fmt::format("node[{}]", index), file), node_(module.nodes[index]), index_(index) {}

void NodeChecker::checkNumber(const std::string& key, const Formula& number,
                              const std::vector<std::string_view>& names) {
  checkFormula(
      key, number, [&](std::string_view name) { return contains(names, name); },
      fmt::format("{}", fmt::join(names, ", ")));
}

void NodeChecker::checkSizes(const std::string& key, const std::vector<Formula>& sizes) {
  std::vector<std::string> names;
  for (const NodeInput& input : node_.inputs)
    for (const char* place : {".x", ".y", ".z", ".w"})
      names.push_back(std::string(inputShape) + input.name + place);
  for (size_t i = 0; i < sizes.size(); ++i)
    checkNumber(fmt::format("{}[{}]", key, i), sizes[i], {names.begin(), names.end()});
}

}  // namespace lacuna
