#pragma once
// What choosing the schedules of stencil chains and of kernels has in common.

#include "graph/schedule/choose.h"

namespace lacuna {

struct Asked {
  std::string name = "auto";
  bool own = false;  // of this filter alone, not of every one
};
Asked askedOf(const NodeGraph& graph, const Node& node, const ForcedSchedules& forced);

// With the node's name and floor alone.
Choice emptyChoice(const NodeGraph& graph, const Node& node, const DeviceModel& device);

// Puts in what was measured of the candidate; false: it never was.
bool tellMeasured(Candidate& candidate, const FilterKnowledge& known);

// The measured ones first, then by time, the rejected ones last.
bool isBetter(const Candidate& a, const Candidate& b);

// Whether `auto` may take it, and has a time of it.
bool isMeasured(const Candidate& candidate);

// "auto: the fastest of 17 measured on 2026-11-22"; "" where none is.
std::string measuredReason(const std::vector<Candidate>& candidates);

}  // namespace lacuna
