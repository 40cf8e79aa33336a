#pragma once
// The options and the result of loading a graph (graph/compile). Only in this folder native code looks for
// files and states its types.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/load/missing_files.h"
#include "graph/load/overwriting.h"
#include "graph/nodes/node_graph.h"
#include "graph/stage_trace.h"

namespace lacuna {

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

}  // namespace lacuna
