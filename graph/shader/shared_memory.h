#pragma once
// How much shared memory a shader really declares.

#include <cstdint>
#include <vector>

#include "graph/shader/compile.h"

namespace lacuna {

// Bytes of all variables that a workgroup shares, with these values of specialization constants 0, 1, ...; 0
// for shaders whose cooperative matrices SPIRV-Tools doesn't know.
uint64_t sharedMemoryOf(const SpirvWords& words, const std::vector<int32_t>& specialization);

}  // namespace lacuna
