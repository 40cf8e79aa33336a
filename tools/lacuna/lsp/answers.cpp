// What a word means, where it is defined and used, and a new name for it; a file's shape: symbols, folds,
// colours, standard format.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "graph/config/text.h"
#include "tools/lacuna/companions.h"
#include "tools/lacuna/lsp/query.h"
#include "tools/shell/command_words.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

// The row of a guide's table for a keyword or a key, below a heading with these words; "" if there is none.
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
  return form == nullptr || isName ? "" : print(*form);
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
    for (const LineWords& line : wordsOf(lines))
      for (size_t i = 0; i < line.words.size(); ++i)
        if (thingOf(line, i) == thing && !thing.empty())
          uses.push_back(
              {query.workspace.location(file, lines, line.words[i].where), line.words[0].text == "module"});
  }
  return uses;
}

const Word& renamedWord(const Query& query) {
  if (!query.index || query.role() != WordRole::instance)
    throw RequestError(requestFailed, "only instances can be renamed: the word behind a module's name");
  return query.word();
}

// By the number of a word's role; behind them, that of comments.
constexpr std::array tokenTypes = {"keyword", "class",  "variable", "property",   "property", "parameter",
                                   "string",  "number", "string",   "enumMember", "number",   "comment"};

size_t tokenOf(const LineWords& line, size_t index) {
  using enum WordRole;
  const Word& word = line.words[index];
  const WordRole role = line.role(index);
  if (role == value || role == option || role == number)
    return static_cast<size_t>(word.quoted ? value : parseNumber(word.text) ? number : option);
  return static_cast<size_t>(role);
}

}  // namespace

std::string print(const LineForm& form) {
  return form.expected + "\n" + guideRow("graph-files", "Lines", form.keyword);
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
  if (!query.lookAtTyped() || query.parameter == nullptr || query.role() != WordRole::value)
    return nullptr;
  const std::string type = wordOf(parameterTypeWords(), query.parameter->type);
  std::string label = query.parameter->name;
  Json parts = Json::array();
  for (uint32_t i = 0; i < std::min(query.parameter->count, mostShown); ++i) {
    parts.push_back({{"label", Json::array({label.size() + 1, label.size() + 1 + type.size()})}});
    label += ":" + type;
  }
  const size_t active = *query.index - 1 - *query.words.before(*query.index, WordRole::parameter);
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
    return query.workspace.location(file.string(), {}, {});
  if (query.namesFile())
    return nullptr;
  if (query.role() == WordRole::instance)
    for (const Use& use : usesOf(query, thingOf(query.words, *query.index)))
      if (use.isDeclaration)
        return use.place;
  return placeInModule(query);
}

Json references(Query& query, const Json& parameters) {
  Json places = Json::array();
  const std::string thing = query.index ? thingOf(query.words, *query.index) : "";
  const bool all = parameters.value("/context/includeDeclaration"_json_pointer, true);
  for (const Use& use : usesOf(query, thing))
    if (all || !use.isDeclaration)
      places.push_back(use.place);
  return places;
}

Json prepareRename(Query& query, const Json&) {
  return query.range(renamedWord(query).where);
}

Json rename(Query& query, const Json& parameters) {
  const Word& word = renamedWord(query);
  const auto& name = parameters.at("newName").get_ref<const std::string&>();
  if (!isName(name))
    throw RequestError(requestFailed,
                       fmt::format("'{}' is not a name: they have letters, digits, '-' and '_'", name));
  const std::string later = query.words.name(*query.index, WordRole::module) + ":" + name;
  if (name != word.text && !usesOf(query, later).empty())
    throw RequestError(requestFailed, fmt::format("the graph has {} already", later));
  Json changes = Json::object();
  for (const Use& use : usesOf(query, thingOf(query.words, *query.index)))
    changes[use.place["uri"].get<std::string>()].push_back(
        {{"range", use.place["range"]}, {"newText", name}});
  return {{"changes", std::move(changes)}};
}

Json symbolOf(const std::string& name, int kind, const Json& range, const std::string& detail) {
  return {{"name", name}, {"kind", kind}, {"detail", detail}, {"range", range}, {"selectionRange", range}};
}

// Modules and included files.
Json documentSymbol(Query& query, const Json&) {
  constexpr int fileSymbol = 1, moduleSymbol = 2;
  if (query.document.kind == FileKind::module)
    return moduleSymbols(query);
  Json symbols = Json::array();
  for (const LineWords& line : wordsOf(query.lines)) {
    const bool isModule = line.words.size() > 2 && line.words[0].text == "module";
    if (!isModule && (line.words.size() < 2 || line.words[0].text != "include"))
      continue;
    Location where = line.words[1].where;
    const Location& last = line.words[isModule ? 2 : 1].where;
    where.length = last.column + last.length - where.column;
    symbols.push_back(symbolOf(isModule ? line.name(2, WordRole::instance) : line.words[1].text,
                               isModule ? moduleSymbol : fileSymbol, query.range(where)));
  }
  return symbols;
}

// Lines up to an empty one.
Json foldingRange(Query& query, const Json&) {
  Json folds = Json::array();
  for (size_t first = 0, i = 0; i <= query.lines.size(); ++i) {
    if (i < query.lines.size() && query.lines[i].find_first_not_of(" \t") != std::string_view::npos)
      continue;
    if (i > first + 1)
      folds.push_back({{"startLine", first}, {"endLine", i - 1}});
    first = i + 1;
  }
  return folds;
}

Json semanticLegend() {
  return {{"tokenTypes", tokenTypes}, {"tokenModifiers", Json::array()}};
}

Json semanticTokens(Query& query, const Json&) {
  Json data = Json::array();
  int lastLine = 0, lastColumn = 0;
  const auto add = [&](size_t number, int byte, int length, size_t token) {
    const int line = static_cast<int>(number);
    const int column = columnOf(query.lines[number], byte, query.workspace.encoding);
    const int end = columnOf(query.lines[number], byte + length, query.workspace.encoding);
    for (const int each : {line - lastLine, column - (line == lastLine ? lastColumn : 0), end - column,
                           static_cast<int>(token), 0})
      data.push_back(each);
    lastLine = line;
    lastColumn = column;
  };
  const size_t count = query.document.kind == FileKind::graph ? query.lines.size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const LineWords line = wordsOf(query.lines[i], static_cast<int>(i) + 1);
    for (size_t word = 0; word < line.words.size(); ++word)
      if (const Location& where = line.words[word].where; where.length > 0)
        add(i, where.column - 1, where.length, tokenOf(line, word));
    if (!line.comment.empty())
      add(i, static_cast<int>(query.lines[i].rfind(line.comment)), static_cast<int>(line.comment.size()),
          tokenTypes.size() - 1);
  }
  return {{"data", std::move(data)}};
}

Json formatting(Query& query, const Json&) {
  Diagnostics reportedElsewhere;
  const auto text = query.document.kind == FileKind::graph
                        ? formatConfig(query.document.text, query.document.path, reportedElsewhere)
                        : std::nullopt;
  if (!text || *text == query.document.text)
    return Json::array();
  Json whole = query.range({});
  whole["end"]["line"] = query.lines.size();
  return Json::array({{{"range", whole}, {"newText", *text}}});
}

}  // namespace lacuna::lsp
