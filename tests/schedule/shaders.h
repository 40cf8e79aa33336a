#pragma once

#include "tests/support/memory_graph.h"

namespace lacuna::test {

// The result of `run`, after a check of the schedule's shaders: each is valid, by SPIRV-Tools, and exact: no
// driver may contract its arithmetic.
std::map<std::string, Image> runChecked(const MemoryGraph& graph, const std::string& schedule,
                                        int frames = 1);

}  // namespace lacuna::test
