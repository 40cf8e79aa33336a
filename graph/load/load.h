#pragma once
// The options and the result of loading a graph (graph/compile). Only in this folder native code looks for
// files and states its types.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/files/file_kind.h"
#include "graph/load/missing.h"
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

// Adds the words to the options. Returns what is wrong with them.
std::vector<std::string> addWords(const GraphWords& words, LoadOptions& options);

// "name" and "value" of "name=value", at the first '='.
std::pair<std::string, std::string> splitAtEquals(const std::string& word);

}  // namespace lacuna
