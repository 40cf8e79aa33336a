#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/nodes/module_graph_parts.h"

namespace lacuna {
namespace {

std::vector<std::string> parameterNames(const ModuleDescription& module) {
  return namesIn(module.parameters, [](const auto& parameter) { return !parameter.settled; });
}

// One word -> one value. Messages name the parameter.
class ValueReader {
 public:
  ValueReader(const ParameterDescription& parameter, const Word& word, Diagnostics& diagnostics)
      : parameter_(parameter), word_(word), diagnostics_(diagnostics) {}

  std::optional<ParameterValue> read() {
    switch (parameter_.type) {
      case ParameterType::floating:
        return number();
      case ParameterType::integer:
        return integer();
      case ParameterType::boolean:
        return boolean();
      case ParameterType::string:
        return word_.text;
      case ParameterType::choice:
        return choice();
    }
    return std::nullopt;
  }

 private:
  std::optional<ParameterValue> wrong(const std::string& message, const std::string& hint = {}) {
    diagnostics_.error(word_.where, message, hint);
    return std::nullopt;
  }
  std::optional<ParameterValue> wrongType(const char* wanted) {
    // Lists in the style of other programs.
    const bool isList = parameter_.count > 1 && isNumber(parameter_.type) &&
                        word_.text.find_first_of(",; ") != std::string::npos;
    return wrong(
        fmt::format("'{}' expected {}, got '{}'", parameter_.name, wanted, word_.text),
        isList ? fmt::format("values of a list are separated by ':': {}", withColons(word_.text)) : "");
  }

  std::optional<ParameterValue> inRange(double asNumber, ParameterValue value) {
    const NumberRange range = rangeOf(parameter_);
    if (!range.contains(asNumber)) {
      return wrong(fmt::format("'{}' is {}, but must be {} to {}", parameter_.name, word_.text, range.minimum,
                               range.maximum));
    }
    return value;
  }

  std::optional<ParameterValue> number() {
    const auto value = parseNumber(word_.text);
    if (!value)
      return wrongType("a number");
    if (!std::isfinite(static_cast<float>(*value)))
      return wrongType("a finite number");
    return inRange(*value, *value);
  }

  std::optional<ParameterValue> integer() {
    const auto value = parseInteger(word_.text);
    if (value)
      return inRange(static_cast<double>(*value), *value);
    const bool isDigits = word_.text.find_first_not_of("-0123456789") == std::string::npos;
    const auto beyond = isDigits ? parseNumber(word_.text) : std::nullopt;  // 64 bits
    return beyond ? inRange(*beyond, int64_t{0}) : wrongType("a whole number");
  }

  std::optional<ParameterValue> boolean() {
    if (word_.text == "true" || word_.text == "1")
      return true;
    if (word_.text == "false" || word_.text == "0")
      return false;
    return wrongType("true or false");
  }

  std::optional<ParameterValue> choice() {
    const auto& choices = parameter_.choices;
    if (contains(choices, word_.text))
      return word_.text;
    return wrong(fmt::format("'{}' is one of {}, not '{}'", parameter_.name, joinNames(choices), word_.text),
                 didYouMean(word_.text, choices));
  }

  const ParameterDescription& parameter_;
  const Word& word_;
  Diagnostics& diagnostics_;
};

void applyKeyframe(GraphDraft& draft, const ParamLine& line, Parameter& parameter, ParameterValues values) {
  const ParameterDescription& description = *parameter.description;
  const bool linear =
      line.interpolation == Interpolation::linear ||
      (line.interpolation == Interpolation::automatic && description.type == ParameterType::floating);
  if (line.interpolation == Interpolation::linear && !isNumber(description.type)) {
    draft.error(line.name,
                fmt::format("'{}' is not a number: it cannot be interpolated linearly", description.name),
                "leave out :linear");
    return;
  }
  const int frame = line.frame.value_or(0);
  if (!parameter.keyframes.empty() && frame <= parameter.keyframes.back().frame) {
    const int last = parameter.keyframes.back().frame;
    draft.error(line.name,
                frame == last ? fmt::format("'{}' has two keyframes at frame {}", description.name, frame)
                              : fmt::format("a keyframe of '{}' at frame {} after one at frame {}",
                                            description.name, frame, last),
                "keyframes of a parameter stand in ascending order");
    return;
  }
  parameter.keyframes.push_back({frame, std::move(values), linear});
  parameter.where = line.name.where;
  parameter.isSet = true;
}

// A file may replace what it includes, and an option what a file sets.
void warnOfEarlier(GraphDraft& draft, const ParamLine& line, const Parameter& before) {
  const bool isRepeated = before.isSet && before.fromOption == line.fromOption &&
                          (line.fromOption || before.where.file == line.name.where.file);
  if (isRepeated) {
    draft.diagnostics.warn(
        line.name.where,
        fmt::format("'{}' of {} is set more than once: {} has no effect", line.name.text, line.owner.name(),
                    line.fromOption ? draft.diagnostics.place(before.where)
                                    : fmt::format("line {}", before.where.line)));
  }
}

void applyLine(GraphDraft& draft, const ParamLine& line) {
  const ModuleId id = draft.findModule(line.owner);
  if (!id)
    return;
  ModuleInstance& module = draft.modules[id];
  const auto found = std::ranges::find_if(module.parameters, [&](const Parameter& parameter) {
    return parameter.description->name == line.name.text && !parameter.description->settled;
  });
  if (found == module.parameters.end()) {
    const std::vector<std::string> names = parameterNames(*module.description);
    draft.error(line.name, fmt::format("{} has no parameter '{}'", module.name(), line.name.text),
                line.name.text == "memory"
                    ? "`lacuna run --memory N` bounds the memory of all modules together"
                : names.empty() ? "it has no parameters"
                                : suggest(line.name.text, names, "its parameters are:"));
    return;
  }
  ParameterValues values =
      line.values.empty() ? ParameterValues()
                          : convertValues(*found->description, line.name, line.values, draft.diagnostics);
  found->isWrong = found->isWrong || values.empty();
  if (line.frame && found->description->structural) {
    draft.error(line.name, fmt::format("'{}' cannot have keyframes: it shapes the graph", line.name.text),
                "set it once, with param:");
  } else if (values.empty()) {
    return;
  } else if (line.frame) {
    applyKeyframe(draft, line, *found, std::move(values));
  } else {
    warnOfEarlier(draft, line, *found);
    found->values = std::move(values);
    found->where = line.name.where;
    found->isSet = true;
    found->fromOption = line.fromOption;
  }
}

ParameterValue between(const ParameterValue& from, const ParameterValue& to, double share) {
  if (const auto* start = std::get_if<double>(&from))
    return *start + (std::get<double>(to) - *start) * share;
  if (const auto* start = std::get_if<int64_t>(&from)) {
    const auto first = static_cast<double>(*start);
    const auto last = static_cast<double>(std::get<int64_t>(to));
    return static_cast<int64_t>(std::llround(first + (last - first) * share));
  }
  return from;
}

}  // namespace

ParameterValues convertValues(const ParameterDescription& parameter, const Word& name,
                              const std::vector<Word>& words, Diagnostics& diagnostics) {
  const bool repeats = parameter.perLevel && words.size() < parameter.count;
  if (words.size() != parameter.count && !repeats) {
    const std::string takes =
        parameter.perLevel && parameter.count > 1
            ? fmt::format("1 to {} values", parameter.count)
            : fmt::format("{} value{}", parameter.count, parameter.count == 1 ? "" : "s");
    const Word& where = words.size() > parameter.count ? words[parameter.count] : name;
    diagnostics.error(where.where, fmt::format("'{}' takes {}, got {}", parameter.name, takes, words.size()));
    return {};
  }
  ParameterValues values;
  for (const Word& word : words)
    if (const auto value = ValueReader(parameter, word, diagnostics).read())
      values.push_back(*value);
  if (values.size() != words.size() || values.empty())
    return {};
  values.resize(parameter.count, values.back());
  return values;
}

void applyParameters(GraphDraft& draft) {
  for (const ParamLine& line : draft.config.params)
    applyLine(draft, line);
  for (const ParamLine& line : draft.config.keyframes)
    applyLine(draft, line);
}

ParameterValues valuesAt(const Parameter& parameter, int frame) {
  const std::vector<Keyframe>& keys = parameter.keyframes;
  if (keys.empty())
    return parameter.values;
  const auto next = std::ranges::upper_bound(keys, frame, {}, &Keyframe::frame);
  if (next == keys.begin())
    return keys.front().values;
  const Keyframe& last = *(next - 1);
  if (next == keys.end() || !last.linear)
    return last.values;
  // In double precision, because frame numbers may be far apart.
  const double share =
      (static_cast<double>(frame) - last.frame) / (static_cast<double>(next->frame) - last.frame);
  ParameterValues values;
  for (size_t i = 0; i < last.values.size(); ++i)
    values.push_back(between(last.values[i], next->values[i], share));
  return values;
}

}  // namespace lacuna
