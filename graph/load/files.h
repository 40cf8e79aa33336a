#pragma once
// File sources and sinks of a graph: names, probing, reading and writing a frame, all by their native code.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/nodes/module_file.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {

// False, and reported, where the module takes a file but none is named.
bool hasFileName(const ModuleInstance& module, Diagnostics& diagnostics);

// Reports sinks whose files can't be written. `frames`: those that will be run.
void checkSinks(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

// Whether a sink writes to standard output, where nothing else may be printed then.
bool writesStandardOutput(const ModuleGraph& graph);

// One value that moves between a file and the device.
struct FilePlane {
  std::string name;
  ValueType type;
  std::span<std::byte> pixels;
};
// What native code reported while a frame ran; with the lines of the graph that set what is to blame.
struct NativeFileError : FileError {
  NativeFileError(const std::string& text, Diagnostics found)
      : FileError(text), diagnostics(std::move(found)) {}
  Diagnostics diagnostics;
};
// A file of a source that can't be read.
struct InputError : NativeFileError {
  using NativeFileError::NativeFileError;
};
using Warn = std::function<void(const std::string&)>;

// Both may run on several threads at once, for different nodes or frames, and throw FileError, where native
// code failed NativeFileError, or readFrame InputError. A file that is written appears complete or not at
// all; where ModuleGraph::keepsOutputs none is written that is there.
void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes,
               const Warn& warn);
void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes,
                const Warn& warn);

}  // namespace lacuna
