#pragma once
// The list of families.

#include "graph/families/family.h"

namespace lacuna {

const StencilFamily& baselineFamily();
const StencilFamily& rowsFamily();
const StencilFamily& blocksFamily();
const StencilFamily& permutedFamily();
const StencilFamily& tiledFamily();
const StencilFamily& latticeFamily();
const StencilFamily& fusedFamily();
const StencilFamily& stripsFamily();

}  // namespace lacuna
