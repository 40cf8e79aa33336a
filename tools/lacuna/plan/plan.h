#pragma once
// The parts of `lacuna plan`, which other commands share.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "lacuna/lacuna.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// Each filter's possible schedules: the best first, the chosen one marked, the rejected ones below with their
// reasons. `all`: every candidate, not only the best of each family.
std::string choiceTable(const FilterChoice& filter, bool all);
nlohmann::ordered_json choiceJson(const FilterChoice& filter);

// A plan on one screen: a line for each filter, a row for each node.
std::string planTable(const PlanReport& plan);

// The frames of a loaded graph in at most `count` parts, with warm-ups as short as possible; in users'
// numbers.
std::vector<FrameSet> framesInParts(const door::GraphState& state, size_t count);

struct ModuleGraph;

// For a page: modules with their own words, parameters and inputs.
nlohmann::ordered_json modulesJson(const ModuleGraph& graph, const std::vector<std::string>& folders);
// These as "modules"; "nodes" that run, and what is fused into them; "memory" of a frame on the device: where
// each value lies, from which pass to which.
nlohmann::ordered_json drawnJson(const Graph& graph, Pipeline& pipeline,
                                 const std::vector<std::string>& folders);

int printChunks(const PlanArguments& arguments);

}  // namespace lacuna
