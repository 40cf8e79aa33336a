#pragma once
// The open files, and a question about one of them. Each question reads the graph by the stages of `check`,
// with the texts that editors have; only descriptions of modules are kept, until one changes. Positions count
// UTF-16 units, or bytes if the editor offers that.

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/lexer.h"
#include "graph/module/words.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna::lsp {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string_view>;

constexpr int parseError = -32700, invalidRequest = -32600, unknownMethod = -32601,
              invalidParameters = -32602, internalError = -32603, notInitialized = -32002,
              requestFailed = -32803;
struct RequestError : std::runtime_error {
  RequestError(int given, const std::string& message) : std::runtime_error(message), code(given) {}
  int code;
};

enum class Encoding { utf16, utf8 };
// A column counts from 0 in the encoding.
int columnOf(std::string_view line, int byte, Encoding encoding);
Json rangeOf(const Lines& lines, const Location& where, Encoding encoding);
// A number of a message, at least 0 and at most 2^31 - 1.
int countOf(const Json& number);
std::string pathOf(const std::string& uri);  // of a file; the URI if it is none

enum class FileKind { graph, module, body };  // module: a module.toml

struct Document {
  std::string path, text;
  int version = 0;
  FileKind kind = FileKind::body;
};

struct Workspace {
  std::vector<std::string> modules;  // of --modules
  Encoding encoding = {};
  std::map<std::string, Document> documents = {};  // by URI
  mutable Registry registry = Registry(moduleSearchPath(modules));

  // A module, unless it can't be read.
  std::shared_ptr<const ModuleDescription> find(const std::string& name) const;
  // Other open graphs that include this one; if there are none, itself.
  std::vector<const Document*> graphsWith(const Document& document) const;
  std::string uri(const std::string& path) const;  // as the editor spells it
  Json location(const std::string& path, const Lines& lines, const Location& where) const;
};

// A line's words, up to a mistake.
struct LineWords : LexedLine {
  WordRole role(size_t index) const { return roleOf(words, index); }
  // The last word of this role up to another one.
  std::optional<size_t> before(size_t index, WordRole role) const;
  // What a word belongs to, from its module up to the word of this role: "eaw", "eaw:01", "eaw:01:output".
  std::string name(size_t index, WordRole role) const;
};
LineWords wordsOf(std::string_view line, int number);
std::vector<LineWords> wordsOf(const Lines& lines);

struct Query {
  Query(const Workspace& all, const Json& parameters);

  const Workspace& workspace;
  const Document& document;
  Lines lines;
  int line = 0;  // the position: the line from 0, and a byte in it
  size_t byte = 0;
  std::string_view text = {};  // of the line
  LineWords words = {};
  std::optional<size_t> index = {};  // of the word at the position
  // What that word is about; null if it is none or isn't known.
  std::shared_ptr<const ModuleDescription> module = {};
  const ConnectorDescription* connector = nullptr;
  const ParameterDescription* parameter = nullptr;  // of values, too
  const NodeDescription* node = nullptr;
  // In a module.toml the word is a line's only one. Whose value or key is there, "node[0].kind", and the file
  // that the value may name.
  std::string entry = {}, file = {};

  void look(LineWords in, std::optional<size_t> at);  // at another word
  // At the word before the position as the line's last one, which may be empty or lack its second quote.
  // False in comments, behind words and behind mistakes.
  bool lookAtTyped();
  WordRole role() const { return words.role(*index); }
  bool namesFile() const {
    return role() == WordRole::file ||
           (role() == WordRole::value && parameter != nullptr && parameter->namesFile());
  }
  const Word& word() const { return words.words[*index]; }
  Json range(const Location& where) const { return rangeOf(lines, where, workspace.encoding); }
};

// What editors ask for, named as the protocol names it.
using Answer = Json(Query& query, const Json& parameters);
Answer completion, hover, signatureHelp, definition, references, prepareRename, rename, formatting,
    foldingRange, documentSymbol, semanticTokens;
Json semanticLegend();
Json symbolOf(const std::string& name, int kind, const Json& range, const std::string& detail = {});

Json moduleSymbols(const Query& query);
// Where its module declares the word; of a module's name, where that begins. Null for other words.
Json placeInModule(const Query& query);

std::string print(const LineForm& form);  // with what the guide says of it

}  // namespace lacuna::lsp
