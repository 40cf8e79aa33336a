#pragma once
// Measures the schedules of a graph's filters (stencil chains, kernels with variants) on a device, each
// filter alone, on the graph's values in a frame. Measurements go into the cache (run/tune/tuning.h), where
// `auto` finds them.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/run/session.h"
#include "graph/run/tune/tuning.h"
#include "graph/run/tune/tuning_rounds.h"

namespace lacuna {

// The schedules to time for a filter.
struct FilterPick {
  std::vector<std::string> schedules;  // the most promising first; none if the filter is not measured
  double seconds = 0.0;                // at most; 0: any
  double bestRuns = 0.0;               // nor longer than this many runs of the fastest; 0: any
  // Families whose other schedules are tried, too (CandidateMaker::search).
  std::vector<std::string> searched = {};
};

struct TuneOptions {
  std::vector<std::string> includePath;
  std::string cacheFolder;
  int frame = 0;           // whose files are read
  int rounds = 20;         // timed runs of each remaining schedule
  double preheatMs = 200;  // warm-up before anything is timed: idle clocks are slow
  double reheatMs = 200;   // of it before each further schedule, on GPUs
  std::function<FilterPick(const Filter& filter, const FilterChoice& choice)> pick;
  std::function<void(const FilterChoice& choice, const std::string& schedule)> trying = {};
};

// `graph` as loaded; `layout` as compiled, with the filters' present measurements. Filters of equal shaders
// and sizes are measured once. Throws as Session does.
std::vector<FilterTimes> tuneGraph(vk::Device& device, const NodeGraph& graph, const CompileOptions& layout,
                                   const TuneOptions& options);

// The names of schedules that a user wants timed, by module instance ("": any).
using WantedSchedules = std::map<std::string, std::vector<std::string>>;

// Parses words of --schedule, NAME or module:instance=NAME, and reports mistakes in them.
WantedSchedules wantedSchedules(const std::vector<std::string>& words, const NodeGraph& graph,
                                Diagnostics& diagnostics);

// If nothing is requested for a filter: all candidates that `auto` may take, and for searched filters those
// around the best of them. Otherwise the requested ones (meantBy()), and `auto`'s present choice, so that
// measuring a few never makes `auto` worse. `choice`: what `auto` takes.
FilterPick pickSchedules(const Filter& filter, const FilterChoice& choice, const WantedSchedules& wanted);

// A filter taken out of its graph, to be timed alone: between a source and a sink in memory that carry all
// its inputs and outputs, by their names.
NodeGraph filterBetweenMemory(const NodeGraph& graph, const Node& node);

// The part of the graph that makes the filter's inputs, into a sink in memory.
NodeGraph graphBefore(const NodeGraph& graph, const Node& node);

// Computes a frame, and where values feed back, so often that a history is as long as in the middle of a
// sequence: kernels that read it do more work there than on a first frame.
void computeSettled(Session& session, int frame);

using ValueBytes = std::map<std::string, std::vector<std::byte>>;  // by name

// The values of the sink in memory in a frame.
ValueBytes downloaded(Session& session);
void upload(Session& session, const ValueBytes& values);

}  // namespace lacuna
