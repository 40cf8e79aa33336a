// A graph file's shape: symbols, folds, colours, standard format.

#include <array>

#include "graph/config/text.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

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

Json symbolOf(const std::string& name, int kind, const Json& range, const std::string& detail) {
  return {{"name", name}, {"kind", kind}, {"detail", detail}, {"range", range}, {"selectionRange", range}};
}

// Modules and included files.
Json documentSymbol(Query& query, const Json&) {
  constexpr int fileSymbol = 1, moduleSymbol = 2;
  if (query.document.kind == FileKind::module)
    return moduleSymbols(query);
  Json symbols = Json::array();
  for (size_t i = 0; i < query.lines.size(); ++i) {
    const LineWords line = wordsOf(query.lines[i], static_cast<int>(i) + 1);
    const bool isModule = line.words.size() > 2 && line.words[0].text == "module";
    if (!isModule && (line.words.size() < 2 || line.words[0].text != "include"))
      continue;
    Location where = line.words[1].where;
    where.length = static_cast<int>(endOf(line.words[isModule ? 2 : 1])) - where.column + 1;
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
