#pragma once
// The open files, and a question about one of them. Each question reads the graph by the stages of `check`,
// with the texts that editors have; only descriptions of modules are kept, until one changes.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/module/words.h"
#include "tools/lacuna/lsp/protocol.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna::lsp {

enum class FileKind { graph, module, body };  // module: a module.toml

struct Document {
  std::string uri, path, text;
  int version = 0;
  FileKind kind = FileKind::body;
};

struct Workspace {
  std::vector<std::string> modules;  // of --modules
  Encoding encoding = {};
  std::map<std::string, Document> documents = {};  // by URI
  mutable Registry registry = Registry(moduleSearchPath(modules));

  // Other open graphs that include this one; if there are none, itself.
  std::vector<const Document*> graphsWith(const Document& document) const;
  std::string uri(const std::string& path) const;  // as the editor spells it
};

// A line's words, up to a mistake.
struct LineWords {
  std::vector<Word> words;
  std::string comment;

  WordRole role(size_t index) const { return roleOf(words, index); }
  // The last word of this role up to another one.
  std::optional<size_t> before(size_t index, WordRole role) const;
  // "eaw" and "eaw:01": what a word belongs to.
  std::string module(size_t index) const;
  std::string instance(size_t index) const;
};
LineWords wordsOf(std::string_view line, int number);

struct Query {
  Query(const Workspace& all, const Json& parameters);

  const Workspace& workspace;
  const Document& document;
  Lines lines;
  Registry& registry;
  int line = 0;  // the position: the line from 0, and a byte in it
  size_t byte = 0;
  LineWords words = {};
  std::optional<size_t> index = {};  // of the word at the position
  // What that word is about; null if it is none or isn't known.
  std::shared_ptr<const ModuleDescription> module = {};
  const ConnectorDescription* connector = nullptr;
  const ParameterDescription* parameter = nullptr;  // of values, too

  void look(LineWords in, std::optional<size_t> at);  // at another word
  std::string_view text() const;                      // of the line
  WordRole role() const { return words.role(*index); }
  bool namesFile() const {
    return role() == WordRole::file ||
           (role() == WordRole::value && parameter != nullptr && parameter->namesFile());
  }
  const Word& word() const { return words.words[*index]; }
  std::shared_ptr<const ModuleDescription> find(
      const std::string& name);  // a module, unless it can't be read
  Json range(const Location& where) const { return rangeOf(lines, where, workspace.encoding); }
  Json location(const std::string& path, const Location& where = {-1, 1, 1, 0}) const;
};

// What editors ask for, named as the protocol names it.
using Answer = Json(Query& query, const Json& parameters);
Answer completion, hover, signatureHelp, definition, references, prepareRename, rename, formatting,
    foldingRange, documentSymbol, semanticTokens;
Json semanticLegend();
Json symbolOf(const std::string& name, int kind, const Json& range, const std::string& detail = {});

// The mistakes of all that is open, by URI; with `shaders` those of bodies, too.
Json checkAll(const Workspace& workspace, bool shaders);
Json mistakeAtBegin(const std::string& message);

// The same in a module.toml. `text`: what `describe` or the guide says of the word there.
std::string moduleText(const Query& query, Location& where);
Json moduleDefinition(const Query& query);
Json moduleSymbols(const Query& query);
// Where a module declares a "connector" or a "parameter"; if it doesn't, where it begins.
Json placeInModule(const Query& query, const ModuleDescription& module, const char* kind,
                   const std::string& name);

// The row of a guide's table for a keyword or a key, below a heading with these words; "" if there is none.
std::string guideRow(const std::string& topic, const std::string& heading, const std::string& word);

}  // namespace lacuna::lsp
