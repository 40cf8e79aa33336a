#pragma once
// A stencil chain's schedule: a family (family.h), and its choices.

#include <cstdint>

#include "graph/nodes/node_graph.h"
#include "graph/pattern/permutation.h"

namespace lacuna {

class StencilFamily;

enum class ResourceKind { buffer, image };

// The sum of all levels' details (eaw). none: the filter has no synthesis; pass: its own pass; carried: a
// running sum beside each level's state, in float; gathered: by the last level.
// All add in the same order.
enum class Synthesis { none, pass, carried, gathered };

struct StencilSchedule {
  const StencilFamily* family = nullptr;  // of families(); null if the pass is not a level of a chain
  int columns = 1, rows = 1;              // pixels a thread, one dilation apart
  int fused = 1;                          // levels of the first dispatch
  uint32_t workgroup[2] = {16, 16};
  ResourceKind storage = ResourceKind::buffer;
  Synthesis synthesis = Synthesis::none;
  Embedding embedding;         // order of the permuted layouts
  bool rereads = false;        // in permuted layouts: features stay in the original one
  bool reshapes = false;       // in shared memory: subgroups are bank pattern tiles, not rows (shared_tile.h)
  bool pads = false;           // in shared memory: rows of a tile have unused cells, against bank conflicts
  bool decodesAtTaps = false;  // in shared memory: pixels lie there as they are stored
  // Subgroups without a tap outside the image have their own code, with constant offsets and weights: worth
  // its size on GPUs (graph/decisions). Same taps in the same order.
  bool splitsBorders = false;
  // Four invocations in a row take a square of pixels: worth it where GPUs read taps from images.
  bool quads = false;

  bool permutes() const;  // as in its family
  bool shares() const;
  int pixels() const { return columns * rows; }  // a thread
  // Otherwise the result is the baseline's only away from borders, and within rounding.
  bool exact() const { return !embedding.mirrored; }
};

}  // namespace lacuna
