#pragma once
// File sources and sinks of a graph: names, probing, reading and writing a frame, all by their native code.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/compile/node_graph.h"
#include "graph/files/file_name.h"

namespace lacuna {

// The file of a module in a frame: parameter `filename`, with the frame plus `first`, relative to the graph
// file. Empty where the module has no such parameter or it is empty. Throws FileError.
std::string fileOf(const ModuleInstance& module, const std::string& folder, int frame);

// For buildNodeGraph: the types that a source will deliver, from the first frame's header alone.
std::map<std::string, ValueType> probeSource(const ModuleInstance& source, const ModuleGraph& graph,
                                             Diagnostics& diagnostics);

// Reports sinks whose files can't be written, and two sinks that write the same file.
void checkSinks(const ModuleGraph& graph, Diagnostics& diagnostics);

// One value that moves between a file and the device.
struct FilePlane {
  std::string name;
  ValueType type;
  std::span<std::byte> pixels;
};
using Warn = std::function<void(const std::string&)>;

// Both may run on several threads at once, for different nodes or frames, and throw FileError. A file that is
// written appears complete or not at all.
void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes,
               const Warn& warn);
void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes,
                const Warn& warn);

}  // namespace lacuna
