#pragma once
// How a stencil chain runs: a family (family.h), and what it leaves open.

#include <cstdint>

#include "graph/nodes/node_graph.h"
#include "graph/pattern/permutation.h"

namespace lacuna {

class StencilFamily;

enum class ResourceKind { buffer, image };

// Where the details of all levels are summed (eaw). none: the filter has no synthesis.
// pass: a pass of its own; carried: a running sum beside each level's state, in float; gathered: by the last
// level. All add in the same order.
enum class Synthesis { none, pass, carried, gathered };

struct StencilSchedule {
  const StencilFamily* family = nullptr;  // of families(); null: the pass is not a level of a chain
  int columns = 1, rows = 1;              // pixels a thread, one dilation apart
  int fused = 1;                          // levels of the first dispatch
  uint32_t workgroup[2] = {16, 16};
  ResourceKind storage = ResourceKind::buffer;
  Synthesis synthesis = Synthesis::none;
  Embedding embedding;    // of the permuted layouts
  bool rereads = false;   // of permuted layouts: features stay in the original one
  bool reshapes = false;  // of shared memory: subgroups are no rows but bank pattern tiles (shared_tile.h)
  // Subgroups without a tap outside the image take a path of their own, with constant offsets and weights:
  // worth its code on GPUs (graph/decisions). Same taps in the same order.
  bool splitsBorders = false;
  // Four invocations in a row take a square of pixels: worth it where GPUs read taps from images.
  bool quads = false;

  bool permutes() const;  // as its family does
  bool shares() const;
  int pixels() const { return columns * rows; }  // a thread
  // Else the result is the baseline's away from borders only, and within rounding.
  bool exact() const { return !embedding.mirrored; }
};

}  // namespace lacuna
