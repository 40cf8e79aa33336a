// What a word means, where it is defined and used, and a new name for it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/config/text.h"
#include "tools/lacuna/companions.h"
#include "tools/lacuna/lsp/query.h"
#include "tools/shell/command_words.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

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

std::string wordText(const Query& query) {
  if (query.parameter != nullptr)
    return print(*query.parameter);
  if (query.connector != nullptr)
    return print(*query.connector);
  if (!query.entry.empty())
    return keyText(query.entry);
  if (query.module != nullptr && query.role() <= WordRole::instance)
    return print(*query.module);
  const LineForm* form = findLineForm(query.words.words[0].text);
  const bool isName = query.role() >= WordRole::module && query.role() <= WordRole::value;
  return form == nullptr || isName ? ""
                                   : form->expected + "\n" + guideRow("graph-files", "Lines", form->keyword);
}

// What a word names, so that words of one thing have equal texts: "eaw:01:input"; "" if it names nothing.
std::string thingOf(const LineWords& line, size_t index) {
  const WordRole role = line.role(index);
  const bool isName = role >= WordRole::module && role <= WordRole::parameter;
  return isName ? (role == WordRole::parameter ? "parameter " : "") + line.name(index, role) : "";
}

struct Use {
  Json place;
  bool isDeclaration = false;  // in a line that makes the instance
};

// In all open graphs with this document, and in what they include.
std::vector<Use> usesOf(const Query& query, const std::string& thing) {
  std::map<std::string, std::string> files;
  for (const Document* graph : query.workspace.graphsWith(query.document)) {
    Diagnostics read;
    parseConfigText(graph->text, graph->path, read);
    for (int file = 0; file < read.fileCount(); ++file)
      files.emplace(read.fileName(file), read.fileText(file));
  }
  std::vector<Use> uses;
  for (const auto& [file, text] : files) {
    const Lines lines = splitLines(text);
    for (size_t number = 0; number < lines.size(); ++number) {
      const LineWords line = wordsOf(lines[number], static_cast<int>(number) + 1);
      for (size_t i = 0; i < line.words.size(); ++i)
        if (thingOf(line, i) == thing)
          uses.push_back({{{"uri", query.workspace.uri(file)},
                           {"range", rangeOf(lines, line.words[i].where, query.workspace.encoding)}},
                          line.words[0].text == "module"});
    }
  }
  return uses;
}

const Word& renamedWord(const Query& query) {
  if (!query.index || query.role() != WordRole::instance)
    throw RequestError(requestFailed, "only instances can be renamed: the word behind a module's name");
  return query.word();
}

}  // namespace

std::string guideRow(const std::string& topic, const std::string& heading, const std::string& word) {
  std::string guide;
  try {
    guide = guideText(topic);
  } catch (const std::exception&) {
    return {};  // it isn't installed
  }
  bool isBelow = false;
  for (const std::string_view line : splitLines(guide)) {
    if (line.starts_with("##"))
      isBelow = line.find(heading) != std::string_view::npos;
    const size_t cell = std::min(line.find(" | "), line.size());
    const bool names = line.substr(0, cell).find("`" + word + "`") != std::string_view::npos ||
                       line.substr(0, cell).find("`" + word + ":") != std::string_view::npos;
    if (isBelow && names && line.starts_with("| ") && line.ends_with(" |") && cell + 5 <= line.size())
      return replaceAll(std::string(line.substr(cell + 3, line.size() - cell - 5)), "\\|", "|");
  }
  return {};
}

Json hover(Query& query, const Json&) {
  const std::string text = query.index ? wordText(query) : "";
  if (text.empty())
    return nullptr;
  return {{"contents", {{"kind", "plaintext"}, {"value", text}}}, {"range", query.range(query.word().where)}};
}

// A parameter with its values, between colons as they are typed.
Json signatureHelp(Query& query, const Json&) {
  constexpr uint32_t mostShown = 16;
  LineWords typed = wordsOf(query.text().substr(0, query.byte), query.line + 1);
  const size_t count = typed.words.size();
  query.look(std::move(typed), count == 0 ? std::nullopt : std::optional(count - 1));
  if (query.parameter == nullptr || query.role() != WordRole::value)
    return nullptr;
  const std::string type = wordOf(parameterTypeWords(), query.parameter->type);
  std::string label = query.parameter->name;
  Json parts = Json::array();
  for (uint32_t i = 0; i < std::min(query.parameter->count, mostShown); ++i) {
    parts.push_back({{"label", Json::array({label.size() + 1, label.size() + 1 + type.size()})}});
    label += ":" + type;
  }
  const size_t active = count - 2 - *query.words.before(count - 1, WordRole::parameter);
  const Json signature = {
      {"label", label}, {"parameters", parts}, {"documentation", print(*query.parameter)}};
  return {{"signatures", Json::array({signature})},
          {"activeSignature", 0},
          {"activeParameter", std::min(active, parts.size() - 1)}};
}

Json definition(Query& query, const Json&) {
  if (!query.index)
    return nullptr;
  const std::string named = query.namesFile() ? query.word().text : query.file;
  const fs::path file = (fs::path(query.document.path).parent_path() / named).lexically_normal();
  std::error_code ignored;
  const bool isOpen = query.workspace.documents.contains(query.workspace.uri(file.string()));
  if (!named.empty() && (isOpen || fs::is_regular_file(file, ignored)))
    return query.location(file.string());
  if (query.namesFile())
    return nullptr;
  if (query.role() == WordRole::instance)
    for (const Use& use : usesOf(query, thingOf(query.words, *query.index)))
      if (use.isDeclaration)
        return use.place;
  if (query.parameter != nullptr)
    return placeInModule(query, "parameter", query.parameter->name);
  if (query.connector != nullptr)
    return placeInModule(query, "connector", query.connector->name);
  if (query.node != nullptr)
    return placeInModule(query, "node", query.node->name);
  return query.module != nullptr && query.role() == WordRole::module ? placeInModule(query, "", "") : Json();
}

Json references(Query& query, const Json& parameters) {
  Json places = Json::array();
  const std::string thing = query.index ? thingOf(query.words, *query.index) : "";
  const bool all = parameters.value("/context/includeDeclaration"_json_pointer, true);
  if (!thing.empty())
    for (const Use& use : usesOf(query, thing))
      if (all || !use.isDeclaration)
        places.push_back(use.place);
  return places;
}

Json prepareRename(Query& query, const Json&) {
  return query.range(renamedWord(query).where);
}

Json rename(Query& query, const Json& parameters) {
  const Word word = renamedWord(query);
  const auto& name = parameters.at("newName").get_ref<const std::string&>();
  if (!isName(name))
    throw RequestError(requestFailed,
                       fmt::format("'{}' is not a name: they have letters, digits, '-' and '_'", name));
  const std::string before = thingOf(query.words, *query.index);
  query.words.words[*query.index].text = name;
  const std::string later = thingOf(query.words, *query.index);
  if (name != word.text && !usesOf(query, later).empty())
    throw RequestError(requestFailed, fmt::format("the graph has {} already", later));
  Json changes = Json::object();
  for (const Use& use : usesOf(query, before))
    changes[use.place["uri"].get<std::string>()].push_back(
        {{"range", use.place["range"]}, {"newText", name}});
  return {{"changes", std::move(changes)}};
}

}  // namespace lacuna::lsp
