#pragma once
// File sources and sinks of a graph: names, probing, reading and writing a frame.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "graph/compile/node_graph.h"
#include "graph/io/image_file.h"

namespace lacuna {

// The file that a source reads or a sink writes in a frame: parameter `filename`, with the frame plus
// `first`, relative to the graph file.
std::string fileOf(const ModuleInstance& module, const std::string& folder, int frame);

bool readsFile(const ModuleInstance& source);  // false: its image comes from a program's memory

// For buildNodeGraph: the types that a source's file delivers, from its header alone.
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
void readFrame(const NodeGraph& graph, const Node& source, int frame, const std::vector<FilePlane>& planes);
void writeFrame(const NodeGraph& graph, const Node& sink, int frame, const std::vector<FilePlane>& planes);

}  // namespace lacuna
