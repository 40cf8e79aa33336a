#pragma once
// The kinds of threads that families are made of.

#include "graph/families/family.h"

namespace lacuna {

// Threads that read their taps straight from memory.
ThreadMapping directThreads(const StencilUse& use);

// Workgroups where each thread takes `columns` x `rows` pixels, one dilation apart.
std::array<uint32_t, 3> blockGroups(const StencilUse& use, Extent extent, int level);

// Taps that several pixels of a thread share are read once.
LevelCost directCost(const StencilUse& use, const LevelWork& work);

// Threads that bring a tile of pixels into shared memory and read their taps there: declares the workgroup's
// `width` by `height` pixels and the cells of the tile around them: `tileOrigin()`, `cellAt(cell)`, TILE
// cells a row, CELLS in all.
void declareTile(const StencilUse& use, const SharedTile& tile, uint32_t width, uint32_t height,
                 ThreadMapping& m);

// Fills the tile of at most `most` cells from `cellAt(cell)`, a pixel of the image; cells outside the image
// hold some pixel inside, which no tap reads. All loads of a thread come first, without branches: if no cell
// is left for a thread, it fills its last one again (graph/decisions has the figures).
// `paddedWidth`: that of a tile whose rows are padded.
std::string fillTile(const StencilSchedule& schedule, uint32_t most, uint32_t paddedWidth = 0);

// Costs of each pixel that is loaded, and of each tap that is read there.
LevelCost tileCost(const LevelWork& work, double loads, double barriers);

}  // namespace lacuna
