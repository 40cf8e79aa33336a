#pragma once
// The options, the stages and the result of loading a graph (graph/compile). Only in this folder native code
// looks for files and states its types.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "graph/files/file_kind.h"
#include "graph/files/frame_set.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_graph.h"
#include "graph/nodes/node_graph.h"
#include "graph/stage_trace.h"

namespace lacuna {

// Outputs that would replace files that the same run needs.
struct OutputRules {
  bool overwriteInput = false;  // sinks may replace inputs that no later frame reads
  bool keepOutputs = false;     // sinks replace nothing
  std::vector<OtherOutput> others = {};
  std::string permission = "GraphOptions::overwriteInput";  // what the caller sets for it, for messages
};

// Reports outputs that would replace protected files, by device and inode: inputs of the run, which are
// graph files (those in `diagnostics`), the files of all modules except sinks, numbered files up to the last
// frame, since earlier frames may have to be computed, and ModuleInstance's alsoRead; and files that
// irreplaceable() refuses. With overwriteInput only inputs that a later frame still reads: files are
// replaced when their frame is done. Also reports two files with one name, of any sinks and frames.
// `frames`: the frames to run.
void checkOverwriting(const ModuleGraph& graph, const FrameSet& frames, const OutputRules& rules,
                      Diagnostics& diagnostics);

// "svgf:01:levels" "4": as a `param:` line of the graph file, after all others, except that a file name
// starts in the current folder. `option` is its origin in messages, such as "-p svgf:01:levels=4". A
// parameter with a single text needs no quotes around colons.
struct Override {
  std::string parameter;
  std::string value;
  std::string option = {};
  // The value is a file's name, of -i or -o, whatever characters it has.
  enum class File { none, input, output } file = File::none;
};

// A file for the graph's only source, or for its only sink, whatever their names are.
struct FileOption {
  bool isOutput = false;
  std::string name;
};

struct LoadOptions {
  std::vector<std::string> modulePath;         // from moduleSearchPath()
  std::vector<std::string> includeRoots = {};  // folders, beside the graph's, that it may include from
  std::vector<Override> overrides;
  std::vector<FileOption> files;
  std::map<std::string, std::vector<std::string>> frameFiles = {};  // "i-file:01" -> ModuleInstance's
  // The frames to run, of the graph as it was read: their files are looked for. The types of sources follow
  // from the first one's. They count from 0; ModuleGraph::firstNumber is the number of that frame's files.
  // If none, only the files of frame 0 are looked for.
  std::function<FrameSet(const ModuleGraph&)> frames = {};
  Missing missing = Missing::error;
  OutputRules outputs = {};
  bool skipDamaged = false;  // sources' types follow from the first frame whose headers can be read
  std::map<std::string, ValueType> memory;  // "i-memory:01" -> the type of the program's image
  StageTrace see = {};
};

// Everything about a graph that needs no device.
struct LoadedGraph {
  NodeGraph graph;
  Diagnostics diagnostics;
  FrameSet frames = {};  // of LoadOptions::frames, without those that are skipped
  // Each module of the graph once, also if the graph has errors.
  std::vector<std::shared_ptr<const ModuleDescription>> descriptions = {};
  bool ok() const { return !diagnostics.hasErrors(); }
};

// Users' words for a graph: parameters and files.
struct GraphWords {
  std::vector<std::string> parameters = {};  // -p module:instance:parameter=value
  std::vector<std::string> inputs = {};      // -i FILE or source:instance=FILE
  std::vector<std::string> outputs = {};     // -o FILE or sink:instance=FILE
};

// Adds the words to the options.
void addWords(const GraphWords& words, LoadOptions& options, Diagnostics& diagnostics);

// Appends the command line's parameters and files to the lines of the file.
Config applyOptions(Config config, const LoadOptions& options, Registry& registry, Diagnostics& diagnostics);

// The overrides that `files` stand for. Reports graphs without such a module, and with several, by name.
std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics);

// Looks for files and asks native code, which is loaded, about those of the first frame that can run: its
// settle() sets parameters that depend on files, sources first, since sinks depend on them; its probe() reads
// the types of sources' values from headers. With Missing::wait those files are awaited; with skipDamaged the
// first frame is the earliest one whose files have readable headers, or stays if there is none. If the graph
// has errors, its files are read nevertheless, so that their mistakes are reported together with the others,
// but never twice.
Sources findSources(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

// A step of it, before native code is asked: numbers of frames, and their existing files.
// ModuleGraph::firstFrame is the first frame that can run.
Sources findFrames(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace lacuna
