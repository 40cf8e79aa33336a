#pragma once
// Measures the schedules of a graph's chains on a device, each chain alone, on what the graph gives it in a
// frame. What was measured goes into the cache (run/tuning.h), where `auto` finds it.

#include <functional>
#include <string>
#include <vector>

#include "graph/run/session.h"
#include "graph/run/tuning.h"
#include "graph/run/tuning_rounds.h"

namespace lacuna {

// What to time of a chain.
struct ChainPick {
  std::vector<std::string> schedules;  // the most promising first; none: the chain is left alone
  double seconds = 0.0;                // as in RoundsOptions
};

struct TuneOptions {
  std::vector<std::string> includePath;
  std::string cacheFolder;
  int frame = 0;           // whose files are read
  int rounds = 20;         // timed runs of each schedule that stays
  double preheatMs = 200;  // of work before anything is timed: idle clocks lie
  std::function<ChainPick(const Choice& choice)> pick;
  std::function<void(const Choice& choice, const std::string& schedule)> trying = {};
};

struct ChainTuning {
  std::string node;
  std::string before;  // what was taken without these measurements
  RoundsEnd end;
};

// `graph` as it was loaded; `layout` as it is compiled, with what is known of chains so far. Chains of equal
// shaders and sizes are measured once. Throws as Session does.
std::vector<ChainTuning> tuneGraph(vk::Device& device, const NodeGraph& graph, const LayoutOptions& layout,
                                   const TuneOptions& options);

}  // namespace lacuna
