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

// A table that declares a name, "parameter[3]", and what `describe` prints of it.
struct Declared {
  std::string table, text;
};

// By one kind of table or, if that is empty, of any kind. Both empty if there is none.
Declared declared(const ModuleDescription& module, std::string_view kind, std::string_view name) {
  Declared found;
  const auto look = [&](std::string_view in, const auto& list, const auto& textFor) {
    const auto* each = name.empty() || (!kind.empty() && kind != in) ? nullptr : findNamed(list, name);
    if (each != nullptr && found.table.empty())
      found = {std::string(in) + "[" + std::to_string(each - list.data()) + "]", textFor(*each)};
  };
  look("parameter", module.parameters, [](const ParameterDescription& each) { return print(each); });
  look("connector", module.connectors, [](const ConnectorDescription& each) { return print(each); });
  look("node", module.nodes, [](const NodeDescription&) { return std::string(); });
  return found;
}

// What a value of this path names: a source is a connector or a node, others may be parameters.
Declared declaredAt(const ModuleDescription& module, const std::string& path, std::string_view name) {
  if (!path.starts_with("connector") && !path.ends_with(".source") && !path.ends_with(".connector"))
    return declared(module, "", name);
  const Declared connector = declared(module, "connector", name);
  return connector.table.empty() ? declared(module, "node", name) : connector;
}

Json placeOf(const Query& query, const fs::path& folder, const ModuleSource& source,
             const std::string& table) {
  const auto found = source.places.find(table.empty() ? "name" : table + ".name");
  return query.location((folder / "module.toml").string(),
                        found == source.places.end() ? Location{-1, 1, 1, 0} : found->second);
}

}  // namespace

Json placeInModule(const Query& query, const ModuleDescription& module, const char* kind,
                   const std::string& name) {
  const fs::path own = module.folder;
  for (const fs::path& folder : {own, own.parent_path() / module.alias.base}) {
    const ModuleSource source = sourceOf(folder);
    const std::string table = declared(source.description, kind, name).table;
    if (source.places.contains(table + ".name"))
      return placeOf(query, folder, source, table);
  }
  return placeOf(query, own, sourceOf(own), "");
}

std::string moduleText(const Query& query, Location& where) {
  const ModuleSource source = sourceOf(folderOf(query));
  where = nameAt(query, query.byte);
  const std::string path = pathAt(query, source, where);
  if (path.empty())
    return {};
  const bool isKey = where.column < source.places.at(path).column;
  const std::string text = declaredAt(source.description, path, textAt(query, where)).text;
  return isKey || text.empty() ? keyText(path) : text;
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
  const std::string table = declaredAt(source.description, path, textAt(query, name)).table;
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
