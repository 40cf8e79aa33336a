#pragma once
// The steps of `lacuna denoise` between its inputs and its run. They report what is wrong to `problems`.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/shell/arguments.h"

namespace lacuna {

// The mistake if `-o *.png` seems to have become `-o a.png b.png c.png`; "" if not. With only one file behind
// a.png this can't be known, unless it is also named as an input.
std::string expandedOutput(const DenoiseArguments& arguments);

// Reports each name with a line break or with bytes that are no UTF-8.
void checkNames(const std::vector<DenoiseJob>& jobs, Diagnostics& problems);

// With --missing wait: waits for files that are named, and for the first two of each sequence, by which its
// method and the convention of its motion are chosen.
void awaitFiles(const DenoiseArguments& arguments, Diagnostics& problems);

// Sets DenoiseJob::frames, from --frames or from what was named. Missing files are treated as in `lacuna run`
// (graph/load/file_numbers.h), but all inputs are checked before the first one runs.
void chooseFrames(std::vector<DenoiseJob>& jobs, const RunArguments& run, Diagnostics& problems);

// Outputs that are inputs, by device and inode, are mistakes (with `mayOverwrite` only those that another job
// reads, which may not have read them by then).
void checkFiles(const std::vector<DenoiseJob>& jobs, bool mayOverwrite, Diagnostics& problems);

// Mistakes in ray histograms, of files that have them and of frames that make them.
void checkHistograms(const std::vector<DenoiseJob>& jobs, const std::string& histogram,
                     Diagnostics& problems);

// Reads for which planes --weights is, and finds the archives of --prefilter, into the jobs.
void takeWeights(std::vector<DenoiseJob>& jobs, const DenoiseArguments& arguments, Diagnostics& problems);

// Layers by plane, from words for -p such as i-file:in:depth=LAYER; other words are ignored.
std::map<std::string, std::string> namedLayers(const std::vector<std::string>& parameters);

// What only pixels tell. Looks at OpenEXR files; of sequences without motion, at the first frame for its
// guides. Sets DenoiseJob::noisyGuides: the network has less error without normals of which more than 6% are
// like none of their neighbours (tools/metrics/guides.h), without depths of which 2% are, and without albedo
// if over 25% of both are. Sets DenoiseJob::isOpaque.
void lookAtRenders(std::vector<DenoiseJob>& jobs);

void say(const DenoiseArguments& arguments, const std::string& text);  // unless -q or --json
std::string shownName(const DenoiseInput& input);
// A line for all that are alike: "a.png and 479 more: photograph, by edge-avoiding wavelets (eaw)".
void sayMethods(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs);
// Names the layers of a file that stay as they are: a warning for view layers, a line for layers of colour.
void reportLayers(const DenoiseArguments& arguments, const DenoiseJob& job);
// Measures the convention of a sequence's motion, because the effect of a wrong one is easily missed.
void findMotion(const DenoiseArguments& arguments, DenoiseJob& job);

struct LoadedGraph;

// Indices of jobs, each in one batch. Stills share a batch if only their names and pixels differ, and what
// modules with `origin` in module.toml make of their files is equal; sequences, raw photographs and standard
// input have one each. `load`: a job's graph.
std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs,
                                           const std::function<LoadedGraph(const DenoiseJob&)>& load);

// `work` runs a batch and returns its exit code; batches begin in their order. Opens the devices, unless they
// are open. Nothing begins after a signal. The exit code: that of a signal, or else of the first batch that
// failed.
int runSideBySide(const std::vector<std::vector<size_t>>& batches, const std::vector<DenoiseJob>& jobs,
                  const RunArguments& run, std::vector<Device>& devices,
                  const std::function<int(const std::vector<size_t>&)>& work);

// `code`: the exit code of earlier failures. `out`: for --json; "inputs" has an object for each job.
int runJobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, int code,
            nlohmann::ordered_json& out);

// --html: mistakes in its name, and inputs that have no picture before and after.
void checkPage(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs, Diagnostics& problems);
// Of what has been written; the exit code.
int writePage(const DenoiseArguments& arguments, const DenoiseJob& job, nlohmann::ordered_json& out);

// A pattern for sinks' file names for each input, with a number only for sequences. `output` is a file's
// name, if there is one still, or frames that are summed; a name with %04d or ####, if there is one sequence;
// a folder, there or with / at its end: the inputs' names in it, and their folders where ** found them; or a
// name with {stem} (an input's name without extension), {ext}, {name} (both) or {folder} in it. Adds what is
// wrong to `problems`.
std::vector<std::string> nameOutputs(const std::string& output, const std::vector<DenoiseInput>& inputs,
                                     Diagnostics& problems);

}  // namespace lacuna
