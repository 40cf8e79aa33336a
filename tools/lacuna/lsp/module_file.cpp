// A module.toml: keys by the guide for writing modules, names by the description that was read, places by the
// reader.

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

ModuleSource sourceOf(const fs::path& folder) {
  ModuleSource source;
  Diagnostics reportedElsewhere;
  readModule(folder.string(), reportedElsewhere, &source);
  return source;
}

fs::path folderOf(const Query& query) {
  return fs::path(query.document.path).parent_path();
}

std::string_view textAt(const Query& query, const Location& where) {
  return query.text().substr(std::min(query.text().size(), static_cast<size_t>(where.column - 1)),
                             static_cast<size_t>(where.length));
}

// The name at this byte, without what stands around it in values such as "@format" and "node.output".
Location nameAt(const Query& query, size_t byte) {
  const auto isPart = [&](size_t at) {
    return at < query.text().size() && isName(query.text().substr(at, 1));
  };
  size_t first = byte, end = byte;
  while (first > 0 && isPart(first - 1))
    --first;
  while (isPart(end))
    ++end;
  return {-1, query.line + 1, static_cast<int>(first) + 1, static_cast<int>(end - first)};
}

// The value at the position, or the one whose key is there: "node[0].kind"; "" if there is none.
std::string pathAt(const Query& query, const ModuleSource& source, const Location& name) {
  const int column = static_cast<int>(query.byte) + 1;
  std::string found;
  int nearest = 0;
  for (const auto& [path, where] : source.places) {
    const bool isInside = column >= where.column && column <= where.column + where.length;
    const bool isKey = column < where.column && path.substr(path.rfind('.') + 1) == textAt(query, name);
    const int distance = isInside ? where.length : where.column - column + 1000;
    if (where.line == query.line + 1 && (isInside || isKey) && (found.empty() || distance < nearest)) {
      found = path;
      nearest = distance;
    }
  }
  return found;
}

// "node[0].outputs[1].format": the row of `format` in the chapter of its table, else in any.
std::string keyText(std::string path) {
  for (size_t open = path.find('['); open != std::string::npos; open = path.find('['))
    path.erase(open, path.find(']', open) + 1 - open);
  const size_t dot = path.rfind('.');
  const std::string key = path.substr(dot + 1);  // npos + 1 is 0
  const std::string chapter = dot == std::string::npos ? "The module" : "[" + path.substr(0, dot) + "]";
  const std::string row = guideRow("writing-modules", chapter, key);
  return row.empty() ? guideRow("writing-modules", "[node", key) : row;
}

// The table that declares a name: "parameter[3]"; "" if none does.
std::string tableOf(const ModuleDescription& module, std::string_view name) {
  const auto index = [&](const char* kind, const auto& list) {
    const auto* found = name.empty() ? nullptr : findNamed(list, name);
    return found == nullptr ? "" : std::string(kind) + "[" + std::to_string(found - list.data()) + "]";
  };
  for (const std::string& each : {index("connector", module.connectors),
                                  index("parameter", module.parameters), index("node", module.nodes)})
    if (!each.empty())
      return each;
  return {};
}

Json placeOf(const Query& query, const fs::path& folder, const ModuleSource& source,
             const std::string& table) {
  const auto found = source.places.find(table.empty() ? "name" : table + ".name");
  return query.location((folder / "module.toml").string(),
                        found == source.places.end() ? Location{-1, 1, 1, 0} : found->second);
}

}  // namespace

Json placeInModule(const Query& query, const ModuleDescription& module, const std::string& name) {
  const fs::path own = module.folder;
  const ModuleSource source = sourceOf(own);
  const std::string table = tableOf(source.description, name);
  if (source.places.contains(table + ".name") || module.alias.base.empty())
    return placeOf(query, own, source, table);
  const fs::path base = own.parent_path() / module.alias.base;
  const ModuleSource other = sourceOf(base);
  const std::string there = tableOf(other.description, name);
  return there.empty() ? placeOf(query, own, source, "") : placeOf(query, base, other, there);
}

std::string moduleText(const Query& query, Location& where) {
  const ModuleSource source = sourceOf(folderOf(query));
  where = nameAt(query, query.byte);
  const std::string path = pathAt(query, source, where), name(textAt(query, where));
  if (path.empty())
    return {};
  const bool isKey = where.column < source.places.at(path).column;
  const auto* parameter = source.description.parameter(name);
  const auto* connector = source.description.connector(name);
  return isKey || (parameter == nullptr && connector == nullptr) ? keyText(path)
         : parameter != nullptr                                  ? print(*parameter)
                                                                 : print(*connector);
}

Json moduleDefinition(const Query& query) {
  const fs::path folder = folderOf(query);
  const ModuleSource source = sourceOf(folder);
  const Location name = nameAt(query, query.byte);
  const std::string path = pathAt(query, source, name);
  if (path.empty())
    return nullptr;
  std::string value(textAt(query, source.places.at(path)));
  std::erase_if(value, [](char each) { return each == '"' || each == '\''; });
  const fs::path file = path == "alias" ? folder.parent_path() / value / "module.toml" : folder / value;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored))
    return query.location(file.string());
  const std::string table = tableOf(source.description, textAt(query, name));
  return table.empty() ? Json() : placeOf(query, folder, source, table);
}

Json moduleSymbols(const Query& query) {
  constexpr int propertySymbol = 7, functionSymbol = 12, variableSymbol = 13;
  const ModuleSource source = sourceOf(folderOf(query));
  Json symbols = Json::array();
  const auto add = [&](const std::string& kind, int symbol, const auto& list) {
    for (size_t i = 0; i < list.size(); ++i)
      if (const auto found = source.places.find(kind + "[" + std::to_string(i) + "].name");
          found != source.places.end())
        symbols.push_back({{"name", list[i].name},
                           {"kind", symbol},
                           {"detail", kind},
                           {"range", query.range(found->second)},
                           {"selectionRange", query.range(found->second)}});
  };
  add("connector", variableSymbol, source.description.connectors);
  add("parameter", propertySymbol, source.description.parameters);
  add("node", functionSymbol, source.description.nodes);
  add("variant", functionSymbol, source.description.variants);
  return symbols;
}

}  // namespace lacuna::lsp
