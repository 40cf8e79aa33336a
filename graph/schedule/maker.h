#pragma once
// What filters could run as. A filter is a node whose schedule can be chosen: a stencil chain, or a kernel
// that has variants. A maker says of the filters that are its own which schedules they have and makes
// candidates of them. All else is written once for all makers: what a user's words mean, choice and its
// reasons (select.h), measuring (run/tune). Another maker is a file, and a line in makers.cpp.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/device_model.h"
#include "graph/nodes/node_graph.h"
#include "graph/schedule/candidate.h"
#include "graph/schedule/measured.h"

namespace lacuna {

class PassBuilder;

// How a filter runs.
class FilterSchedule {
 public:
  FilterSchedule() = default;
  FilterSchedule(const FilterSchedule&) = delete;
  FilterSchedule& operator=(const FilterSchedule&) = delete;
  virtual ~FilterSchedule() = default;
  // Whether what it reads and writes lies in images; else in buffers.
  virtual bool wantsImages() const = 0;
  virtual void addPasses(PassBuilder& builder, NodeId node, const DeviceModel& device) const = 0;
};
using FilterSchedulePtr = std::shared_ptr<const FilterSchedule>;

// A filter of a graph, on a device. Refers to what it was made of.
struct Filter {
  const NodeGraph& graph;
  const Node& node;
  const DeviceModel& device;
};

struct FilterCandidate {
  // Without measurements; of those that the device can run, with an estimate where there is one.
  ScheduleCandidate told;
  double compileMs = 0.0;  // about, of a stencil's shaders; 0: not known
  bool suits = true;       // the device; where nothing is known of any, `auto` takes the first that does
  FilterSchedulePtr schedule;
};

// What to time next, of what was timed so far, the fastest first. Empty: that was all.
using ScheduleSearch = std::function<std::vector<std::string>(const std::vector<TimedSchedule>& ranked)>;

class CandidateMaker {
 public:
  CandidateMaker() = default;
  CandidateMaker(const CandidateMaker&) = delete;
  CandidateMaker& operator=(const CandidateMaker&) = delete;
  virtual ~CandidateMaker() = default;

  virtual bool makesFor(const NodeGraph& graph, const Node& node) const = 0;
  // The schedules that `auto` chooses from, the most promising first where nothing else is known.
  virtual std::vector<std::string> usual(const Filter& filter) const = 0;
  // The whole names of all that a user's word may mean, the one that is meant where several fit first. Empty:
  // none.
  virtual std::vector<std::string> named(const Filter& filter, const std::string& word) const = 0;
  // What a name from either list means.
  virtual FilterCandidate make(const Filter& filter, const std::string& name,
                               const FilterWork& work) const = 0;

  // Says what the user may have meant, or what there is.
  virtual std::string hint(const Filter& filter, const std::string& word) const = 0;

  // Where there are too many schedules to time all: how to go on from the usual ones, within the families
  // given. None: all usual ones are timed. `filter` lives as long.
  virtual ScheduleSearch search(const Filter& /*filter*/,
                                const std::vector<std::string>& /*families*/) const {
    return {};
  }
};

const std::vector<const CandidateMaker*>& candidateMakers();  // the list (makers.cpp)

// The maker of a filter's schedules; null if the node is not a filter.
const CandidateMaker* makerOf(const NodeGraph& graph, const Node& node);

inline bool hasSchedules(const NodeGraph& graph, const Node& node) {
  return makerOf(graph, node) != nullptr;
}

}  // namespace lacuna
