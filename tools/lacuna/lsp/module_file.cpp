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

// What stands at the position.
struct Spot {
  explicit Spot(const Query& asked)
      : query(asked), folder(fs::path(asked.document.path).parent_path()), source(sourceOf(folder)) {
    const auto isOther = [](char each) { return !isName({&each, 1}); };
    const std::string_view text = query.text();
    const auto here = text.begin() + static_cast<ptrdiff_t>(query.byte);
    const auto first = std::find_if(std::reverse_iterator(here), text.rend(), isOther).base();
    name = {-1, query.line + 1, static_cast<int>(first - text.begin()) + 1,
            static_cast<int>(std::find_if(here, text.end(), isOther) - first)};
    findPath();
  }

  // A value of the file as it is written, without quotes.
  std::string value(const Location& where) const {
    const auto line = static_cast<size_t>(where.line - 1), first = static_cast<size_t>(where.column - 1);
    const std::string_view text = line < query.lines.size() ? query.lines[line] : std::string_view();
    std::string value(text.substr(std::min(text.size(), first), static_cast<size_t>(where.length)));
    std::erase_if(value, [](char each) { return each == '"' || each == '\''; });
    return value;
  }

  // What the name means: a source is a connector or a node, others may be parameters.
  Declared meaning() const {
    const std::string word = value(name);
    if (!path.starts_with("connector") && !path.ends_with(".source") && !path.ends_with(".connector"))
      return declared(source.description, "", word);
    const Declared connector = declared(source.description, "connector", word);
    return connector.table.empty() ? declared(source.description, "node", word) : connector;
  }

  const Query& query;
  const fs::path folder;
  const ModuleSource source;
  Location name;     // without what stands around it in values such as "@format" and "node.output"
  std::string path;  // of the value there, or of that whose key is there: "node[0].kind"; "": there is none

 private:
  void findPath() {
    const int column = static_cast<int>(query.byte) + 1;
    int nearest = 0;
    for (const auto& [each, where] : source.places) {
      const bool isInside = column >= where.column && column <= where.column + where.length;
      const bool isKey = column < where.column && each.substr(each.rfind('.') + 1) == value(name);
      const int distance = isInside ? where.length : where.column - column + 1000;
      if (where.line == query.line + 1 && (isInside || isKey) && (path.empty() || distance < nearest)) {
        path = each;
        nearest = distance;
      }
    }
  }
};

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
  const Spot spot(query);
  where = spot.name;
  if (spot.path.empty())
    return {};
  const bool isKey = where.column < spot.source.places.at(spot.path).column;
  const std::string text = spot.meaning().text;
  return isKey || text.empty() ? keyText(spot.path) : text;
}

Json moduleDefinition(const Query& query) {
  const Spot spot(query);
  if (spot.path.empty())
    return nullptr;
  const std::string value = spot.value(spot.source.places.at(spot.path));
  const fs::path file =
      spot.path == "alias" ? spot.folder.parent_path() / value / "module.toml" : spot.folder / value;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored))
    return query.location(file.string());
  const std::string table = spot.meaning().table;
  return table.empty() ? Json() : placeOf(query, spot.folder, spot.source, table);
}

Json moduleSymbols(const Query& query) {
  static const std::map<std::string, int> kinds = {// properties, variables, functions
                                                   {"parameter", 7},
                                                   {"connector", 13},
                                                   {"node", 12},
                                                   {"variant", 12}};
  const Spot spot(query);
  std::map<std::pair<int, int>, Json> symbols;
  for (const auto& [path, where] : spot.source.places) {
    const auto kind = kinds.find(path.substr(0, path.find('[')));
    if (kind != kinds.end() && path.ends_with("].name") && path.find('.') == path.rfind('.'))
      symbols[{where.line, where.column}] =
          symbolOf(spot.value(where), kind->second, query.range(where), kind->first);
  }
  Json list = Json::array();
  for (const auto& [place, symbol] : symbols)
    list.push_back(symbol);
  return list;
}

}  // namespace lacuna::lsp
