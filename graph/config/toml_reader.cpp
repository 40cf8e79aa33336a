#include "graph/config/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

// Only text that toml++ reads safely; reports other text.
bool isReadable(const std::string& text, TomlFile& file) {
  if (const auto bad = firstByteNotText(text)) {
    const auto byte = static_cast<unsigned char>(text[*bad]);
    file.errorAt(file.locateByte(*bad), fmt::format("byte 0x{:02x} is not UTF-8 text", byte));
    return false;
  }
  if (const auto unsafe = findUnsafeToml(text)) {
    file.errorAt(file.locateByte(unsafe->offset), unsafe->message, unsafe->hint);
    return false;
  }
  return true;
}

}  // namespace

TomlFile::TomlFile(int file, std::string_view text, Diagnostics& diagnostics)
    : file_(file), text_(text), lines_(splitLines(text)), diagnostics_(diagnostics) {}

// toml++ counts code points, we count bytes.
size_t TomlFile::byteColumn(size_t line, size_t codePointColumn) const {
  if (line == 0 || line > lines_.size())
    return 1;
  const std::string_view text = lines_[line - 1];
  size_t at = 0;
  for (size_t column = 1; column < codePointColumn && at < text.size(); ++column)
    do {
      ++at;
    } while (at < text.size() && isContinuationByte(text[at]));
  return at + 1;
}

Location TomlFile::locate(const toml::source_position& begin) const {
  return {file_, static_cast<int>(begin.line), static_cast<int>(byteColumn(begin.line, begin.column)), 1};
}

Location TomlFile::locate(const toml::source_region& region) const {
  Location where = locate(region.begin);
  if (region.begin.line > 0 && region.begin.line <= lines_.size()) {
    const auto first = static_cast<size_t>(where.column);
    const size_t end = region.end.line == region.begin.line ? byteColumn(region.end.line, region.end.column)
                                                            : lines_[region.begin.line - 1].size() + 1;
    where.length = end > first ? static_cast<int>(end - first) : 1;
  }
  return where;
}

Location TomlFile::locateByte(size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = std::ranges::count(before, '\n');
  const size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file_, static_cast<int>(line) + 1, static_cast<int>(offset - lineStart) + 1, 1};
}

Location TomlFile::place(std::string path) const {
  while (true) {
    const auto found = places_.find(path);
    if (found != places_.end())
      return found->second;
    const size_t cut = path.find_last_of(".[");
    if (cut == std::string::npos)
      return {file_, 1, 1, 1};
    path.resize(cut);
  }
}

void TomlFile::error(const std::string& path, std::string message, std::string hint) {
  wrong_.insert(path);
  errorAt(place(path), std::move(message), std::move(hint));
}

void TomlFile::errorAt(Location where, std::string message, std::string hint) {
  hasErrors_ = true;
  diagnostics_.error(where, std::move(message), std::move(hint));
}

std::string describeType(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

TableReader::TableReader(TomlFile& file, const toml::table& table, std::string path, std::string what)
    : file_(file), table_(table), path_(std::move(path)), what_(std::move(what)) {}

const toml::node* TableReader::value(const std::string& key, Need need) {
  if (!contains(asked_, key))
    asked_.push_back(key);
  const toml::node* node = table_.get(key);
  if (node != nullptr)
    file_.remember(path(key), file_.locate(node->source()));
  else if (need == Need::required)
    file_.error(path_, fmt::format("{} has no '{}'", what_, key));
  return node;
}

template <typename T>
std::optional<T> TableReader::scalar(const toml::node& node, const std::string& valuePath,
                                     const std::string& key, std::string_view wanted) const {
  std::optional<T> value = node.value_exact<T>();
  if (!value)
    file_.error(valuePath, fmt::format("'{}' must be {}, not {}", key, wanted, describeType(node)));
  return value;
}

template <typename T>
const T* TableReader::as(const std::string& key, std::string_view wanted) {
  const toml::node* node = value(key);
  if (node != nullptr && node->as<T>() == nullptr)
    error(key, fmt::format("'{}' must be {}, not {}", key, wanted, describeType(*node)));
  return node == nullptr ? nullptr : node->as<T>();
}

std::optional<std::string> TableReader::string(const std::string& key, Need need) {
  const toml::node* node = value(key, need);
  return node == nullptr ? std::nullopt : scalar<std::string>(*node, path(key), key, "a string");
}

std::optional<bool> TableReader::boolean(const std::string& key) {
  const toml::node* node = value(key);
  return node == nullptr ? std::nullopt : scalar<bool>(*node, path(key), key, "true or false");
}

std::optional<int64_t> TableReader::integer(const std::string& key, int64_t least, int64_t most) {
  const toml::node* node = value(key);
  const auto number =
      node == nullptr ? std::nullopt : scalar<int64_t>(*node, path(key), key, "a whole number");
  if (number && (*number < least || *number > most)) {
    error(key, fmt::format("'{}' is {}, but must be from {} to {}", key, *number, least, most));
    return std::nullopt;
  }
  return number;
}

std::vector<double> TableReader::numbers(const std::string& key) {
  std::vector<double> list;
  if (const toml::array* given = as<toml::array>(key, "a list of numbers")) {
    for (const toml::node& entry : *given) {
      const auto number = entry.is_number() ? entry.value<double>() : std::nullopt;
      if (!number || !std::isfinite(*number))
        file_.errorAt(file_.locate(entry.source()), fmt::format("'{}' must contain finite numbers", key));
      list.push_back(number.value_or(0));
    }
  }
  return list;
}

std::vector<std::string> TableReader::strings(const std::string& key) {
  std::vector<std::string> list;
  if (const toml::array* given = as<toml::array>(key, "a list of strings")) {
    for (const toml::node& entry : *given) {
      const std::string entryPath = fmt::format("{}[{}]", path(key), list.size());
      file_.remember(entryPath, file_.locate(entry.source()));
      list.push_back(scalar<std::string>(entry, entryPath, key, "a list of strings").value_or(""));
    }
  }
  return list;
}

std::vector<std::string> TableReader::stringOrList(const std::string& key) {
  const toml::node* node = value(key);
  if (node == nullptr || !node->is_string())
    return strings(key);
  file_.remember(path(key) + "[0]", file_.locate(node->source()));
  return {**node->as_string()};
}

void TableReader::tables(const std::string& key, const std::string& entryName,
                         const std::function<void(TableReader&)>& read) {
  const toml::array* given = as<toml::array>(key, "a list of tables");
  for (size_t i = 0, index = 0; given != nullptr && i < given->size(); ++i) {
    const toml::node& entry = (*given)[i];
    const std::string entryPath = fmt::format("{}[{}]", path(key), index);
    file_.remember(entryPath, file_.locate(entry.source()));
    if (!entry.is_table()) {
      file_.error(entryPath, fmt::format("'{}' must hold tables, not {}", key, describeType(entry)));
      continue;
    }
    readTable(*entry.as_table(), entryPath, entryName, read);
    ++index;
  }
}

void TableReader::table(const std::string& key, const std::string& tableName,
                        const std::function<void(TableReader&)>& read) {
  if (const toml::table* given = as<toml::table>(key, "a table"))
    readTable(*given, path(key), tableName, read);
}

void TableReader::readTable(const toml::table& table, const std::string& path, const std::string& name,
                            const std::function<void(TableReader&)>& read) {
  TableReader reader(file_, table, path, name);
  read(reader);
  reader.finish();
}

std::map<std::string, std::string> TableReader::stringMap(const std::string& key, bool numbers) {
  std::map<std::string, std::string> result;
  if (const toml::table* given = as<toml::table>(key, "a table")) {
    for (const auto& [name, entry] : *given) {
      const std::string word(name.str()), entryPath = path(key) + "." + word;
      file_.remember(entryPath, file_.locate(entry.source()));
      const auto number = numbers ? entry.value_exact<int64_t>() : std::nullopt;
      result[word] = number ? std::to_string(*number)
                            : scalar<std::string>(entry, entryPath, word, "a string").value_or("");
    }
  }
  return result;
}

void TableReader::finish() const {
  for (const auto& [key, node] : table_) {
    const std::string word(key.str());
    if (contains(asked_, word))
      continue;
    file_.errorAt(file_.locate(key.source()), fmt::format("unknown key '{}' in {}", word, what_),
                  suggest(word, asked_));
  }
}

bool readToml(const std::string& text, TomlFile& file, const std::function<void(const toml::table&)>& read) {
  if (!isReadable(text, file))
    return false;
  try {
    const toml::table root = toml::parse(text);
    read(root);
    return true;
  } catch (const toml::parse_error& failure) {
    file.errorAt(file.locate(failure.source()), std::string(failure.description()));
    return false;
  }
}

}  // namespace lacuna
