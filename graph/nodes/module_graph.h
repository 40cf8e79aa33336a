#pragma once
// Config -> ModuleGraph: every name looked up, every value typed and in range, every mistake reported.

#include <memory>
#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/files/frame_set.h"
#include "graph/ids.h"
#include "graph/module/native_code.h"
#include "graph/module/registry.h"

namespace lacuna {

struct Keyframe {
  int frame = 0;
  ParameterValues values;
  bool linear = false;
};

struct Parameter {
  const ParameterDescription* description = nullptr;
  ParameterValues values;           // from the file, or the defaults
  std::vector<Keyframe> keyframes;  // ascending; if empty, `values` hold in every frame
  Location where;                   // of the last line that set it; file -1 for a default
  bool isSet = false;               // by a line or an option; false for a default
  bool isWrong = false;             // a line or an option has no value for it, which was reported
  bool fromOption = false;          // of the command line: file names start in the current folder
};

struct ModuleInstance;
using ModuleId = Id<ModuleInstance>;

struct ModuleConnection {
  ModuleId producer;
  std::string connector;  // output connector there
  bool feedback = false;
  Location where;
};

struct ModuleInstance {
  std::shared_ptr<const ModuleDescription> description;
  std::string instance;
  Location where;
  std::vector<Parameter> parameters;               // in the description's order
  std::map<std::string, ModuleConnection> inputs;  // input connector -> its source
  std::vector<std::string> connectedOutputs;       // sorted
  // The channels that its `input` may have, as far as the modules before it say; empty if they don't. Outputs
  // without channels of their own have them.
  std::vector<Channels> inputChannels = {};
  std::shared_ptr<const NativeCode> native = nullptr;  // set by loadNative, for modules that need it
  std::vector<std::string> frameFiles = {};  // a file for each frame, instead of a number in `filename`
  FrameSet there = {};                       // for sources with a file for each frame: those that exist
  bool holdsLast = false;                    // the last file before replaces a missing one
  int firstNumber = 0;                       // in the name of its file in frame 0; see load/file_numbers.h
  std::vector<std::string> alsoRead = {};    // other files that its native code read when it probed
  // The native node that its nodes replace; empty if the module is from the graph file.
  std::string builtFrom = {};

  std::string name() const { return description->name + ":" + instance; }  // "eaw:01"
  const Parameter& parameter(const std::string& name) const;
  const ParameterValue& value(const std::string& name) const { return parameter(name).values.front(); }
  bool holds(const When& when) const {
    return when.holds([&](const std::string& name) -> const ParameterValue& { return value(name); });
  }
  // What module.toml states itself, or by a parameter.
  template <typename T>
  T valueOf(const OrParameter<T>& stated) const {
    return stated.parameter.empty() ? stated.value : std::get<T>(value(stated.parameter));
  }
  // `otherwise`: for words that native code settles later.
  template <typename T>
  T valueOf(const OrParameter<T>& stated, const WordList<T>& words, const T& otherwise) const {
    return stated.parameter.empty()
               ? stated.value
               : findWord(words, std::get<std::string>(value(stated.parameter))).value_or(otherwise);
  }
};

struct ModuleGraph {
  Table<ModuleId, ModuleInstance> modules;  // producers before consumers (feedback aside)
  int frames = 1;
  bool hasFrames = false;       // the graph file says how many
  bool writesLast = false;      // sinks write only the last frame, unless others are requested
  bool keepsOutputs = false;    // sinks replace no file
  std::optional<Extent> whole;  // the picture's, if native code builds nodes for a tile
  int firstFrame = 0;           // the first one to run: its files determine sources' types
  // The number of frame 0 for users: that of its files, if sources are numbered files; else 0.
  int firstNumber = 0;
  float framesPerSecond = 24.0F;
  std::optional<WarmUpLine> warmUp;  // as the graph file says
  std::string folder;                // relative names of inputs start there, those of outputs here
  std::vector<std::string> files;    // and options that locations refer to, for errors while frames run

  const ModuleInstance* find(const std::string& name) const;
};

// Each module of the graph once.
std::vector<std::shared_ptr<const ModuleDescription>> descriptionsOf(const ModuleGraph& graph);

// Whether the node exists with the instance's structural parameters.
bool isActive(const NodeDescription& node, const ModuleInstance& instance);

// Whether an input takes an output of this module, by all that is known before files are read.
bool takes(const ConnectorDescription& input, const ModuleInstance& producer,
           const ConnectorDescription& output);

ModuleGraph buildModuleGraph(const Config& config, Registry& registry, Diagnostics& diagnostics);

// The words as values of a parameter, all `count` of them; reports mistakes and returns none then.
ParameterValues convertValues(const ParameterDescription& parameter, const Word& name,
                              const std::vector<Word>& words, Diagnostics& diagnostics);

// The value of a parameter in a frame: keyframes interpolated, held before the first and after the last.
ParameterValues valuesAt(const Parameter& parameter, int frame);

std::string print(const ModuleGraph& graph);

}  // namespace lacuna
