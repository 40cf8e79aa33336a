#pragma once
// Settings after the name of an object, material or camera in a scene file: names with values, in any order,
// such as
//   eye 0 1 3.4  target 0 1 0  fov 40

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/config.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

struct Range {
  double least = -1e9, most = 1e9;
  bool aboveLeast = false, belowMost = false;  // whether the end itself is outside
};

struct SettingForm {
  enum class Kind { numbers, word };
  std::string name;
  std::vector<size_t> counts;  // possible numbers of its values; for words, 1
  Range range;
  std::string values;  // for messages: "X Y Z"
  Kind kind = Kind::numbers;
  bool repeats = false;
};

struct Setting {
  Word name;
  std::vector<double> numbers;
  Word word;
};

class Settings {
 public:
  // Reports names that no form has, repeated ones, and values that don't fit; these are omitted. `owner`: "a
  // camera", "a glossy material".
  Settings(std::span<const Word> words, const std::vector<SettingForm>& forms, const std::string& owner,
           Diagnostics& diagnostics);

  const Setting* find(std::string_view name) const;  // the first one, or null
  const std::vector<Setting>& all() const { return settings_; }
  bool wasGiven(std::string_view name) const;  // also wrongly

  // The given value, or `otherwise`. One number in place of three counts for all three.
  double number(std::string_view name, double otherwise) const;
  Vec3 vector(std::string_view name, const Vec3& otherwise) const;

 private:
  void readOne(std::span<const Word>& words, const std::vector<SettingForm>& forms, const std::string& owner);
  void readValues(std::span<const Word> values, const Word& name, const SettingForm& form);
  void readNumbers(std::span<const Word> values, const SettingForm& form, Setting& setting, bool& right);
  void unknown(const Word& name, const std::vector<SettingForm>& forms, const std::string& owner);

  std::vector<Setting> settings_;
  std::vector<Word> given_;
  Diagnostics& diagnostics_;
};

// Three numbers, or one for all three, from `first` on.
Vec3 vectorOf(const std::vector<double>& numbers, size_t first = 0);

// The number of a word, if it is one within the range; otherwise that is reported.
bool readNumber(const Word& word, std::string_view name, const Range& range, double& value,
                Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
