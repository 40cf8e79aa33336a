#include "graph/module/read_module.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

Alias readTables(const toml::table& root, TomlFile& file, ModuleDescription& module) {
  TableReader reader(file, root, "", "the module");
  module.name = reader.string("name", Need::required).value_or("");
  module.summary = reader.string("summary", Need::required).value_or("");
  module.papers = reader.strings("papers");
  module.warmUp = readWarmUp(reader);
  module.code = readName(reader, NameKind::word, "code", Need::optional);
  module.readsOrigin = reader.boolean("origin").value_or(false);
  Alias alias = readAlias(reader);
  reader.tables("connector", "[[connector]]",
                [&](TableReader& table, size_t) { module.connectors.push_back(readConnector(table)); });
  reader.tables("parameter", "[[parameter]]", [&](TableReader& table, size_t) {
    module.parameters.push_back(readParameter(table, module.folder));
  });
  reader.tables("node", "[[node]]", [&](TableReader& table, size_t) {
    module.nodes.push_back(readNode(table, module.parameters));
  });
  reader.tables("variant", "[[variant]]",
                [&](TableReader& table, size_t) { module.variants.push_back(readVariant(table)); });
  reader.finish();
  return alias;
}

}  // namespace

void reportUnknownWord(const TableReader& reader, const std::string& key, const std::string& word,
                       const std::vector<std::string>& known) {
  reader.error(key, fmt::format("'{}' cannot be '{}'", key, word), suggest(word, known));
}

std::string readName(TableReader& reader, NameKind kind, const std::string& key, Need need) {
  const auto name = reader.string(key, need);
  if (!name) {
    return {};
  }
  if (kind == NameKind::word && !isName(*name)) {
    reader.error(key, fmt::format("'{}' is not a name", *name), "names have letters, digits, '-' and '_'");
  } else if (kind == NameKind::identifier &&
             (name->starts_with("gl_") || name->find("__") != std::string::npos)) {
    reader.error(key, fmt::format("'{}' is not a name that a shader can use", *name),
                 "GLSL keeps names with gl_ or two '_' for itself");
  } else if (kind == NameKind::identifier && (!isName(*name) || name->find('-') != std::string::npos ||
                                              std::isdigit(static_cast<unsigned char>((*name)[0])) != 0)) {
    reader.error(key, fmt::format("'{}' is not a name that a shader can use", *name),
                 "such names have letters, digits and '_', and start with no digit");
  }
  return *name;
}

uint32_t readArrayCount(TableReader& reader, uint32_t most) {
  const toml::node* node = reader.value("array");
  if (reader.has("planes")) {
    if (node != nullptr) {
      reader.error("array", "an array of planes has 'planes' in place of 'array'");
    }
    return anyCount;
  }
  if (node == nullptr || !node->is_boolean()) {
    return static_cast<uint32_t>(reader.integer("array", 1, most).value_or(0));
  }
  if (!**node->as_boolean()) {
    reader.error("array", "'array' is a number of elements, or true for any number",
                 "an image has no 'array'");
  }
  return anyCount;
}

std::optional<FormatChoice> readFormat(TableReader& reader, const std::string& key) {
  const auto word = reader.string(key);
  if (!word) {
    return std::nullopt;
  }
  FormatChoice choice;
  if (!word->empty() && (*word)[0] == '@') {
    choice.parameter = word->substr(1);
    return choice;
  }
  const auto format = findWord(formatWords(), *word);
  if (!format) {
    reportUnknownWord(reader, key, *word, namesOf(formatWords()));
  }
  choice.format = format.value_or(choice.format);
  return choice;
}

std::optional<ColourTag> readColour(TableReader& reader, std::string& parameter) {
  const auto word = reader.string("colour");
  if (word && !word->empty() && (*word)[0] == '@') {
    parameter = word->substr(1);
    return std::nullopt;
  }
  const auto colour = word ? findWord(colourWords(), *word) : std::nullopt;
  if (word && !colour) {
    reportUnknownWord(reader, "colour", *word, namesOf(colourWords()));
  }
  return colour;
}

ConnectorDescription readConnector(TableReader& reader) {
  ConnectorDescription connector;
  connector.name = readName(reader);
  connector.direction =
      readWord(reader, "direction", directionWords(), Need::required).value_or(Direction::input);
  connector.channels = readWords(reader, "channels", channelWords());
  connector.formats = readWords(reader, "formats", formatWords());
  connector.colour = readColour(reader, connector.colourParameter);
  connector.optional = reader.boolean("optional").value_or(false);
  connector.arrayCount = readArrayCount(reader);
  connector.planes = reader.boolean("planes").value_or(false);
  if (reader.has("planes") && !connector.planes) {
    reader.error("planes", "'planes' of a connector is true, or missing");
  }
  connector.images = reader.boolean("images").value_or(false);
  if (connector.images &&
      (connector.direction != Direction::input || connector.arrayCount == 0 || connector.planes)) {
    reader.error("images", "'images' is for inputs that take arrays: they take images, too",
                 "without 'array' an input takes images alone");
  }
  connector.doc = reader.string("doc").value_or("");
  connector.scope = reader.string("for").value_or("");
  if (connector.optional && connector.direction == Direction::output) {
    reader.error("optional", "'optional' is for inputs");
  }
  return connector;
}

namespace {

// `isBase`: the module is read for an alias of it, and must not be an alias itself.
std::shared_ptr<const ModuleDescription> readFolder(const std::string& folder, bool isBase,
                                                    Diagnostics& diagnostics) {
  const std::string path = (fs::path(folder) / "module.toml").string();
  // As for shaders: a link must not lead outside, because messages would quote that file.
  if (!liesWithin(path, {folder, fs::path(folder).parent_path(), fs::path(folder) / ".."})) {
    diagnostics.error({diagnostics.addFile(path, {}), 0, 0, 1},
                      "the file is a link to a place outside the module's folder and its parent");
    return nullptr;
  }
  const FileText read = readTextFile(path);
  const int index = diagnostics.addFile(path, read.text);
  if (!read.error.empty()) {
    diagnostics.error({index, 0, 0, 1}, "the file cannot be read: " + read.error);
    return nullptr;
  }
  const std::string text(afterByteOrderMark(read.text));
  TomlFile file(index, text, diagnostics);
  auto module = std::make_shared<ModuleDescription>();
  module->folder = folder;
  const bool isToml = readToml(text, file, [&](const toml::table& root) {
    const Alias alias = readTables(root, file, *module);
    if (!alias.base.empty() && isBase) {
      file.error("alias", "this module is itself an alias, and can't have one");
    } else if (!alias.base.empty()) {
      const fs::path beside = fs::path(folder) / ".." / alias.base;
      const auto base = readFolder(beside.lexically_normal(), true, diagnostics);
      if (base == nullptr) {
        file.error("alias", fmt::format("the description of module '{}' has errors", alias.base));
        return;
      }
      takeOver(*base, alias, *module, file);
    }
    checkModule(*module, file);
  });
  return isToml && !file.hasErrors() ? module : nullptr;
}

}  // namespace

std::shared_ptr<const ModuleDescription> readModule(const std::string& folder, Diagnostics& diagnostics) {
  return readFolder(folder, false, diagnostics);
}

}  // namespace lacuna
