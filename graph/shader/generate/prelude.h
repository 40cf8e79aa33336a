#pragma once
// The beginning of every generated shader, and the parameter block.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/passes/pass.h"

namespace lacuna {

// Version, extensions, push constants (extent, level, frame), the types Pixel, Offset and Frame, and LEVEL: a
// push constant, so that all levels share one pipeline, unless shared memory is sized by it (`fixedLevel`).
// `addresses`: names of arrays whose addresses follow in the push constants, as `push.address_<name>`.
// `extensions`: further lines before any declaration.
// `inTiles`: wholeExtent() is the picture's, partExtent() the tile's, partOrigin() the place of the tile in
// it, and inCore() whether a pixel of the tile is kept.
struct ShaderHead {
  uint32_t workgroupX = 1, workgroupY = 1;
  bool inTiles = false;
  bool fixedLevel = false;
  std::vector<std::string> extents = {};  // images with extents of their own, outside tiles
  std::vector<std::string> addresses = {};
  std::string extensions = {};
};
std::string shaderHead(const ShaderHead& head);

// GLSL of an extent, and of a tile's place in the picture, for images that are smaller (shrinkOf of tiles.h).
std::string shrunk(const std::string& extent, uint32_t shrink);
std::string shrunkOrigin(uint32_t shrink);

// A body's `Pixel`: where it is in the whole picture. `shrink`: of a tile's image.
std::string pixelText(bool inTiles, const std::string& at, const std::string& extent,
                      const std::string& level = "0", const std::string& dilation = "1", uint32_t shrink = 1);

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

// The text before a shader that includes shared/matrix.glsl: extensions, and macros that select its
// implementation.
std::string matrixExtensions(const MatrixUse& use);

// Names of the macros, whichever exist.
const std::set<std::string>& matrixMacros();

}  // namespace lacuna
