#pragma once
// A record of what an output was made from, in a file beside it, FOLDER/.lacuna/NAME.json: a later run with
// `resume` makes those again whose program, modules, graph, parameters or inputs have changed. Outputs
// themselves don't hold it, so that equal pictures are equal files. Whoever writes an output (PartFile) first
// removes its record, so that none lies beside another output than its own.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/files/frame_set.h"
#include "graph/files/held_files.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// Options of a run that decide what a frame depends on.
struct RunMode {
  int warmUp = -1;  // frames; -1: as the graph says
  Missing missing = Missing::error;
  bool skipsDamaged = false;
  bool isListed = false;  // each frame is a picture of its own
};

// All that pixels depend on beside input files, as a text: the graph as options, modules and their files
// leave it, before native code sets what follows from files. Every member of its structures is named in
// graph_key.cpp, so that a new one can't be forgotten. Not in it: which frames run, on which device, by which
// schedule, and names of inputs and outputs, since none changes a frame's pixels.
std::string keyText(const ModuleGraph& graph, const RunMode& mode,
                    const std::vector<std::string>& modulePath);

std::string wordsOf(const ParameterValues& values);  // a line each

struct MadeFrom {
  // A file that is the same in all frames.
  struct Still {
    std::string path;
    uint64_t stamp = 0, content = 0;
  };

  uint64_t settings = 0;           // of keyText()
  Still output;                    // without its name
  std::optional<int> history = 0;  // number of frames before its own that it depends on; nullopt: all
  bool cutsAtGaps = false;         // as in WarmUp
  uint64_t stamp = 0;              // stamps of its own frame's files, as in FrameInputs
  uint64_t content = 0;            // likewise
  uint64_t all = 0;                // the content of its own frame and of those that it depends on, added up
  std::vector<Still> stills;       // namedStills()
  std::vector<Still> beside;       // that native code has read beside these, as a scene's textures
};

// The record of an output by its name.
struct FoundRecord {
  std::optional<MadeFrom> record;
  bool isOlder = false;  // of another version, which says something else
  std::string mistake;   // why it can't be read; empty if there is none
};
FoundRecord readRecord(const std::string& output);
// Throws FileError, also for a record that is larger than readRecord() takes.
void writeRecord(const std::string& output, const MadeFrom& record);

// Files that the graph names and that are the same in all frames, in its order: stills, weights, tables.
// Without contents. nullopt if one of them is standard input, which can't be read again.
std::optional<std::vector<MadeFrom::Still>> namedStills(const ModuleGraph& graph);
// Those that native code has reported since.
std::vector<MadeFrom::Still> stillsBeside(const ModuleGraph& graph);

// What distinguishes a frame from its neighbours: its number, its numbered files, keyframes.
class FrameInputs {
 public:
  explicit FrameInputs(const ModuleGraph& graph) : graph_(graph) {}
  uint64_t stamp(int frame) const;    // without reading files
  uint64_t content(int frame) const;  // 0 if one of its files can't be read
  // Both, of the files that the frame has read.
  uint64_t stamp(int frame, HeldFiles& held) const;
  uint64_t content(int frame, HeldFiles& held) const;

 private:
  using Digest = std::function<uint64_t(const std::string& file)>;
  uint64_t digest(int frame, const Digest& ofFile) const;
  uint64_t keyed(int frame) const;

  const ModuleGraph& graph_;
};

}  // namespace lacuna
