#pragma once
// What a graph is loaded with, and what comes of it (graph/compile). In this folder alone files are looked
// for and native code says what it delivers.

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

// "svgf:01:levels" "4": as a `param:` line of the graph file, after all others; but a file name starts in the
// current folder. `option` is what messages say that it comes from, such as "-p svgf:01:levels=4". A
// parameter that is one text needs no quotes around colons.
struct Override {
  std::string parameter;
  std::string value;
  std::string option = {};
  bool isFileName = false;  // the value is one, of -i or -o, whatever characters it has
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
  // The frames that will be run, of the graph as it was read: their files are looked for. What
  // sources deliver follows from the first one's. They count from 0; ModuleGraph::firstNumber is the number
  // of that frame's files. None: nothing is looked for but the files of frame 0.
  std::function<FrameSet(const ModuleGraph&)> frames = {};
  Missing missing = Missing::error;
  OutputRules outputs = {};
  bool skipDamaged = false;  // what sources deliver follows from the first frame whose headers can be read
  std::map<std::string, ValueType> memory;  // "i-memory:01" -> the type of the image that the program brings
  StageTrace see = {};
};

// A graph as far as it can be known without a device.
struct LoadedGraph {
  NodeGraph graph;
  Diagnostics diagnostics;
  FrameSet frames = {};  // of LoadOptions::frames, without those that are skipped
  // Each module of the graph once, also where the graph has errors.
  std::vector<std::shared_ptr<const ModuleDescription>> descriptions = {};
  bool ok() const { return !diagnostics.hasErrors(); }
};

}  // namespace lacuna
