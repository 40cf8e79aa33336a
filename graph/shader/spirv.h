#pragma once
// What SPIR-V declares, where the compiler or its tools don't know it.

#include <cstdint>
#include <vector>

#include "graph/shader/compile.h"

namespace lacuna {

// Cooperative matrices (SPV_KHR_cooperative_matrix) for a compiler that doesn't know them: placeholders for
// component types, which GLSL's spirv_type can't name (modules/shared/matrix_khr.glsl).
constexpr uint32_t halfPlaceholder = 0x48414c46;
constexpr uint32_t floatPlaceholder = 0x464c5433;

// Whether a shader has cooperative matrices of that extension.
bool hasMatrixTypes(const SpirvWords& words);

// Names the component types, which are moved in front of all other types, and adds to each load and store
// what Vulkan's memory model requires: that other invocations share the memory, and its alignment if it is
// reached by address. If a function of each number is an operand (SPV_NV_cooperative_matrix2), a call of it
// names it, and is removed.
SpirvWords finishMatrixTypes(const SpirvWords& words);

// Bytes of all variables that a workgroup shares, with these values of specialization constants 0, 1, ...; 0
// for shaders whose cooperative matrices SPIRV-Tools doesn't know.
uint64_t sharedMemoryOf(const SpirvWords& words, const std::vector<int32_t>& specialization);

}  // namespace lacuna
