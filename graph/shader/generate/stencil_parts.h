#pragma once
// The pieces of a stencil shader. Common to all families: the taps of a thread are addressed by a column term
// c and a row term q, found once for each thread, and gathered row by row, left to right: the definition of
// the filter. A tap outside the image reads the nearest tap inside on its own row or column of the lattice,
// with weight 0.

#include <string>

#include "graph/families/family.h"
#include "graph/pattern/permutation.h"
#include "graph/shader/generate/body_context.h"

namespace lacuna {

struct StencilContext {
  const ShaderContext& shader;
  const ShaderSpec& pass;
  const std::vector<Role>& roles;
  const Body& body;
  // These hold in a dispatch of fused levels: the level of this code, and whether another one follows.
  // Levels after the first read the state of the one before as load_state<level>, from shared memory.
  int fusedLevel = 0;
  bool followed = false;

  const StencilDescription& stencil() const { return shader.node.description->stencil; }
  const StencilSchedule& schedule() const { return pass.schedule; }
  // Pixels of a thread are numbered row by row. The place of its pixel o: "ivec2(x, y0)", "ivec2(x1, y0)".
  int columnOf(int o) const { return o % schedule().columns; }
  int rowOf(int o) const { return o / schedule().columns; }
  std::string column(int o) const { return columnOf(o) == 0 ? "x" : "x" + std::to_string(columnOf(o)); }
  std::string row(int o) const { return "y" + std::to_string(rowOf(o)); }
  std::string position(int o) const { return "ivec2(" + column(o) + ", " + row(o) + ")"; }
  StencilUse use() const { return {shader.graph, shader.node, pass.schedule, pass.window}; }
  BorderRule border() const { return shader.node.border; }
  // Taps outside the image read a pixel inside, found for each tap; in shared memory it is copied to the
  // tap's place.
  bool mapsTaps() const { return use().mapsBorder() && !schedule().shares(); }
  bool skipsOutside() const { return border() == BorderRule::zeroWeight; }
  // Every tap of every pixel is read from its own place.
  bool readsAllTaps() const { return mirrors() || (use().mapsBorder() && schedule().shares()); }
  // Pixels whose window reaches outside are unchanged.
  bool keepsBorder() const { return border() == BorderRule::validOnly; }
  bool permutes() const { return use().permutes(); }
  bool mirrors() const { return use().mirrors(); }
  bool rereads() const { return use().rereads(); }
  // The suffix of names that each fused level has separately.
  std::string suffix() const { return fusedLevel > 0 ? std::to_string(fusedLevel) : std::string(); }
};

// structs State, Sample, Tap; before the body.
std::string tapTypes(const ShaderContext& context);

// Types that tapAccess needs codecs of.
std::vector<ValueType> tapFieldTypes(const StencilContext& context);

// Whether the field has its pixel's bytes as they are stored (TapField::bytes).
bool readsBytes(const StencilContext& context, const TapField& field);

// The decoders of those.
std::string declareTapBytes(const StencilContext& context);

// `n0_Tap tapAt(...)`, and for families with shared memory the tile and `fillCell`; after the body.
std::string tapAccess(const StencilContext& context);

// The tap loops: centres, gathers, in definition order. Defines n0_Acc a0.., n0_Centre k0.., n0_Tap m0...
std::string gatherTaps(const StencilContext& context, const ThreadMapping& mapping);

// The tap loops of wide windows; `isInside`: every tap of the thread is inside the image.
std::string loopOverTaps(const StencilContext& context, const ThreadMapping& mapping, bool isInside);

// finish, synthesis, stores, for each of the thread's pixels.
std::string finishPixels(const StencilContext& context);

// Shared memory and functions of fused levels, and main().
std::string fusedMain(const StencilContext& context);

// pattern/permutation.h as GLSL, for shaders that read or write permuted layouts. Along one axis of n pixels:
// `placeOf(pixel, n, levels)` and `pixelAt(place, n, levels)`, inverse to each other, and `nextPlace(place,
// pixel, n, levels)`, the place after one more split, of the pixel that lies at `place` after `levels`. The
// paper's closed form (figure 4, lines 18 to 22) needs padded sizes; walking the levels needs none and works
// for every size. If `levels` is a constant, the loops unroll. Mirrored layouts also have `reflected(place,
// n)`, which mirrors places beyond the ends.
std::string permutationFunctions(const Embedding& embedding);

}  // namespace lacuna
