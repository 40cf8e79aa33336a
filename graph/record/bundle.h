#pragma once
// A bundle: graphs as `lacuna export` writes them, which programs record without a compiler and without
// modules.
//
// A file has a magic number, its version, its length and a checksum; then shaders and constants, each once;
// then graphs. Memory and barriers aren't in it: place() makes them of the passes when they are loaded, with
// the device's own sizes and alignments.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/record/frame_recorder.h"
#include "graph/vk/executable.h"

namespace lacuna {

constexpr uint32_t bundleVersion = 1;

struct BundleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A graph for sources of one size.
struct BundledGraph {
  Extent size;        // of its sources
  FrameGraph passes;  // ordered; without nodes, and of modules with the parameters alone that shaders read
  vk::Code spirv;
  MemoryPorts ports;
  GivenPlaces places;
  bool cutsAtGaps = false;  // as in WarmUp
  uint32_t lanes = 0;       // invocations that the device's subgroups must have; 0: any number
};

struct Bundle {
  std::string name = {};                  // of its file, for messages
  std::string maker = {};                 // "lacuna 0.1.0"
  std::vector<BundledGraph> graphs = {};  // of one size: the one that needs most of a device first
};

// Without all that only compilers need. Sets passes, code and lanes.
BundledGraph bundled(const FrameGraph& passes, const vk::Code& spirv);

std::string bundleText(Bundle bundle);  // of its file

// Throws BundleError: what is no bundle, one of another version, or a damaged one. `name` is the file's.
Bundle parseBundle(std::string_view text, const std::string& name);
// Throws BundleError, also for what can't be read.
Bundle readBundle(const std::string& path);

// What passes or parameters contradict; "" if a device can record the graph, as far as that shows without
// one.
std::string contradictionIn(const BundledGraph& graph);

// Makes the stated length and checksum right, also for tests that change files.
void renewHead(std::string& text);

}  // namespace lacuna
