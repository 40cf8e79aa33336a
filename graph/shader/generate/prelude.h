#pragma once
// The beginning of every generated shader, and the parameter block.

#include <map>
#include <string>
#include <vector>

#include "graph/passes/pass.h"

namespace lacuna {

// Version, extensions, push constants (extent, level, frame), the types Pixel, Offset and Frame, and LEVEL: a
// push constant, so that all levels share one pipeline, unless shared memory is sized by it (`fixedLevel`).
// `addresses`: names of arrays whose addresses follow in the push constants, as `push.address_<name>`.
// `extensions`: further lines before any declaration.
std::string shaderHead(uint32_t workgroupX, uint32_t workgroupY, bool fixedLevel = false,
                       const std::vector<std::string>& addresses = {}, const std::string& extensions = {});

// A module's parameters as GLSL and as fields to fill: `struct n0_Params`, a uniform block at binding 0 that
// holds one for each prefix. String parameters are only for the host and are omitted.
struct ParamBlock {
  std::string glsl;
  std::vector<BlockField> fields;
  uint32_t bytes = 0;
};

struct ParamUser {
  std::string prefix;
  ModuleId module;
  const ModuleDescription* description = nullptr;
};

ParamBlock makeParamBlock(const std::vector<ParamUser>& users);

}  // namespace lacuna
