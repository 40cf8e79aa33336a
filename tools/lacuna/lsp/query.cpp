#include "tools/lacuna/lsp/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fileScheme = "file://";

// Of a byte: 1, or the UTF-16 units of the character that it begins in UTF-8; 0 within one.
int unitsOf(char byte, Encoding encoding) {
  const bool isWide = static_cast<unsigned char>(byte) >= 0xF0;
  return encoding == Encoding::utf8 ? 1 : isContinuationByte(byte) ? 0 : isWide ? 2 : 1;
}

// Whether the word is there, or ends there.
bool holds(const Location& where, size_t byte) {
  const int column = static_cast<int>(byte) + 1;
  return column >= where.column && column <= where.column + where.length;
}

size_t byteOf(std::string_view line, int column, Encoding encoding) {
  size_t byte = 0;
  while (byte < line.size() && (column -= unitsOf(line[byte], encoding)) >= 0)
    ++byte;
  return byte;
}

// From 0 on; "" beyond them.
std::string_view lineOf(const Lines& lines, int number) {
  return number >= 0 && number < std::ssize(lines) ? lines[static_cast<size_t>(number)] : std::string_view();
}

std::string uriOf(const std::string& path) {
  std::string uri(fileScheme);
  for (const char each : fs::absolute(path).lexically_normal().generic_string())
    uri += isName({&each, 1}) || each == '/' || each == '.'
               ? std::string(1, each)
               : fmt::format("%{:02X}", static_cast<unsigned char>(each));
  return uri;
}

bool includes(const Document& graph, const Document& other) {
  Diagnostics files;
  parseConfigText(graph.text, graph.path, files);
  return contains(files.fileNames(), other.path);
}

const Document& documentOf(const Workspace& workspace, const Json& parameters) {
  const auto& uri = parameters.at("textDocument").at("uri").get_ref<const std::string&>();
  const auto found = workspace.documents.find(uri);
  if (found == workspace.documents.end())
    throw RequestError(invalidParameters, fmt::format("{} is not open", uri));
  return found->second;
}

// Tables that declare a name, and the protocol's numbers for them: properties, variables, functions.
const std::map<std::string, int> symbolKinds = {
    {"parameter", 7}, {"connector", 13}, {"node", 12}, {"variant", 12}};

struct Declared {
  std::string kind, name;
  Location where;
};

// A module.toml as the editor has it: names by the description that was read, places by the reader.
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
    std::ranges::sort(list, {}, [](const Declared& each) { return each.where.line; });
    return list;
  }

  const std::string path, text;
  const Lines lines = splitLines(text);
  ModuleSource source;
};

// At the word of a module.toml that is at the position.
void lookInModule(Query& query) {
  const ModuleFile file(fs::path(query.document.path).parent_path());
  const std::string_view line = query.text;
  // Without what stands around it in values such as "@format" and "node.output".
  size_t first = query.byte, end = query.byte;
  while (first > 0 && isName(line.substr(first - 1, 1)))
    --first;
  while (end < line.size() && isName(line.substr(end, 1)))
    ++end;
  const std::string word(line.substr(first, end - first));
  Location place{-1, 0, std::numeric_limits<int>::max(), 0};  // of the value that ends first
  for (const auto& [entry, where] : file.source.places) {
    const bool isKey = static_cast<int>(end) < where.column && entry.substr(entry.rfind('.') + 1) == word;
    if (where.line == query.line + 1 && (isKey || holds(where, query.byte)) &&
        where.column + where.length < place.column + place.length) {
      query.entry = entry;
      place = where;
    }
  }
  if (query.entry.empty())
    return;
  const Location where{-1, query.line + 1, static_cast<int>(first) + 1, static_cast<int>(end - first)};
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

}  // namespace

int columnOf(std::string_view line, int byte, Encoding encoding) {
  int units = 0;
  for (const char each : line.substr(0, static_cast<size_t>(byte)))
    units += unitsOf(each, encoding);
  return units;
}

Json rangeOf(const Lines& lines, const Location& where, Encoding encoding) {
  const int line = std::max(where.line, 1) - 1, first = std::max(where.column, 1) - 1;
  const auto place = [&](int byte) -> Json {
    return {{"line", line}, {"character", columnOf(lineOf(lines, line), byte, encoding)}};
  };
  return {{"start", place(first)}, {"end", place(first + where.length)}};
}

int countOf(const Json& number) {
  constexpr double most = std::numeric_limits<int>::max();
  if (!number.is_number_integer())
    throw RequestError(invalidParameters, "expected a whole number");
  return static_cast<int>(std::clamp(number.get<double>(), 0.0, most));
}

std::string pathOf(const std::string& uri) {
  if (!uri.starts_with(fileScheme))
    return uri;
  std::string path;
  for (size_t i = std::min(uri.find('/', fileScheme.size()), uri.size()); i < uri.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = uri.data() + i + 1;
    const bool isEscaped = uri[i] == '%' && i + 2 < uri.size() &&
                           std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2 && byte != 0;
    path += isEscaped ? static_cast<char>(byte) : uri[i];
    i += isEscaped ? 2 : 0;
  }
  return fs::path(path).lexically_normal().generic_string();
}

std::shared_ptr<const ModuleDescription> Workspace::find(const std::string& name) const {
  Diagnostics reportedElsewhere;
  return registry.find(name, reportedElsewhere);
}

std::vector<const Document*> Workspace::graphsWith(const Document& document) const {
  std::vector<const Document*> graphs;
  for (const auto& [uri, other] : documents)
    if (&other != &document && other.kind == FileKind::graph && includes(other, document) &&
        !includes(document, other))
      graphs.push_back(&other);
  return graphs.empty() ? std::vector{&document} : graphs;
}

std::string Workspace::uri(const std::string& path) const {
  for (const auto& [uri, document] : documents)
    if (document.path == path)
      return uri;
  return uriOf(path);
}

Json Workspace::location(const std::string& path, const Lines& lines, const Location& where) const {
  return {{"uri", uri(path)}, {"range", rangeOf(lines, where, encoding)}};
}

std::optional<size_t> LineWords::before(size_t index, WordRole wanted) const {
  for (size_t i = index + 1; i-- > 0;)
    if (role(i) == wanted)
      return i;
  return std::nullopt;
}

std::string LineWords::name(size_t index, WordRole last) const {
  const auto first = before(index, WordRole::module), end = before(index, last);
  std::string name;
  for (size_t i = first.value_or(0); first && end && i <= *end; ++i)
    name += (name.empty() ? "" : ":") + words[i].text;
  return name;
}

LineWords wordsOf(std::string_view line, int number) {
  Diagnostics reportedElsewhere;
  return {lexLine(line, {-1, number, 1, 1}, reportedElsewhere)};
}

std::vector<LineWords> wordsOf(const Lines& lines) {
  std::vector<LineWords> all;
  for (const std::string_view line : lines)
    all.push_back(wordsOf(line, static_cast<int>(all.size()) + 1));
  return all;
}

Query::Query(const Workspace& all, const Json& parameters)
    : workspace(all), document(documentOf(all, parameters)), lines(splitLines(document.text)) {
  if (!parameters.contains("position"))
    return;
  line = countOf(parameters["position"].at("line"));
  text = lineOf(lines, line);
  byte = byteOf(text, countOf(parameters["position"].at("character")), all.encoding);
  if (document.kind == FileKind::module)
    lookInModule(*this);
  if (document.kind != FileKind::graph)
    return;
  LineWords here = wordsOf(text, line + 1);
  std::optional<size_t> at;
  for (size_t i = here.words.size(); i-- > 0;)  // between two words: the first
    if (holds(here.words[i].where, byte))
      at = i;
  look(std::move(here), at);
}

void Query::look(LineWords in, std::optional<size_t> at) {
  words = std::move(in);
  index = at;
  module = at ? workspace.find(words.name(*at, WordRole::module)) : nullptr;
  const auto name = at ? words.before(*at, WordRole::parameter) : std::nullopt;
  parameter = module != nullptr && name ? module->parameter(words.words[*name].text) : nullptr;
  const bool connects = at && (role() == WordRole::input || role() == WordRole::output);
  connector = module != nullptr && connects ? module->connector(word().text) : nullptr;
}

bool Query::lookAtTyped() {
  const std::string before(text.substr(0, byte));
  LineWords typed = wordsOf(before, line + 1);
  if (typed.wrong && !(typed = wordsOf(before + '"', line + 1)).wrong)
    --typed.words.back().where.length;
  if (typed.words.empty() && !typed.wrong && typed.comment.empty())
    typed.words.push_back({"", {-1, line + 1, static_cast<int>(byte) + 1, 0}});
  if (typed.wrong || !typed.comment.empty() || !holds(typed.words.back().where, byte))
    return false;
  const size_t last = typed.words.size() - 1;
  look(std::move(typed), last);
  return true;
}

Json placeInModule(const Query& query) {
  using Name = std::pair<std::string, std::string>;
  const auto [kind, name] = query.parameter != nullptr   ? Name("parameter", query.parameter->name)
                            : query.connector != nullptr ? Name("connector", query.connector->name)
                            : query.node != nullptr      ? Name("node", query.node->name)
                                                         : Name();
  if (query.module == nullptr || (name.empty() && query.role() != WordRole::module))
    return nullptr;
  const fs::path own = query.module->folder;
  for (const fs::path& folder : {own, own.parent_path() / query.module->alias.base}) {
    const ModuleFile file(folder);
    for (const Declared& each : file.declared())
      if (each.kind == kind && each.name == name)
        return query.workspace.location(file.path, file.lines, each.where);
  }
  ModuleFile file(own);
  return query.workspace.location(file.path, file.lines, file.source.places["name"]);
}

Json moduleSymbols(const Query& query) {
  const ModuleFile file(fs::path(query.document.path).parent_path());
  Json list = Json::array();
  for (const Declared& each : file.declared())
    list.push_back(symbolOf(each.name, symbolKinds.at(each.kind), query.range(each.where), each.kind));
  return list;
}

}  // namespace lacuna::lsp
