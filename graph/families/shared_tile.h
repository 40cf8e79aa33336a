#pragma once
// Shared memory of a workgroup of `tiled` or `lattice`: the taps of its pixels and of the border around them,
// one array for each field (for each input if every tap decodes it), row by row.

#include <optional>
#include <vector>

#include "graph/families/stencil_schedule.h"
#include "graph/pattern/bank_pattern.h"

namespace lacuna {

struct StencilUse;

struct SharedTile {
  uint32_t width = 0, height = 0;  // cells
  std::vector<uint32_t> cellBits;  // of each array
  uint32_t bytes = 0;              // of the whole tile
  uint32_t padding = 0;            // unused cells at the end of each row
  uint32_t stride() const { return width + padding; }
};

// log2 of the neighbouring columns that `lattice` keeps together, for coalescing.
constexpr int latticeColumns = 2;

// A tile of this many cells.
SharedTile sharedTile(const StencilUse& use, uint32_t width, uint32_t height);
// The tile for taps that are `group` columns apart.
SharedTile sharedTile(const StencilUse& use, uint32_t group);

// The cells of the tile that the 32 invocations from `first` on read for their pixels' own taps, in rows of
// the workgroup or in the given shape. The requests of all other taps are a shift of these.
std::vector<uint32_t> cellsOfSubgroup(const SharedTile& tile, const StencilSchedule& schedule,
                                      const std::optional<BankPattern>& shape, uint32_t first);

// Bank conflicts: requests to 32 banks of 32 bits beyond the fewest, for one tap of every pixel of the
// workgroup and all its arrays; the worst tap, by simulation.
uint32_t bankConflicts(const SharedTile& tile, const StencilSchedule& schedule,
                       const std::optional<BankPattern>& shape);

// A covering of the workgroup by subgroups without conflicts: the bank pattern tile of the narrowest array
// (Dolp, Hanika, Dachsbacher 2024, section 3.5). nullopt if it does not cover the workgroup. Otherwise every
// shape of subgroups has conflicts, except rows of workgroups as wide as all banks.
std::optional<BankPattern> conflictFreeShape(const SharedTile& tile, const StencilSchedule& schedule);

// The work of a workgroup of the family `fused`: the pixels of its last fused level are its own; each level
// before also computes those that the taps of the next one reach.
struct FusedLevel {
  int logDilation = 0;
  int border = 0;  // pixels computed left of and above the workgroup's own, where the image has them
  int width = 0;   // pixels computed
  int height = 0;  // whole runs of `rows` pixels one dilation apart
};

// The chain's first `schedule.fused` levels, or all if it has fewer.
std::vector<FusedLevel> fusedLevels(const Node& node, const StencilSchedule& schedule);

// Shared memory: the states between the levels, in the state's format.
uint32_t fusedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule);

}  // namespace lacuna
