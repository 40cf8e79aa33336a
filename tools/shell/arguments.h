#pragma once
// What commands of both programs share: exit codes, and what a graph and its run are asked for.

#include <cstdint>
#include <string>
#include <vector>

#include "graph/load/missing_files.h"
#include "graph/load/overwriting.h"

namespace lacuna {

// 0 done, 1 a run or an item failed, 2 usage or configuration, 3 no usable device, 4 input or output failed
// while running.
constexpr int exitOk = 0;
constexpr int exitFailed = 1;
constexpr int exitUsage = 2;
constexpr int exitNoDevice = 3;
constexpr int exitFiles = 4;
constexpr int exitSignal = 128;  // and the signal's number, where one ended a run: 130 after Ctrl-C

// What commands on a graph share.
struct GraphArguments {
  std::string graph;                      // file; "-": standard input
  std::string text;                       // in place of the file, which then is a name for messages
  std::vector<std::string> modules;       // --modules
  std::vector<std::string> includeRoots;  // --include-root
  std::vector<std::string> parameters;    // -p module:instance:parameter=value
  std::vector<std::string> inputs;        // -i FILE or source:instance=FILE
  std::vector<std::string> outputs;       // -o FILE or sink:instance=FILE
  std::vector<std::string> schedules;     // --schedule NAME or module:instance=NAME
  bool keepsApart = false;                // --no-fuse
  std::string device;
  uint64_t memory = 0;  // bytes that the graph may take on the device; 0: as many as there are
  bool validate = false;
  bool debugShaders = false;  // --debug-shaders
};

enum class ShowProgress { automatic, always, never };  // automatic: of sequences

struct FrameArguments {
  std::string frames;  // as parseFrames() takes them
  int warmUp = -1;     // frames before; -1: as graph and modules say
  Missing missing = Missing::error;
};

struct RunArguments : FrameArguments {
  GraphArguments graph;
  std::string profile;  // file for a Chrome trace; "-": stdout; empty: none
  int runs = 1;         // that are alike and follow each other: pictures of a batch
  double begun = 0.0;   // commandSeconds() when this one of them began
  int inFlight = 0;     // frames at a time; 0: by default
  bool resume = false;
  bool skipDamaged = false;
  bool overwriteInput = false;
  bool keepOutputs = false;         // --no-clobber
  std::vector<OtherOutput> others;  // that the command writes
  bool tune = true;                 // measure filters first, where the run is long
  bool time = false;
  bool quiet = false;
  bool json = false;
  ShowProgress progress = ShowProgress::automatic;
};

}  // namespace lacuna
