#include "tools/lacuna/lsp/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fileScheme = "file://";

// Of a byte: 1, or the UTF-16 units of the character that it begins in UTF-8; 0 within one.
int unitsOf(char byte, Encoding encoding) {
  if (encoding == Encoding::utf8)
    return 1;
  return isContinuationByte(byte) ? 0 : static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
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

size_t endOf(const Word& word) {
  return static_cast<size_t>(word.where.column + word.where.length - 1);
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
  LexedLine lexed = lexLine(line, {-1, number, 1, 1}, reportedElsewhere);
  return {std::move(lexed.words), std::move(lexed.comment)};
}

Query::Query(const Workspace& all, const Json& parameters)
    : workspace(all),
      document(documentOf(all, parameters)),
      lines(splitLines(document.text)),
      registry(all.registry) {
  if (!parameters.contains("position"))
    return;
  line = countOf(parameters["position"].at("line"));
  byte = byteOf(text(), countOf(parameters["position"].at("character")), all.encoding);
  if (document.kind == FileKind::module)
    lookInModule(*this);
  if (document.kind != FileKind::graph)
    return;
  LineWords here = wordsOf(text(), line + 1);
  std::optional<size_t> at;
  for (size_t i = here.words.size(); i-- > 0;)  // between two words: the first
    if (byte + 1 >= static_cast<size_t>(here.words[i].where.column) && byte <= endOf(here.words[i]))
      at = i;
  look(std::move(here), at);
}

std::string_view Query::text() const {
  return lineOf(lines, line);
}

void Query::look(LineWords in, std::optional<size_t> at) {
  words = std::move(in);
  index = at;
  module = at ? find(words.name(*at, WordRole::module)) : nullptr;
  const auto name = at ? words.before(*at, WordRole::parameter) : std::nullopt;
  parameter = module != nullptr && name ? module->parameter(words.words[*name].text) : nullptr;
  const bool connects = at && (role() == WordRole::input || role() == WordRole::output);
  connector = module != nullptr && connects ? module->connector(word().text) : nullptr;
}

std::shared_ptr<const ModuleDescription> Query::find(const std::string& name) {
  Diagnostics reportedElsewhere;
  return registry.find(name, reportedElsewhere);
}

Json Query::location(const std::string& path, const Location& where) const {
  const FileText file = readTextFile(path);
  return {{"uri", workspace.uri(path)}, {"range", rangeOf(splitLines(file.text), where, workspace.encoding)}};
}

}  // namespace lacuna::lsp
