#pragma once
// The schedules that a stencil chain can take, and their names:
// family[rows][-words][@WxH]/storage[/synthesis], e.g. rows4@32x4/buffer/gathered, tiled-local@16x8/buffer.
// schedule_words.h lists the words.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/nodes/node_graph.h"
#include "graph/pattern/permutation.h"

namespace lacuna {

enum class ResourceKind { buffer, image };

// baseline: dilated reads, one pixel a thread.
// rows: a thread filters n pixels one dilation apart and shares their taps (register blocking).
// permuted: level l writes its output permuted so that level l+1 reads undilated taps (Dolp, Hanika,
// Dachsbacher
//   2024, section 3).
// tiled: permuted, with a workgroup's taps in shared memory (section 3.5 there, without padding).
// lattice: the dilated lattice of a workgroup in shared memory, original layout.
// fused: the first levels in one dispatch: a workgroup filters its pixels and, before, what their taps need,
//   states between levels in shared memory; the other levels as `rows`. Original layout.
enum class Family { baseline, rows, permuted, tiled, lattice, fused };

std::string_view name(Family family);  // "rows", without how many

// Where the details of all levels are summed (eaw). none: the filter has no synthesis.
// pass: a pass of its own; carried: a running sum beside each level's state; gathered: by the last level.
enum class Synthesis { none, pass, carried, gathered };

struct StencilSchedule {
  Family family = Family::baseline;
  int rows = 1;   // pixels a thread, `rows` and `fused`
  int fused = 1;  // levels of the first dispatch, `fused` only
  uint32_t workgroup[2] = {16, 16};
  ResourceKind storage = ResourceKind::buffer;
  Synthesis synthesis = Synthesis::none;
  Embedding embedding;    // of the permuted layouts
  bool rereads = false;   // of permuted layouts: features stay in the original one
  bool reshapes = false;  // of shared memory: subgroups are no rows but bank pattern tiles (shared_tile.h)
  // Subgroups without a tap outside the image take a path of their own, with constant offsets and weights:
  // worth its code on GPUs (graph/README.md). Same taps in the same order.
  bool splitsBorders = false;
  // Four invocations in a row take a square of pixels: worth it where GPUs read taps from images.
  bool quads = false;

  bool permutes() const { return family == Family::permuted || family == Family::tiled; }
  // The level is a constant of the shader: the lattice's tile depends on it, and permutations unroll over it.
  bool fixesLevel() const { return permutes() || family == Family::lattice; }
  // Else the result is the baseline's away from borders only, and within rounding.
  bool exact() const { return !embedding.mirrored; }
  bool shares() const { return family == Family::tiled || family == Family::lattice; }
};

// log2 of the neighbouring columns that `lattice` keeps together, for coalescing.
constexpr int latticeColumns = 2;

}  // namespace lacuna
