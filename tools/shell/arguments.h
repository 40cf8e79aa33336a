#pragma once
// Common parts of both programs' commands: exit codes, and options of a graph and its run.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/files/file_kind.h"
#include "lacuna/lacuna.h"

namespace lacuna {

// 0 done, 1 a run or an item failed, 2 usage or configuration, 3 no usable device, 4 input or output failed
// while running.
constexpr int exitOk = 0;
constexpr int exitFailed = 1;
constexpr int exitUsage = 2;
constexpr int exitNoDevice = 3;
constexpr int exitFiles = 4;
constexpr int exitSignal = 128;  // plus the signal's number, if one ended a run: 130 after Ctrl-C

// Common options of commands on a graph.
struct GraphArguments {
  std::string graph;                      // file; "-": standard input
  std::string text;                       // instead of the file, whose name is then only for messages
  std::vector<std::string> modules;       // --modules
  std::vector<std::string> includeRoots;  // --include-root
  std::vector<std::string> parameters;    // -p module:instance:parameter=value
  std::vector<std::string> inputs;        // -i FILE or source:instance=FILE
  std::vector<std::string> outputs;       // -o FILE or sink:instance=FILE
  std::map<std::string, std::vector<std::string>> files;  // as in GraphOptions: pictures of a batch
  PipelineOptions pipeline;                               // --schedule, --memory, --no-fuse, --debug-shaders
  std::string device;
  bool validate = false;
};

enum class ShowProgress { automatic, always, never };  // automatic: of sequences

// GraphOptions: those of frames and of existing outputs; `graph` has the others.
struct RunArguments : GraphOptions {
  GraphArguments graph;
  std::string profile;              // file for a Chrome trace; "-" is stdout; or empty
  std::string report;               // file for a page about the run, or empty
  int runs = 1;                     // that follow each other
  bool isStep = false;              // its files are read by a run that follows, and then removed
  double begun = 0.0;               // commandSeconds() when this part began
  int inFlight = 0;                 // frames in flight; 0: the default
  std::vector<OtherOutput> others;  // that the command writes
  bool tune = true;                 // measure filters first, if the run is long
  bool time = false;
  bool quiet = false;
  bool json = false;
  ShowProgress progress = ShowProgress::automatic;
  std::function<void(const RunProgress&)> watch;  // for each frame, instead of progress and messages
};

}  // namespace lacuna
