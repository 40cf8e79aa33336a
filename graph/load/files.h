#pragma once
// File sources and sinks of a graph: names, probing, reading and writing a frame, all by their native code;
// and a frame of a host node.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/files/held_files.h"
#include "graph/module/native_call.h"
#include "graph/nodes/module_file.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {

// False, and reported, if the module needs a file but none is named.
bool hasFileName(const ModuleInstance& module, Diagnostics& diagnostics);

// Reports sinks whose files can't be written. `frames`: the frames to run.
void checkSinks(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

// One value that moves between a file and the device.
struct FilePlane {
  std::string name;
  ValueType type;
  std::span<std::byte> pixels;
};
// An error of native code while a frame ran, with the graph's lines that set the wrong parameters.
struct NativeFileError : FileError {
  NativeFileError(const std::string& text, Diagnostics found)
      : FileError(text), diagnostics(std::move(found)) {}
  Diagnostics diagnostics;
};
// A file of a source that can't be read.
struct InputError : NativeFileError {
  using NativeFileError::NativeFileError;
};
using Warn = std::function<void(Severity, const std::string&)>;  // a warning or a note

// Both may run on several threads at once, for different nodes or frames, and throw FileError;
// NativeFileError if native code failed, or readFrame InputError. A written file appears complete or not at
// all; with ModuleGraph::keepsOutputs no existing file is written. `held`: the frame's input files, opened by
// the first call. `rows`: the picture passes in rows.
void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes,
               const Warn& warn, HeldFiles& held, const PassRows& rows = {});
void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes,
                const Warn& warn, HeldFiles& held, const PassRows& rows = {});
// What a host node reads and makes, in the picture or in a tile of one of that extent.
struct HostValues {
  const std::vector<FilePlane>& inputs;
  const std::vector<FilePlane>& outputs;
  PixelPlace first = {};
  Extent whole = {};  // empty: not in tiles
};
// A frame of a host node. Throws NativeFileError.
void computeNode(const NodeGraph& graph, const Node& host, int frame, const HostValues& values,
                 const Warn& warn);
// Throws InputError where a module's nodes, which were built for the first frame's file, would be others for
// this frame's.
void checkOrigins(const NodeGraph& graph, int frame, HeldFiles& held);
// Whether a source's or sink's file can pass in rows.
bool passesRows(const NodeGraph& graph, const Node& node);

}  // namespace lacuna
