#pragma once
// The subcommands: a file each. All return the process's exit code. Data goes to stdout, messages to stderr.

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "lacuna/lacuna.h"
#include "tools/shell/arguments.h"

namespace lacuna {

// How raw photographs are developed: parameters of rawprep.
struct Development {
  std::optional<double> exposure;     // stops
  std::optional<double> temperature;  // kelvin
  std::optional<double> tint;
};

// For messages of both crops.
constexpr const char* cropWords = "first column and row, from 0 on, width and height";

struct DenoiseArguments {
  RunArguments run;                 // all except the graph and the outputs
  std::vector<std::string> inputs;  // files, names with %04d, folders, glob patterns; "-": stdin
  std::string output;               // file, name with %04d or {stem}, folder; "-": stdout
  size_t inputsBeforeOutput = 0;    // number of inputs before -o
  std::string method;               // if empty, by the input's planes
  std::vector<std::string> layers;  // of OpenEXR files, or "all"; if empty, the one that is found first
  std::string histogram;            // file with the picture's ray histograms, or empty
  std::map<std::string, std::string> guides;  // files of the picture's albedo, ...; empty names count as none
  std::string weights;                        // for cnn-unet; if empty, its own
  std::string transfer;                       // of an archive of Open Image Denoise; if empty, by its name
  std::string prefilter;                      // folder of archives that filter guides, or empty
  double strength = 1.0;                      // 0 to 4
  std::optional<bool> fast;                   // of wiener; if not set, on CPU devices
  int quality = 0;                            // of lossy compression, 1 to 100; 0: o-file's default
  int filePage = 0;                           // of files with several pages, from 1; 0: the only one
  Development development;                    // of raw photographs
  bool mosaic = false;                        // for DNG files: a mosaic again
  std::string noise;                          // as a line of a run prints it, or empty
  std::string crop;                           // "x,y,width,height" of the part that is written, or empty
  std::optional<std::string> page;            // HTML that shows the picture before and after, if any
  std::string saveGraph;                      // file for the graph that is run, or empty
  bool dryRun = false;                        // write no pictures
};

struct InfoArguments {
  std::vector<std::string> files;
  int page = 0;  // of files with several, from 1; 0: the only one
  bool json = false;
};

struct ShowArguments {
  std::vector<std::string> files;
  std::string as;  // one of showWays(); if empty, what the terminal can
};

struct CheckArguments {
  GraphArguments graph;              // without its file
  std::vector<std::string> targets;  // graph files, modules' folders or module.toml
  bool shaders = true;               // compile bodies
  bool json = false;
};

struct PlanArguments {
  GraphArguments graph;
  GraphOptions frames;
  int chunks = 0;        // number of ranges; 0: print the plan
  std::string stage;     // to print; if empty, the plan
  std::string model;     // of a device that needn't be here; empty if the device is here
  bool all = false;      // all candidates, not only the best of each family
  bool verbose = false;  // candidates, memory, accesses and barriers
  bool json = false;
};

struct ExportArguments {
  GraphArguments graph;
  std::string output;                // the bundle
  std::vector<std::string> sizes;    // "1920x1080"
  std::vector<std::string> sources;  // "i-memory:noisy=rgba:f16:rec709"
  std::vector<std::string> images;   // "i-memory:noisy=R16G16B16A16_SFLOAT"
};

struct TuneArguments {
  GraphArguments graph;
  int runs = 20;
  double seconds = 60.0;  // for each filter; 0: as many as it takes
  bool forget = false;
  std::string exported, imported;  // files
  bool json = false;
};

// Limits of scripts on metrics; for sequences, on their means.
struct CompareLimits {
  std::optional<double> maxRelMse, maxError, maxTemporal, minPsnr, minSsim, maxFlip;
  // With --blocks: a block's RMS divided by that of the baseline's block.
  std::optional<double> maxBlockRatio;
};

struct CompareArguments {
  std::vector<std::string> images;  // files, or a sequence with %04d; the last one is the reference
  std::string baseline;             // what the images were made from, or empty
  std::string frames;               // as for parseFrames(); if empty, those of the image
  std::string first = "0";          // added to the frame in file names: "N" or "N:N:N", the last one repeats
  std::optional<std::string> blocks;  // "10x10": RMS of each block; if none, metrics of whole pictures
  // For --blocks: files for false colours, as nameFalseColours() takes them.
  std::optional<std::string> output;
  std::optional<std::string> difference;  // PNG for the difference, if any
  std::optional<std::string> page;        // HTML that shows the pictures, if any
  std::optional<std::string> crop;        // "x,y,width,height": all that the page shows
  std::string layer;                      // for files with several view layers; if empty, the first one
  CompareLimits limits;
  bool json = false;

  const std::string& image() const { return images.front(); }
  const std::string& reference() const { return images.back(); }
};

struct WatchArguments {
  RunArguments run;
  std::optional<int> port;  // of the page; 0: any; if none, there is no page
};

struct DrawArguments {
  GraphArguments graph;
  bool nodes = false;
  std::string output;  // file; if empty, DOT to stdout
};

struct NewArguments {
  std::string folder;
  std::string kind;  // pointwise, stencil, kernel, native
};

struct TestArguments {
  std::vector<std::string> targets;  // folders of modules, or names
  std::vector<std::string> modules;
  double tolerance = 1e-3;  // |a - b| / max(|b|, 0.01)
  bool accepts = false;     // the graphs' outputs become the expected files
  std::string device;
  bool json = false;
};

struct LspArguments {
  std::vector<std::string> modules;
  bool shaders = true;  // compile bodies of opened and saved files
};

struct CacheArguments {
  bool clear = false;
  bool json = false;
};

int runGraph(const RunArguments& arguments);
// Within a command. `devices` are opened unless an earlier run did it.
int runGraph(const RunArguments& arguments, nlohmann::ordered_json& out, std::vector<Device>& devices);
// Those of --device, unless they are open.
void openDevices(std::vector<Device>& devices, const RunArguments& arguments,
                 const std::shared_ptr<Trace>& trace = nullptr);
int runDenoise(const DenoiseArguments& arguments);
int runInfo(const InfoArguments& arguments);
int runShow(const ShowArguments& arguments);
std::vector<std::string> showWays();
int runCheck(const CheckArguments& arguments);
struct LoadedGraph;
// A graph's mistakes are in its diagnostics; with `shaders` also those of bodies.
LoadedGraph checkGraph(const std::string& file, const GraphArguments& graph, bool shaders);
// The mistakes of a module's description and, with `shaders`, of its bodies; `modules`: folders, as of
// --modules.
Diagnostics checkModule(const std::string& folder, const std::vector<std::string>& modules, bool shaders);
int runPlan(const PlanArguments& arguments);
std::vector<std::string> planStages();  // of --stage
int runWatch(const WatchArguments& arguments);
int runDraw(const DrawArguments& arguments);
int runFormat(const std::vector<std::string>& graphs, bool checkOnly);
int runNew(const NewArguments& arguments);
int runTest(const TestArguments& arguments);
int runTune(const TuneArguments& arguments);
int runExport(ExportArguments arguments);
int runDescribe(const std::vector<std::string>& folders, const std::string& name, bool json);
int runModules(const std::vector<std::string>& folders, bool json);
int runCompare(const CompareArguments& arguments);
int runDevices(bool json);
int runCache(const CacheArguments& arguments);
int runLsp(const LspArguments& arguments);

// The folder of the module that a word means: a folder, its module.toml, or the name of one in these folders;
// "" if it is none of these.
std::string moduleFolder(const std::string& word, const std::vector<std::string>& folders);

// The graphs in test/ of a module's folder, sorted.
std::vector<std::string> testGraphs(const std::string& folder);

}  // namespace lacuna
