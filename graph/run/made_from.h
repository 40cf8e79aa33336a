#pragma once
// A record of what an output was made from, in a file beside it, FOLDER/.lacuna/NAME.json: a later run with
// `resume` makes those again whose program, modules, graph, parameters or inputs have changed. Outputs
// themselves don't hold it, so that equal pictures are equal files.
//
// Schedules don't count, because they give the same bits, and neither do names of inputs and outputs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

struct MadeFrom {
  // A file that is the same in all frames: a still, a scene's texture, weights.
  struct Still {
    std::string path;
    uint64_t stamp = 0, content = 0;
  };

  uint64_t settings = 0;           // settingsDigest()
  uint64_t bytes = 0;              // of the output
  std::optional<int> history = 0;  // number of frames before its own that it depends on; nullopt: all
  bool cutsAtGaps = false;         // as in WarmUp
  uint64_t stamp = 0;              // stamps of its own frame's files, as in FrameInputs
  uint64_t content = 0;            // likewise
  uint64_t all = 0;                // the content of its own frame and of those that it depends on, added up
  std::vector<Still> stills;
};

// The record of an output by its name; nullopt if there is none, or it can't be read.
std::optional<MadeFrom> readRecord(const std::string& output);
void writeRecord(const std::string& output, const MadeFrom& record);  // throws FileError
void removeRecord(const std::string& output);

// Everything but files that sources read: the program, modules' files, connections, the file that
// LACUNA_LAYERS names, and parameters as the graph file and options set them (native code sets others, by
// files).
uint64_t settingsDigest(const ModuleGraph& graph);

// Files that are the same in all frames. nullopt if one of them is standard input, which can't be read again.
std::optional<std::vector<MadeFrom::Still>> stillFiles(const ModuleGraph& graph);

// What distinguishes a frame from its neighbours: its number, its numbered files, keyframes.
class FrameInputs {
 public:
  explicit FrameInputs(const ModuleGraph& graph) : graph_(graph) {}
  uint64_t stamp(int frame) const;    // without reading files
  uint64_t content(int frame) const;  // 0 if one of its files can't be read

 private:
  uint64_t keyed(int frame) const;

  const ModuleGraph& graph_;
};

}  // namespace lacuna
