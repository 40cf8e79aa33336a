#include "tools/lacuna/lsp/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna::lsp {
namespace {

std::vector<std::string> filesOf(const Document& graph) {
  Diagnostics reportedElsewhere;
  parseConfigText(graph.text, graph.path, reportedElsewhere);
  return reportedElsewhere.fileNames();
}

const Document& documentOf(const Workspace& workspace, const Json& parameters) {
  const auto& uri = parameters.at("textDocument").at("uri").get_ref<const std::string&>();
  const auto found = workspace.documents.find(uri);
  if (found == workspace.documents.end())
    throw RequestError(invalidParameters, fmt::format("{} is not open", uri));
  return found->second;
}

}  // namespace

std::vector<const Document*> Workspace::graphsWith(const Document& document) const {
  std::vector<const Document*> graphs;
  for (const auto& [uri, other] : documents)
    if (&other != &document && other.kind == FileKind::graph && contains(filesOf(other), document.path) &&
        !contains(filesOf(document), other.path))
      graphs.push_back(&other);
  return graphs.empty() ? std::vector{&document} : graphs;
}

std::string Workspace::uri(const std::string& path) const {
  for (const auto& [uri, document] : documents)
    if (document.path == path)
      return uri;
  return uriOf(path);
}

std::optional<size_t> LineWords::before(size_t index, WordRole wanted) const {
  for (size_t i = index + 1; i-- > 0;)
    if (role(i) == wanted)
      return i;
  return std::nullopt;
}

std::string LineWords::module(size_t index) const {
  const auto at = before(index, WordRole::module);
  return at ? words[*at].text : "";
}

std::string LineWords::instance(size_t index) const {
  const auto at = before(index, WordRole::module);
  return at && *at + 1 < words.size() ? words[*at].text + ":" + words[*at + 1].text : "";
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
  LineWords here = wordsOf(document.kind == FileKind::graph ? text() : "", line + 1);
  std::optional<size_t> at;
  for (size_t i = here.words.size(); i-- > 0;)  // between two words: the first
    if (const auto first = static_cast<size_t>(here.words[i].where.column - 1);
        byte >= first && byte <= first + static_cast<size_t>(here.words[i].where.length))
      at = i;
  look(std::move(here), at);
}

void Query::look(LineWords in, std::optional<size_t> at) {
  words = std::move(in);
  index = at;
  module = at ? find(words.module(*at)) : nullptr;
  const auto name = at ? words.before(*at, WordRole::parameter) : std::nullopt;
  parameter = module != nullptr && name ? module->parameter(words.words[*name].text) : nullptr;
  const bool connects = at && (role() == WordRole::input || role() == WordRole::output);
  connector = module != nullptr && connects ? module->connector(word().text) : nullptr;
}

std::string_view Query::text() const {
  return static_cast<size_t>(line) < lines.size() ? lines[static_cast<size_t>(line)] : std::string_view();
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
