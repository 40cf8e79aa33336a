#pragma once

#include "tests/support/memory_graph.h"

namespace lacuna::test {

// What `run` gives, after a look at the schedule's shaders: each is valid, as SPIRV-Tools judge it, and
// exact: no driver may contract its arithmetic.
std::map<std::string, Image> runChecked(const MemoryGraph& graph, const std::string& schedule,
                                        int frames = 1);

}  // namespace lacuna::test
