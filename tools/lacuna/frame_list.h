#pragma once
// --frames: which numbers a user asks for.

#include <optional>
#include <string>
#include <vector>

#include "graph/compile/module_graph.h"

namespace lacuna {

// "7", "0-99", "0-99x5" (every fifth), and several of them with commas. Ascending, each once; "": none, which
// stands for all. Prints what is wrong; nullopt then.
std::optional<std::vector<int>> parseFrames(const std::string& text);

// Those numbers as frames of a graph, which count from 0; all of the graph's if there are none.
std::vector<int> framesOf(const ModuleGraph& graph, const std::vector<int>& numbers);

}  // namespace lacuna
