#pragma once
// The schedules of filters. A filter is a node whose schedule can be chosen: a stencil chain, or a kernel
// that has variants. A maker lists the schedules of its own filters and makes candidates of them. Everything
// else is common to all makers: the meaning of a user's words, choice and its reasons (select.h), measuring
// (run/tune). Another maker is a file, and a line in makers.cpp.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/device_model.h"
#include "graph/lists.h"
#include "graph/nodes/node_graph.h"
#include "graph/passes/pass.h"
#include "graph/schedule/candidate.h"
#include "graph/schedule/knowledge.h"

namespace lacuna {

class PassBuilder;

// How a filter runs.
class FilterSchedule : NoCopy {
 public:
  virtual ~FilterSchedule() = default;
  // Whether its inputs and outputs are images; else buffers.
  virtual bool wantsImages() const = 0;
  virtual void addPasses(PassBuilder& builder, NodeId node, const DeviceModel& device) const = 0;
};
using FilterSchedulePtr = std::shared_ptr<const FilterSchedule>;

// A filter of a graph, on a device. Refers to the data that it was made from.
struct Filter {
  const NodeGraph& graph;
  const Node& node;
  const DeviceModel& device;
};

struct FilterCandidate {
  // Without measurements; among those that the device can run, with an estimate if there is one.
  ScheduleCandidate told;
  double compileMs = 0.0;  // estimated number of taps in a stencil's shaders; 0: unknown
  bool suits = true;       // the device; without measurements, `auto` takes the first that fits
  FilterSchedulePtr schedule;
};

// The next schedules to time, given those timed so far, the fastest first. Empty if there are no more.
using ScheduleSearch = std::function<std::vector<std::string>(const std::vector<TimedSchedule>& ranked)>;

class CandidateMaker : NoCopy {
 public:
  virtual ~CandidateMaker() = default;

  virtual bool makesFor(const NodeGraph& graph, const Node& node) const = 0;
  // The schedules that `auto` chooses from, the most promising first without measurements.
  virtual std::vector<std::string> usual(const Filter& filter) const = 0;
  // The whole names of all schedules that a user's word may mean, the intended one first. Empty:
  // none.
  virtual std::vector<std::string> named(const Filter& filter, const std::string& word) const = 0;
  // The schedule of a name from either list.
  virtual FilterCandidate make(const Filter& filter, const std::string& name,
                               const FilterWork& work) const = 0;

  // States what the user may have meant, or the possible names.
  virtual std::string hint(const Filter& filter, const std::string& word) const = 0;

  // If there are too many schedules to time all: how to continue from the usual ones, within the given
  // families. If none, all usual ones are timed. `filter` must live as long as the result.
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

// A filter without the rest of its graph: the node with its values and nothing else, as node 0.
NodeGraph aloneGraph(const NodeGraph& graph, const Node& node);

// Its passes under a schedule that the device does not reject. They are those of the whole graph, up to the
// place of its inputs and outputs (image or buffer), which a neighbour may require.
Passes passesAlone(const NodeGraph& alone, const FilterSchedule& schedule, const DeviceModel& device);

// Bytes of each input read once and each output written once.
uint64_t floorBytes(const NodeGraph& graph, const Node& node);

}  // namespace lacuna
