#pragma once
// The subcommands: a file each. All return the process's exit code: 0 done, 1 a run or
// an item failed, 2 usage or configuration, 3 no usable device, 4 input or output failed while running. Data
// goes to stdout, messages to stderr.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/load/missing_files.h"
#include "graph/load/overwriting.h"

namespace lacuna {

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

struct RunArguments {
  GraphArguments graph;
  std::string frames;  // as parseFrames() takes them
  int warmUp = -1;     // frames before; -1: as graph and modules say
  MissingFiles missing = MissingFiles::error;
  std::string profile;  // file for a Chrome trace; "-": stdout; empty: none
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

struct DenoiseArguments {
  RunArguments run;                 // all but the graph and the outputs
  std::vector<std::string> inputs;  // files, names with %04d, folders, glob patterns; "-": stdin
  std::string output;               // file, name with %04d or {stem}, folder; "-": stdout
  size_t inputsBeforeOutput = 0;    // how many inputs stand before -o
  std::string method;               // empty: by what the input has
  std::string histogram;            // file with the picture's ray histograms; empty: none
  std::string weights;              // of cnn-unet; empty: its own
  double strength = 1.0;            // 0 to 4
  int quality = 0;                  // of JPEG outputs, 1 to 100; 0: as o-file has it
  std::string saveGraph;            // file for the graph that is run; empty: none
};

struct InfoArguments {
  std::vector<std::string> files;
  bool json = false;
};

struct CheckArguments {
  GraphArguments graph;              // but for its file
  std::vector<std::string> targets;  // graph files, modules' folders or module.toml
  bool shaders = true;               // compile bodies
  bool json = false;
};

struct PlanArguments {
  GraphArguments graph;
  std::string stage;     // to print; empty: the plan
  bool all = false;      // candidates: all, not the best of each family
  bool verbose = false;  // candidates, memory, accesses and barriers
  bool json = false;
};

struct TuneArguments {
  GraphArguments graph;
  int runs = 20;
  double seconds = 60.0;  // a filter; 0: as many as it takes
  bool forget = false;
  bool json = false;
};

// What scripts demand of metrics; of sequences, of their means.
struct CompareLimits {
  std::optional<double> maxRelMse, maxError, maxTemporal, minPsnr, minSsim, maxFlip;
  std::optional<double> maxBlockRatio;  // of --blocks: a block's RMS by that of the baseline's block
};

struct CompareArguments {
  std::vector<std::string> images;  // files, or a sequence with %04d; the last one is the reference
  std::string baseline;             // what the images were made from; empty: none
  std::string frames;               // as parseFrames() takes them; empty: those that the image has
  std::string first = "0";          // added to the frame in file names: "N" or "N:N:N", the last one repeats
  std::optional<std::string> blocks;  // "10x10": RMS of each of these; none: metrics of whole pictures
  std::optional<std::string>
      output;  // of --blocks: files for false colours, as nameFalseColours() takes them
  std::optional<std::string> difference;  // PNG for the difference; none: not written
  CompareLimits limits;
  bool json = false;

  const std::string& image() const { return images.front(); }
  const std::string& reference() const { return images.back(); }
};

struct DrawArguments {
  GraphArguments graph;
  bool nodes = false;
  std::string output;  // file; empty: DOT to stdout
};

struct NewArguments {
  std::string folder;
  std::string kind;  // pointwise, stencil, kernel, native
};

struct TestArguments {
  std::vector<std::string> targets;  // folders of modules, or names
  std::vector<std::string> modules;
  double tolerance = 1e-3;  // |a - b| / max(|b|, 0.01)
  bool accepts = false;     // what the graphs write becomes what is expected
  std::string device;
  bool json = false;
};

int runGraph(const RunArguments& arguments);
int runDenoise(const DenoiseArguments& arguments);
int runInfo(const InfoArguments& arguments);
int runCheck(const CheckArguments& arguments);
int runPlan(const PlanArguments& arguments);
int runDraw(const DrawArguments& arguments);
int runFormat(const std::vector<std::string>& graphs, bool checkOnly);
int runNew(const NewArguments& arguments);
int runTest(const TestArguments& arguments);
int runTune(const TuneArguments& arguments);
int runDescribe(const std::vector<std::string>& modulePath, const std::string& name, bool json);
int runModules(const std::vector<std::string>& modulePath, bool json);
int runCompare(const CompareArguments& arguments);
int runDevices(bool json);

}  // namespace lacuna
