#pragma once
// The parts of readModule: tables of a module.toml -> their descriptions, then conditions between them.

#include "graph/config/toml_reader.h"
#include "graph/module/description.h"
#include "graph/module/words.h"

namespace lacuna {

ConnectorDescription readConnector(TableReader& reader);
// `folder`: the module's, beside which a file of choices may lie.
ParameterDescription readParameter(TableReader& reader, const std::string& folder);
NodeDescription readNode(TableReader& reader, const std::vector<ParameterDescription>& parameters);

VariantDescription readVariant(TableReader& reader);

// `warmup` of the module, and its conditions.
std::vector<WarmUpDescription> readWarmUp(TableReader& module);
void checkWarmUp(const ModuleDescription& module, TomlFile& file);

// Names that must exist, be unique or fit each other.
void checkModule(const ModuleDescription& module, TomlFile& file);
// Reads nodes and the output connectors that they make.
void checkNodes(const ModuleDescription& module, TomlFile& file);
// Reads variants of kernels.
void checkVariants(const ModuleDescription& module, TomlFile& file);
// Checks the variants that a native node's module has for nodes built by its code. Mistakes are reported at
// the nodes that don't fit them.
void checkBuiltVariants(const ModuleDescription& module, TomlFile& file);
// Reads one node; earlier nodes are those before `index`.
void checkNode(const ModuleDescription& module, size_t index, TomlFile& file);

void reportUnknownWord(const TableReader& reader, const std::string& key, const std::string& word,
                       const std::vector<std::string>& known);

// A module that is another one with some of its parameters fixed: `alias`. False, and reported: it can't.
struct Alias {
  std::string base;                          // the folder of the other module; empty if it is not an alias
  std::map<std::string, std::string> fixed;  // choices and their words
  std::vector<std::string> parameters;       // in this order: the other module's, and its own
};
Alias readAlias(TableReader& reader);
void takeOver(const ModuleDescription& base, const Alias& alias, ModuleDescription& module, TomlFile& file);

// A string that must be one of `words`.
template <typename Enum>
std::optional<Enum> readWord(TableReader& reader, const std::string& key, const WordList<Enum>& words,
                             Need need = Need::optional) {
  const auto word = reader.string(key, need);
  if (!word) {
    return std::nullopt;
  }
  const auto value = findWord(words, *word);
  if (!value) {
    reportUnknownWord(reader, key, *word, namesOf(words));
  }
  return value;
}

// A list of such words, or a single one.
template <typename Enum>
std::vector<Enum> readWords(TableReader& reader, const std::string& key, const WordList<Enum>& words) {
  std::vector<Enum> values;
  const std::vector<std::string> list = reader.stringOrList(key);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string entry = key + "[" + std::to_string(i) + "]";
    if (const auto value = findWord(words, list[i])) {
      values.push_back(*value);
    } else if (!reader.file().isWrong(reader.path(entry))) {
      reader.error(entry, "'" + key + "' cannot hold '" + list[i] + "'", suggest(list[i], namesOf(words)));
    }
  }
  return values;
}

// A name of letters, digits, '-' and '_', or with `identifier`, one that GLSL accepts.
enum class NameKind { word, identifier };
std::string readName(TableReader& reader, NameKind kind = NameKind::word, const std::string& key = "name",
                     Need need = Need::required);

// A whole number from `least` to `most`, or the name of a parameter.
Count readCount(TableReader& reader, const std::string& key, int64_t fallback, int64_t least, int64_t most);

constexpr int64_t maxWorkgroup = 1024;  // invocations
constexpr int64_t maxRepeats = 64;
constexpr int64_t maxSide = 65535;  // for an image whose size a module states: files have no more

// [x, y], with at most this many invocations; otherwise nullopt.
std::optional<std::array<uint32_t, 2>> readWorkgroup(const toml::node& node);

// `extent` of a node's output.
std::optional<OutputExtent> readExtent(TableReader& output);

// `array`: its elements, 1 to 2^31 - 1, or true for any number; 0 for an image. If `planes` stands in its
// place, the number is also free.
uint32_t readArrayCount(TableReader& reader, uint32_t most = maxArrayCount);
// `planes` of an output: a number, arithmetic, or true: 0.
std::optional<Count> readPlanes(TableReader& output);
// `shape` of an output: numbers, parameters or arithmetic, or empty.
std::vector<Count> readShape(TableReader& output);

// "f16", or "@precision".
std::optional<FormatChoice> readFormat(TableReader& reader, const std::string& key);
// "rec709", or "@to": then `parameter` is "to".
std::optional<ColourTag> readColour(TableReader& reader, std::string& parameter);

}  // namespace lacuna
