#pragma once
// What every generated shader starts with, and the parameter block.

#include <map>
#include <string>
#include <vector>

#include "graph/compile/schedule.h"

namespace lacuna {

// Version, extensions, push constants (extent, level, frame), the types Pixel, Offset and Frame, and LEVEL: a
// push constant, so that all levels share one pipeline, unless shared memory is sized by it (`fixedLevel`).
std::string shaderHead(uint32_t workgroupX, uint32_t workgroupY, bool fixedLevel = false);

// One-dimensional permutations between the original layout and that of level l (Dolp, Hanika, Dachsbacher
// 2024, section 3.2, ascending order, without mirroring): `permute(p, n)` one level further, `unpermute(p, n,
// l)` back to the original. The paper's closed form (figure 4, lines 18 to 22) needs padded sizes; iterating
// the one-step inverse needs none and works for every size.
std::string permutationFunctions();

// A module's parameters as GLSL and as fields to fill: `struct n0_Params`, a uniform block at binding 0 that
// holds one a prefix. String parameters are the host's own and left out.
struct ParamBlock {
  std::string glsl;
  std::vector<BlockField> fields;
  uint32_t bytes = 0;
};

struct ParamUser {
  std::string prefix;
  int module = -1;
  const ModuleDescription* description = nullptr;
};

ParamBlock makeParamBlock(const std::vector<ParamUser>& users);

}  // namespace lacuna
