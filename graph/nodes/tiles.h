#pragma once
// Pictures in tiles. A tile is computed as a picture of its own, by the same passes as all others: it has the
// pixels that its core depends on, a halo, and lies inside the picture, so the picture's borders are its own.
// Its other borders change only pixels of the halo, which are dropped. Positions and extents that bodies see
// are those of the whole picture. So the cores have the bits of the whole picture.
//
// Kernels also make and take images of blocks of pixels (shrinkOf); tiles begin where blocks do.
//
// Images of the previous frame stay whole on the device: kernels read them anywhere, other nodes at the
// tile's pixels. Each tile copies its core into the next one (PassBuilder::keep).
//
// Arrays of numbers are those of the whole picture, unless native code builds them for each tile (`tile`).
// Nodes that make them from an image run over all tiles before any reader (frame/tile_passes.h): histograms,
// which count each tile's core, and kernels whose elements each depend on a small group of pixels: a tile
// writes those whose pixels it has (`hasPixels()`).

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Where a tile lies along an axis, and the part of it that is kept.
struct TileSide {
  uint32_t origin = 0;
  uint32_t begin = 0, end = 0;  // of the core, in the picture
  bool operator==(const TileSide&) const = default;
};

struct Tile {
  TileSide column, row;
};

struct Tiles {
  Extent whole;   // the picture's
  Extent extent;  // of each tile, with its halo
  uint32_t halo = 0;
  uint32_t multiple = 1;  // tiles begin at multiples of so many pixels

  std::vector<TileSide> columns() const;
  std::vector<TileSide> rows() const;
  std::vector<Tile> all() const;  // row by row
  size_t count() const { return columns().size() * rows().size(); }
  // The pixels that are computed, relative to the picture's.
  double work() const;
};

// The tiles along an axis of `whole` pixels. The last one is moved inwards. Needs: side == whole, or side >=
// 2 * halo + multiple and whole - side is a multiple.
std::vector<TileSide> tileSides(uint32_t whole, uint32_t side, uint32_t halo, uint32_t multiple);

// A picture that can run in tiles.
struct Tileable {
  Extent whole;
  uint32_t halo = 0;
  uint32_t multiple = 1;
  uint32_t mostRows = std::numeric_limits<uint32_t>::max();  // of a tile, unless it has to have more
};

// The graph as built, culled. nullopt, with the reason: "eaw:01:histogram needs the whole picture".
std::optional<Tileable> tileable(const NodeGraph& graph, std::string& reason);

Extent smallestTile(const Tileable& picture);

// By how much an image is smaller than the picture, if its sides are the picture's divided by 1 to 8, rounded
// up; 0 if they aren't.
uint32_t shrinkOf(Extent image, Extent picture);

// The tile of at most that many pixels with the least work; sides of a tile are at least 64 pixels, or the
// picture's (bodies may treat smaller pictures in another way). nullopt if there is none.
std::optional<Tiles> tilesWithin(const Tileable& picture, uint64_t mostPixels);

// The graph of a tile.
NodeGraph tileOf(NodeGraph graph, const Tiles& tiles);

// "12 tiles (4 by 3) of 1100x1100, 62 of them on each side as halo: 1.25 times the picture's pixels"
std::string print(const Tiles& tiles);

// The native node, if some of its nodes' arrays are a tile's. Needs: `built` as the next module.
std::optional<NativeNode> nativeInTiles(const NodeGraph& graph, const Node& node,
                                        const ModuleDescription& built);

// Calls build() again for NodeGraph::natives, which builds the same nodes with the same values, but with the
// sizes of arrays, the numbers and the shaders of a tile's picture. Needs: images that have a tile's extent.
NodeGraph buildForTile(NodeGraph graph, const Tiles& tiles, Diagnostics& diagnostics);

}  // namespace lacuna
