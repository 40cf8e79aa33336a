#pragma once
// Reads the keys of a table (keys.h) into its description. Values of a wrong type or out of range, and keys
// that the kind of node doesn't have, are reported.

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "graph/config/toml_reader.h"
#include "graph/module/keys.h"

namespace lacuna {

class KeyReader {
 public:
  // `kind`: of the node that the table belongs to.
  explicit KeyReader(TableReader& table, std::optional<NodeKind> kind = {}) : table_(table), kind_(kind) {}

  template <typename T, typename... Words>
  void operator()(const Key& key, T& value, const Words&... words) {
    if (find(key))
      read(key, value, words...);
    if constexpr (std::is_same_v<T, NodeKind>)
      kind_ = has(key) ? std::optional(value) : std::nullopt;
  }

 private:
  bool find(const Key& key);       // whether it is there
  bool has(const Key& key) const;  // and right
  void wrong(const Key& key, std::string message, std::string hint = {}) const;
  std::vector<std::string> names(const Key& key, const toml::node& node) const;

  template <HasKeys T>
  void read(const Key& key, T& value) {
    table_.table(key.name, key.title, [&](TableReader& table) {
      KeyReader reader(table, kind_);
      keys(reader, value);
    });
  }
  template <HasKeys T>
  void read(const Key& key, std::vector<T>& value) {
    table_.tables(key.name, key.title, [&](TableReader& table) {
      KeyReader reader(table, kind_);
      keys(reader, value.emplace_back());
    });
  }
  template <typename T, typename... Words>
  void read(const Key& key, std::optional<T>& value, const Words&... words) {
    read(key, value.emplace(), words...);
    if (!has(key))
      value.reset();
  }

  // A word, "@PARAMETER", words.
  template <typename E>
  void read(const Key& key, E& value, const WordList<E>& words) {
    if (const auto word = table_.string(key.name)) {
      value = findWord(words, *word).value_or(value);
      known(key, *word, namesOf(words));
    }
  }
  template <typename E>
  void read(const Key& key, OrParameter<E>& value, const WordList<E>& words) {
    const auto word = table_.string(key.name);
    if (word && word->starts_with('@'))
      value.parameter = word->substr(1);
    else if (word)
      read(key, value.value, words);
  }
  template <typename E>
  void read(const Key& key, std::vector<E>& values, const WordList<E>& words) {
    const std::vector<std::string> list = table_.stringOrList(key.name);
    for (size_t i = 0; i < list.size(); ++i)
      if (const auto value = findWord(words, list[i]))
        values.push_back(*value);
      else
        cannotHold(key, i, list[i], namesOf(words));
  }
  void read(const Key& key, MosaicPattern& value, const WordList<MosaicPattern>& words);
  void known(const Key& key, const std::string& word, const std::vector<std::string>& words) const;
  void cannotHold(const Key& key, size_t index, const std::string& word,
                  const std::vector<std::string>& words) const;

  template <std::integral T>
  void read(const Key& key, T& value) {
    if (key.takesTrue && isTrue(key))
      value = static_cast<T>(anyCount);
    else
      value = static_cast<T>(table_.integer(key.name, key.least, key.most).value_or(value));
  }
  bool isTrue(const Key& key);  // or false, which is reported
  void read(const Key& key, bool& value);
  void read(const Key& key, std::string& value);
  void read(const Key& key, std::vector<std::string>& value);
  void read(const Key& key, std::map<std::string, std::string>& value);
  void read(const Key& key, OrParameter<int64_t>& value);
  void read(const Key& key, OrParameter<double>& value);
  void read(const Key& key, Formula& value);
  void read(const Key& key, std::vector<Formula>& value);
  void read(const Key& key, When& value);
  void read(const Key& key, Footprint& value);
  void read(const Key& key, std::optional<NumberRange>& value);
  void read(const Key& key, ParameterValues& values);
  void read(const Key& key, std::vector<float>& value);
  void read(const Key& key, std::array<uint32_t, 2>& value);
  void read(const Key& key, std::vector<std::array<uint32_t, 2>>& value);
  void read(const Key& key, std::array<std::string, 2>& value);
  void read(const Key& key, std::vector<NodeConstant>& value);
  void read(const Key& key, std::vector<VariantConstant>& value);
  void read(const Key& key, std::vector<WarmUpDescription>& value);

  TableReader& table_;
  std::optional<NodeKind> kind_;
};

}  // namespace lacuna
