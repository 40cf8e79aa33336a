// A module.toml: keys by the guide for writing modules, names by the description that was read, places by the
// reader.

#include <algorithm>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

// Tables that declare a name, and the protocol's numbers for them: properties, variables, functions.
const std::map<std::string, int> symbolKinds = {
    {"parameter", 7}, {"connector", 13}, {"node", 12}, {"variant", 12}};

struct Declared {
  std::string kind, name;
  Location where;
};

// As the editor has it.
struct ModuleFile {
  explicit ModuleFile(const fs::path& in)
      : path((in / "module.toml").string()), text(readTextFile(path).text) {
    Diagnostics reportedElsewhere;
    readModule(in.string(), reportedElsewhere, &source);
  }

  // A value as it is written, without quotes.
  std::string value(const Location& where) const {
    std::string value(lines.at(static_cast<size_t>(where.line - 1))
                          .substr(static_cast<size_t>(where.column - 1), static_cast<size_t>(where.length)));
    std::erase_if(value, [](char each) { return each == '"' || each == '\''; });
    return value;
  }

  // In the order of the file.
  std::vector<Declared> declared() const {
    std::vector<Declared> list;
    for (const auto& [each, where] : source.places)
      if (const std::string kind = each.substr(0, each.find('['));
          symbolKinds.contains(kind) && each.ends_with("].name") && each.find('.') == each.rfind('.'))
        list.push_back({kind, value(where), where});
    std::ranges::sort(list, {},
                      [](const Declared& each) { return std::pair(each.where.line, each.where.column); });
    return list;
  }

  const std::string path, text;
  const Lines lines = splitLines(text);
  ModuleSource source;
};

}  // namespace

void lookInModule(Query& query) {
  const ModuleFile file(fs::path(query.document.path).parent_path());
  const auto isOther = [](char each) { return !isName({&each, 1}); };
  const std::string_view line = query.text();
  const auto here = line.begin() + static_cast<ptrdiff_t>(query.byte);
  // Without what stands around it in values such as "@format" and "node.output".
  const auto first = std::find_if(std::reverse_iterator(here), line.rend(), isOther).base();
  const auto end = std::find_if(here, line.end(), isOther);
  const std::string word(first, end);
  const int column = static_cast<int>(query.byte) + 1;
  Location place;
  int nearest = std::numeric_limits<int>::max();
  for (const auto& [entry, where] : file.source.places) {
    const bool isInside = column >= where.column && column <= where.column + where.length;
    const bool isKey = column < where.column && entry.substr(entry.rfind('.') + 1) == word;
    const int distance = isInside ? where.length : where.column - column + 1000;
    if (where.line == query.line + 1 && (isInside || isKey) && distance < nearest) {
      query.entry = entry;
      place = where;
      nearest = distance;
    }
  }
  if (query.entry.empty())
    return;
  const Location where{-1, query.line + 1, static_cast<int>(first - line.begin()) + 1,
                       static_cast<int>(end - first)};
  query.words.words = {{word, where}};
  query.index = 0;
  query.module = std::make_shared<const ModuleDescription>(file.source.description);
  query.file = query.entry == "alias" ? "../" + file.value(place) + "/module.toml" : file.value(place);
  if (where.column < place.column)  // the key
    return;
  // A source is a connector or a node.
  const bool isSource = query.entry.starts_with("connector") || query.entry.ends_with(".source") ||
                        query.entry.ends_with(".connector");
  query.parameter = isSource ? nullptr : query.module->parameter(word);
  query.connector = query.parameter != nullptr ? nullptr : query.module->connector(word);
  query.node = query.module->node(word);
}

Json placeInModule(const Query& query, const std::string& kind, const std::string& name) {
  const fs::path own = query.module->folder;
  for (const fs::path& folder : {own, own.parent_path() / query.module->alias.base}) {
    const ModuleFile file(folder);
    for (const Declared& each : file.declared())
      if (each.kind == kind && each.name == name)
        return query.location(file.path, each.where);
  }
  const ModuleFile file(own);
  const auto found = file.source.places.find("name");
  return query.location(file.path, found == file.source.places.end() ? Location{-1, 1, 1, 0} : found->second);
}

Json moduleSymbols(const Query& query) {
  const ModuleFile file(fs::path(query.document.path).parent_path());
  Json list = Json::array();
  for (const Declared& each : file.declared())
    list.push_back(symbolOf(each.name, symbolKinds.at(each.kind), query.range(each.where), each.kind));
  return list;
}

}  // namespace lacuna::lsp
