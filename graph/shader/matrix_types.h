#pragma once
// Cooperative matrices (SPV_KHR_cooperative_matrix) for a compiler that doesn't know them.

#include "graph/shader/compile.h"

namespace lacuna {

// A placeholder for a component type, which GLSL's spirv_type can't name (modules/shared/matrix_khr.glsl).
constexpr uint32_t halfPlaceholder = 0x48414c46;
constexpr uint32_t floatPlaceholder = 0x464c5433;

// Whether a shader has cooperative matrices of that extension.
bool hasMatrixTypes(const SpirvWords& words);

// Names the component types, which are moved in front of all other types, and adds to each load and store
// what Vulkan's memory model requires: that other invocations share the memory, and its alignment if it is
// reached by address. If a function of each number is an operand (SPV_NV_cooperative_matrix2), a call of it
// names it, and is removed.
SpirvWords finishMatrixTypes(const SpirvWords& words);

}  // namespace lacuna
