#pragma once
// A graph file as written: words and their places. Nothing is looked up here; module names, connectors and
// parameters are resolved in nodes/module_graph.h.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/diagnostics.h"

namespace lacuna {

struct Word {
  std::string text;  // without quotes
  Location where;
  bool quoted = false;
};

struct InstanceRef {
  Word module;
  Word instance;
  std::string name() const { return module.text + ":" + instance.text; }
};

struct ConnectorRef {
  InstanceRef owner;
  Word connector;
};

struct ModuleLine {
  InstanceRef owner;
  std::optional<std::array<float, 2>> position;  // of a graph editor; kept, unused
};

struct ConnectLine {
  ConnectorRef from;
  ConnectorRef to;
  bool feedback = false;  // `feedback:`: last frame's value
};

enum class Interpolation { automatic, linear, step };  // automatic: linear for floats, else step

struct ParamLine {
  InstanceRef owner;
  Word name;
  std::vector<Word> values = {};  // none: a mistake among them was reported
  std::optional<int> frame = {};  // set for `keyframe:`
  Interpolation interpolation = Interpolation::automatic;
  bool fromOption = false;  // of the command line
};

// Frames count from 0 and end here, so that a frame's number in the name of its file, after that of the first
// one (up to a billion, too), is an int. They are never listed one by one: graph/files/frame_set.h.
inline constexpr int mostFrames = 1'000'000'000;

// `warmup:12` or `warmup:all`: frames that are computed before the first one that is asked for.
struct WarmUpLine {
  std::optional<int> frames;  // nullopt: all frames
  Location where;
};

// lacuna:1 | frames:N | fps:F | write:all|last | warmup:N|all | module:M:I[:x:y] | connect:M:I:C:M:I:C |
// feedback:M:I:C:M:I:C | param:M:I:P:v[:v...] | keyframe:F:M:I:P:v[:v...][:linear|:step] | include:FILE
struct Config {
  std::optional<int> frames;  // if none, 1, or as many as sources have numbered files
  float framesPerSecond = 24.0F;
  bool writesLast = false;           // `write:last`: only the last frame is written
  std::optional<WarmUpLine> warmUp;  // if none, the modules' own
  std::vector<ModuleLine> modules;
  std::vector<ConnectLine> connections;
  std::vector<ParamLine> params;     // in file order: the last one of a parameter wins
  std::vector<ParamLine> keyframes;  // in file order
  std::string folder;                // of the graph file: relative names of inputs start there
  int file = -1;                     // of the graph file, in the Diagnostics
};

// What a word of a line stands for. option: one of the form's words, such as `all`.
enum class WordRole {
  keyword,
  module,
  instance,
  output,
  input,
  parameter,
  value,
  frame,
  file,
  option,
  number
};

// A kind of line: its keyword, and the words that follow.
struct LineForm {
  std::string keyword;
  size_t least, most;                     // words after the keyword
  std::vector<WordRole> roles;            // of these words; further ones have the last one's
  std::string expected;                   // "module:MODULE:INSTANCE", for messages
  std::vector<std::string> options = {};  // of words with this role, and behind all values
};
const std::vector<LineForm>& lineForms();
const LineForm* findLineForm(std::string_view keyword);
// The role of a line's word; a number, which stands for nothing, in lines of unknown keywords.
WordRole roleOf(const std::vector<Word>& line, size_t index);

// Reads a graph file and what it includes, which must lie below the graph's folder or below one of the roots.
// Syntax errors go to `diagnostics`; all other lines are returned.
Config parseConfigFile(const std::string& path, Diagnostics& diagnostics,
                       const std::vector<std::string>& includeRoots = {});
Config parseConfigText(const std::string& text, const std::string& name, Diagnostics& diagnostics,
                       const std::vector<std::string>& includeRoots = {});

std::string print(const Config& config);  // as a graph file

// The standard format of a graph file's text: whitespace, quotes and line ends change; words and their order
// don't. Lines without spaces around their words; comments stay, behind the words of neighbouring lines in
// one column; one empty line between groups, none at either end; "\n" as line end. Names and numbers are
// bare, file names and other text quoted, and a value that was quoted stays so. Formatting twice changes
// nothing more. `name` is the file's, for messages and for the folder that its includes start from.
// `diagnostics` must have no errors yet. nullopt if the text has errors, which are reported.
std::optional<std::string> formatConfig(const std::string& text, const std::string& name,
                                        Diagnostics& diagnostics);

}  // namespace lacuna
