#pragma once
// Typed reading of TOML tables: values that are missing, unknown or of a wrong type are reported at their
// place.

#include <toml++/toml.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/diagnostics.h"

namespace lacuna {

// A file that is being read, and the places of its values: "node[2].inputs[0].source" -> line and column.
class TomlFile {
 public:
  TomlFile(int file, std::string_view text, Diagnostics& diagnostics);

  Location locate(const toml::source_region& region) const;
  Location locate(const toml::source_position& begin) const;
  Location locateByte(size_t offset) const;
  void remember(const std::string& path, Location where) { places_[path] = where; }
  bool has(const std::string& path) const { return places_.contains(path); }
  // The place of a value; for a missing one, of the table around it.
  Location place(std::string path) const;
  void error(const std::string& path, std::string message, std::string hint = {});
  void errorAt(Location where, std::string message, std::string hint = {});
  bool hasErrors() const { return hasErrors_; }
  const std::map<std::string, Location>& places() const { return places_; }
  // Whether error() was called for exactly this path, so that dependent mistakes need no report.
  bool isWrong(const std::string& path) const { return wrong_.count(path) != 0; }

 private:
  size_t byteColumn(size_t line, size_t codePointColumn) const;

  int file_;
  std::string_view text_;
  std::vector<std::string_view> lines_;
  Diagnostics& diagnostics_;
  std::map<std::string, Location> places_;
  std::set<std::string> wrong_;
  bool hasErrors_ = false;
};

enum class Need { required, optional };

class TableReader {
 public:
  // `what` names the table in messages: "[[connector]]".
  TableReader(TomlFile& file, const toml::table& table, std::string path, std::string what);

  std::optional<std::string> string(const std::string& key, Need need = Need::optional);
  std::optional<bool> boolean(const std::string& key);
  std::optional<int64_t> integer(const std::string& key, int64_t least, int64_t most);
  std::vector<double> numbers(const std::string& key);  // a list
  std::vector<std::string> strings(const std::string& key);
  std::vector<std::string> stringOrList(const std::string& key);
  // Each table in a list, [[key]] or inline; `read` must not call finish().
  void tables(const std::string& key, const std::string& entryName,
              const std::function<void(TableReader&)>& read);
  // A table, [what.key] or inline, if there is one.
  void table(const std::string& key, const std::string& tableName,
             const std::function<void(TableReader&)>& read);
  // A table of free keys, each with a string, or with `numbers` an integer, as text.
  std::map<std::string, std::string> stringMap(const std::string& key, bool numbers = false);
  // Any value; nullptr if missing (reported if it is required).
  const toml::node* value(const std::string& key, Need need = Need::optional);

  bool has(const std::string& key) const { return table_.contains(key); }
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  void error(const std::string& key, std::string message, std::string hint = {}) const {
    file_.error(path(key), std::move(message), std::move(hint));
  }
  TomlFile& file() { return file_; }
  const std::string& title() const { return what_; }

  // Reports unknown keys.
  void finish() const;

 private:
  template <typename T>
  std::optional<T> scalar(const toml::node& node, const std::string& path, const std::string& key,
                          std::string_view wanted) const;

  // An array or a table; null if it is missing or, which is reported, something else.
  template <typename T>
  const T* as(const std::string& key, std::string_view wanted);
  void readTable(const toml::table& table, const std::string& path, const std::string& name,
                 const std::function<void(TableReader&)>& read);

  TomlFile& file_;
  const toml::table& table_;
  std::string path_;
  std::string what_;
  std::vector<std::string> asked_;
};

std::string describeType(const toml::node& node);  // "a string", "a whole number"

// Parses a text and passes it to `read`; returns false, and reports why, if it is not TOML.
bool readToml(const std::string& text, TomlFile& file, const std::function<void(const toml::table&)>& read);

// Texts that toml++ 3.3 must not see: it assumes, unchecked, that they are right, which is undefined
// behaviour in a release build.
struct TomlTextError {
  size_t offset = 0;  // in bytes
  std::string message;
  std::string hint;
};

// The first of: a character outside ASCII outside strings and comments, a [header] that does not start with a
// name, a '}' in an open list.
std::optional<TomlTextError> findUnsafeToml(std::string_view toml);

}  // namespace lacuna
