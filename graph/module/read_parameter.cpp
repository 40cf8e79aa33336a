#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/module/read_module.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr int64_t maxCount = 4096;

std::string typeText(ParameterType type) {
  switch (type) {
    case ParameterType::floating:
      return "a number";
    case ParameterType::integer:
      return "a whole number";
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::string:
    case ParameterType::choice:
      return "a string";
  }
  return "?";
}

std::optional<ParameterValue> convert(const toml::node& node, ParameterType type) {
  switch (type) {
    case ParameterType::floating: {
      const auto number = node.is_number() ? node.value<double>() : std::nullopt;
      return number ? std::optional<ParameterValue>(*number) : std::nullopt;
    }
    case ParameterType::integer: {
      const auto number = node.value_exact<int64_t>();
      return number ? std::optional<ParameterValue>(*number) : std::nullopt;
    }
    case ParameterType::boolean: {
      const auto boolean = node.value_exact<bool>();
      return boolean ? std::optional<ParameterValue>(*boolean) : std::nullopt;
    }
    case ParameterType::string:
    case ParameterType::choice: {
      const auto text = node.value_exact<std::string>();
      return text ? std::optional<ParameterValue>(*text) : std::nullopt;
    }
  }
  return std::nullopt;
}

// Why a value of the right type is still not a value of this parameter; "" if it is one.
std::string whyNot(const ParameterDescription& parameter, const ParameterValue& value) {
  if (isNumber(parameter.type)) {
    const auto* integer = std::get_if<int64_t>(&value);
    const double number = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
    if (!std::isfinite(static_cast<float>(number))) {
      return "the default is not a finite number";
    }
    if (const NumberRange range = rangeOf(parameter); !range.contains(number)) {
      return fmt::format("the default {} is outside its range, {} to {}", number, range.minimum,
                         range.maximum);
    }
  }
  if (parameter.type == ParameterType::choice) {
    const auto& word = std::get<std::string>(value);
    const auto& choices = parameter.choices;
    if (!choices.empty() && !contains(choices, word)) {
      return fmt::format("the default '{}' is none of the choices: {}", word, joinNames(choices));
    }
  }
  return {};
}

void readDefaults(TableReader& reader, ParameterDescription& parameter) {
  const toml::node* node = reader.value("default", Need::required);
  if (node == nullptr) {
    return;
  }
  std::vector<const toml::node*> given;
  if (node->is_array()) {
    for (const toml::node& entry : *node->as_array()) {
      given.push_back(&entry);
    }
    if (given.size() != parameter.count) {
      reader.error("default", fmt::format("the default has {} value{}, but 'count' is {}", given.size(),
                                          given.size() == 1 ? "" : "s", parameter.count));
      return;
    }
  } else {
    given.assign(parameter.count, node);
  }
  for (const toml::node* entry : given) {
    const auto value = convert(*entry, parameter.type);
    const Location where = reader.file().locate(entry->source());
    if (!value) {
      reader.file().errorAt(where, fmt::format("the default must be {}, not {}", typeText(parameter.type),
                                               describeType(*entry)));
    } else if (const std::string reason = whyNot(parameter, *value); !reason.empty()) {
      reader.file().errorAt(where, reason);
    }
    parameter.defaults.push_back(value.value_or(0.0));
  }
}

void readRange(TableReader& reader, ParameterDescription& parameter) {
  const std::vector<double> range = reader.numbers("range");
  if (!reader.has("range")) {
    return;
  }
  if (!isNumber(parameter.type)) {
    reader.error("range", "'range' is for numbers");
  } else if (!reader.file().isWrong(reader.path("range")) && (range.size() != 2 || range[0] > range[1])) {
    reader.error("range", "'range' must be two numbers, the smaller one first");
  } else if (const NumberRange widest = rangeOf(parameter);
             range.size() == 2 && !(widest.contains(range[0]) && widest.contains(range[1]))) {
    reader.error("range", fmt::format("'range' of whole numbers lies within {} to {}: shaders have 32 bits",
                                      widest.minimum, widest.maximum));
  } else if (range.size() == 2) {
    parameter.minimum = range[0];
    parameter.maximum = range[1];
  }
}

// Each line of a file beside the module's folder is a choice, too.
void addChoices(TableReader& reader, const std::string& folder, std::vector<std::string>& choices) {
  const std::string name = reader.string("choices_in").value_or("");
  const fs::path beside = fs::path(folder) / "..", path = (beside / name).lexically_normal();
  if (name.empty()) {
    return;
  }
  const FileText read = liesWithin(path, {beside}) ? readTextFile(path) : FileText{{}, "it lies elsewhere"};
  if (!read.error.empty()) {
    reader.error("choices_in", fmt::format("the file {} cannot be read: {}", name, read.error));
  }
  std::istringstream lines(read.text);
  for (std::string line; std::getline(lines, line);) {
    choices.push_back(line);
  }
}

void readChoices(TableReader& reader, const std::string& folder, ParameterDescription& parameter) {
  const bool isChoice = parameter.type == ParameterType::choice;
  parameter.choices = reader.strings("choices", isChoice ? Need::required : Need::optional);
  addChoices(reader, folder, parameter.choices);
  if (!reader.has("choices")) {
    return;
  }
  if (!isChoice) {
    reader.error("choices", "'choices' is for parameters of type choice");
  } else if (parameter.choices.empty()) {
    reader.error("choices", "'choices' is empty");
  }
  for (size_t i = 1; i < parameter.choices.size(); ++i) {
    const auto current = parameter.choices.begin() + static_cast<long>(i);
    if (std::find(parameter.choices.begin(), current, *current) != current) {
      reader.error(fmt::format("choices[{}]", i), fmt::format("the choice '{}' appears twice", *current));
    }
  }
}

}  // namespace

ParameterDescription readParameter(TableReader& reader, const std::string& folder) {
  ParameterDescription parameter;
  parameter.name = readName(reader, NameKind::identifier);
  const auto type = readWord(reader, "type", parameterTypeWords(), Need::required);
  parameter.type = type.value_or(ParameterType::floating);
  const auto count = reader.integer("count", 1, maxCount);
  parameter.count = static_cast<uint32_t>(count.value_or(1));
  if (type) {
    readRange(reader, parameter);
    readChoices(reader, folder, parameter);
  } else {
    reader.value("range");
    reader.value("choices");
  }
  if (type && (count || !reader.has("count"))) {
    readDefaults(reader, parameter);
  } else {
    reader.value("default", Need::required);
  }
  parameter.unit = reader.string("unit").value_or("");
  parameter.structural = reader.boolean("structural").value_or(false);
  parameter.isFile = reader.boolean("file").value_or(false);
  if (parameter.isFile && type && *type != ParameterType::string) {
    reader.error("file", "'file' is for parameters of type string");
  }
  parameter.perLevel = reader.boolean("per_level").value_or(false);
  parameter.settled = reader.boolean("settled").value_or(false);
  parameter.structural = parameter.structural || parameter.settled;
  parameter.doc = reader.string("doc").value_or("");
  parameter.scope = reader.string("for").value_or("");
  parameter.unless = reader.string("unless").value_or("");
  return parameter;
}

}  // namespace lacuna
