#include "pathtrace/scene/read_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna::pathtrace {
namespace {

// Whether it is meant as a number, right or wrong. Names of settings start with a letter.
bool isNumberLike(const Word& word) {
  if (word.quoted || word.text.empty())
    return false;
  return std::isalpha(static_cast<unsigned char>(word.text[0])) == 0 || parseNumber(word.text).has_value();
}

std::string print(const Range& range) {
  const auto end = [](double value, bool outside, const char* beyond) {
    return outside ? fmt::format("{} {}", beyond, value) : fmt::format("{}", value);
  };
  return fmt::format("from {} to {}", end(range.least, range.aboveLeast, "above"),
                     end(range.most, range.belowMost, "below"));
}

bool contains(const Range& range, double value) {
  return (range.aboveLeast ? value > range.least : value >= range.least) &&
         (range.belowMost ? value < range.most : value <= range.most);
}

std::string print(const std::vector<size_t>& counts) {
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " or ", counts[i]);
  return text + (counts.back() == 1 ? " number" : " numbers");
}

}  // namespace

bool readNumber(const Word& word, std::string_view name, const Range& range, double& value,
                Diagnostics& diagnostics) {
  const auto number = word.quoted ? std::nullopt : parseNumber(word.text);
  if (!number) {
    diagnostics.error(word.where, fmt::format("'{}' takes numbers, not '{}'", name, word.text));
    return false;
  }
  if (!contains(range, *number)) {  // NaN is in no range
    diagnostics.error(word.where,
                      fmt::format("'{}' is {}, outside its range {}", name, word.text, print(range)));
    return false;
  }
  value = *number;
  return true;
}

Vec3 vectorOf(const std::vector<double>& numbers, size_t first) {
  if (numbers.size() - first < 3)
    return {numbers[first], numbers[first], numbers[first]};
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

Settings::Settings(std::span<const Word> words, const std::vector<SettingForm>& forms,
                   const std::string& owner, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  while (!words.empty())
    readOne(words, forms, owner);
}

namespace {

const SettingForm* findForm(const std::vector<SettingForm>& forms, const Word& name) {
  return name.quoted ? nullptr : findNamed(forms, name.text);
}

// The number of words from the first on that are values: up to the next name. A word in place of a number is
// a wrong number, unless it is the name of a setting.
size_t valueCount(std::span<const Word> words, const SettingForm& form,
                  const std::vector<SettingForm>& forms) {
  if (form.kind == SettingForm::Kind::word)
    return std::min<size_t>(words.size(), 1);
  size_t count = 0;
  while (count < words.size() && (isNumberLike(words[count]) ||
                                  (count < form.counts.front() && findForm(forms, words[count]) == nullptr)))
    ++count;
  return count;
}

}  // namespace

// Takes a name and its values from the front of `words`.
void Settings::readOne(std::span<const Word>& words, const std::vector<SettingForm>& forms,
                       const std::string& owner) {
  const Word name = words[0];
  words = words.subspan(1);
  const SettingForm* form = findForm(forms, name);
  if (form == nullptr) {
    unknown(name, forms, owner);
    while (!words.empty() && isNumberLike(words[0]))
      words = words.subspan(1);
    return;
  }
  const size_t count = valueCount(words, *form, forms);
  if (wasGiven(name.text) && !form->repeats) {
    diagnostics_.error(name.where, fmt::format("'{}' is given twice", name.text));
  } else {
    given_.push_back(name);
    readValues(words.subspan(0, count), name, *form);
  }
  words = words.subspan(count);
}

void Settings::unknown(const Word& name, const std::vector<SettingForm>& forms, const std::string& owner) {
  const std::vector<std::string> known = namesIn(forms);
  if (isNumberLike(name)) {
    diagnostics_.error(name.where, fmt::format("'{}' doesn't belong to a setting", name.text),
                       "settings are " + joinNames(known));
    return;
  }
  diagnostics_.error(name.where, fmt::format("{} has no '{}'", owner, name.text),
                     suggest(name.text, known, "it has"));
}

void Settings::readValues(std::span<const Word> values, const Word& name, const SettingForm& form) {
  Setting setting{name, {}, {}};
  bool right = true;
  if (form.kind == SettingForm::Kind::numbers) {
    readNumbers(values, form, setting, right);
  } else if (values.empty() || values[0].text.empty()) {
    right = false;
    diagnostics_.error(name.where, fmt::format("'{}' takes a word", form.name),
                       fmt::format("expected {} {}", form.name, form.values));
  } else {
    setting.word = values[0];
  }
  if (right)
    settings_.push_back(std::move(setting));
}

void Settings::readNumbers(std::span<const Word> values, const SettingForm& form, Setting& setting,
                           bool& right) {
  for (const Word& word : values) {
    double value = 0;
    right = readNumber(word, form.name, form.range, value, diagnostics_) && right;
    setting.numbers.push_back(value);
  }
  const bool fits = lacuna::contains(form.counts, values.size());
  if (!fits && (right || values.size() < form.counts.front())) {
    right = false;
    diagnostics_.error(setting.name.where,
                       fmt::format("'{}' takes {}, got {}", form.name, print(form.counts), values.size()),
                       fmt::format("expected {} {}", form.name, form.values));
  }
}

const Setting* Settings::find(std::string_view name) const {
  return findWhere(settings_, [&](const Setting& setting) { return setting.name.text == name; });
}

bool Settings::wasGiven(std::string_view name) const {
  return std::ranges::any_of(given_, [&](const Word& word) { return word.text == name; });
}

double Settings::number(std::string_view name, double otherwise) const {
  const Setting* found = find(name);
  return found == nullptr ? otherwise : found->numbers[0];
}

Vec3 Settings::vector(std::string_view name, const Vec3& otherwise) const {
  const Setting* found = find(name);
  return found == nullptr ? otherwise : vectorOf(found->numbers);
}

}  // namespace lacuna::pathtrace
