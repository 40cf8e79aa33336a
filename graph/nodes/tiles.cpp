#include "graph/nodes/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/nodes/reach.h"
#include "graph/values/image_type.h"

namespace lacuna {
namespace {

constexpr uint32_t leastSide = 64;  // smallSide of graph/shader/generate/body_context.h

bool isImage(const NodeGraph& graph, ValueId value) {
  return value && !graph.values[value].type.isArray();
}

// An image, or an array of a tile's values. The previous frame's images are whole.
bool isInTiles(const NodeGraph& graph, ValueId value) {
  return value && !graph.values[value].feedback && (graph.values[value].tile || isImage(graph, value));
}

bool worksInTiles(const NodeGraph& graph, const Node& node) {
  const auto is = [&](const NamedValue& end) { return isInTiles(graph, end.value); };
  return std::ranges::any_of(node.inputs, is) || std::ranges::any_of(node.outputs, is);
}

bool makesTiles(const NodeGraph& graph, const Node& node) {
  return std::ranges::any_of(node.outputs,
                             [&](const NamedValue& output) { return isInTiles(graph, output.value); });
}
bool makesArrays(const NodeGraph& graph, const Node& node) {
  return std::ranges::any_of(node.outputs, [&](const NamedValue& output) {
    return output.value && !isInTiles(graph, output.value);
  });
}

// The first of the node's images that is neither of the picture's size nor, in a kernel of images, of its
// blocks.
std::optional<Extent> otherExtent(const NodeGraph& graph, const Node& node, Extent picture) {
  const bool seesBlocks = statesOutputs(node.kind) && !makesArrays(graph, node);
  for (const std::vector<NamedValue>* ends : {&node.inputs, &node.outputs}) {
    for (const NamedValue& end : *ends) {
      if (isImage(graph, end.value)) {
        const Value& value = graph.values[end.value];
        const uint32_t shrink = shrinkOf(value.type.extent, picture);
        if (shrink == 0 || (shrink > 1 && (!seesBlocks || value.feedback)))
          return value.type.extent;
      }
    }
  }
  return std::nullopt;
}

// Why the node can't run in tiles; "" if it can.
std::string hindrance(const NodeGraph& graph, const Node& node, Extent picture) {
  const auto isKept = [&](const NamedValue& end) {
    return end.value &&
           ((graph.values[end.value].feedback && !isImage(graph, end.value)) || graph.values[end.value].kept);
  };
  const auto isPlanes = [&](const NamedValue& end) {
    return end.value && graph.values[end.value].type.isPlanes();
  };
  if (std::ranges::any_of(node.inputs, isKept) || std::ranges::any_of(node.outputs, isKept))
    return "keeps an array of the previous frame";
  if (std::ranges::any_of(node.inputs, isPlanes) || std::ranges::any_of(node.outputs, isPlanes))
    return "has arrays of planes";
  const auto isGlobal = [](const Footprint& footprint) { return footprint.kind == FootprintKind::global; };
  const bool isKernel = statesOutputs(node.kind) && worksInTiles(graph, node);
  if (isKernel && isGlobal(node.description->footprint))
    return "depends on the whole picture";
  if (const auto other = otherExtent(graph, node, picture)) {
    return fmt::format("has an image of {}x{} beside those of {}x{}", other->width, other->height,
                       picture.width, picture.height);
  }
  if (node.kind == NodeKind::reduce)
    return worksInTiles(graph, node) && node.description->reduce.bins == 0 ? "adds up the whole picture" : "";
  if (!isKernel)
    return "";
  for (const NamedValue& input : node.inputs)
    if (isInTiles(graph, input.value) && isGlobal(footprintOf(node, input.name)))
      return fmt::format("depends on all of '{}', which a `feedback:` line would keep whole", input.name);
  return node.description->isSpirv()                           ? "is SPIR-V, which has its own positions"
         : makesArrays(graph, node) && makesTiles(graph, node) ? "makes images and arrays"
         : makesArrays(graph, node) && node.kind == NodeKind::host
             ? "makes an array of the picture on the host"
             : "";
}

// How far from a pixel of an output the inputs lie that it depends on, over all of the graph.
uint32_t haloOf(const NodeGraph& graph, Extent picture) {
  Table<ValueId, double> needed(graph.values.size(), 0.0);
  double most = 0.0;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    double behind = 0.0;
    for (const NamedValue& output : node->outputs)
      behind = std::max(behind, isInTiles(graph, output.value) ? needed[output.value] : 0.0);
    for (const NamedValue& input : node->inputs) {
      // Only kernels see more of the previous frame's images than a tile's part.
      if (isInTiles(graph, input.value) || (isImage(graph, input.value) && !statesOutputs(node->kind))) {
        const double before = node->kind == NodeKind::reduce ? 0.0 : reachBefore(graph, *node, input, behind);
        needed[input.value] = std::max(needed[input.value], before);
        most = std::max(most, needed[input.value] * shrinkOf(graph.values[input.value].type.extent, picture));
      }
    }
  }
  return static_cast<uint32_t>(std::ceil(most));
}

Extent firstImage(const NodeGraph& graph) {
  for (const Node& node : graph.nodes) {
    for (const NamedValue& output : node.outputs)
      if (isImage(graph, output.value))
        return graph.values[output.value].type.extent;
  }
  return {};
}

// Tiles begin at its multiples.
uint32_t multipleOf(const NodeGraph& graph, const Node& node, Extent picture) {
  uint32_t multiple = node.description->footprint.multiple;
  for (const std::vector<NamedValue>* ends : {&node.inputs, &node.outputs}) {
    for (const NamedValue& end : *ends) {
      if (isInTiles(graph, end.value) && isImage(graph, end.value)) {
        const uint32_t shrink = shrinkOf(graph.values[end.value].type.extent, picture);
        multiple = std::lcm(multiple, shrink * footprintOf(node, end.name).multiple);
      }
    }
  }
  return multiple;
}

// Tiles begin at multiples of a number of pixels, also the last one, which ends where the picture does. So a
// side is `spare` pixels longer than a multiple.
struct Axis {
  uint32_t whole, halo, multiple;

  uint32_t spare() const { return whole % multiple; }
  // From a tile to the next one.
  uint32_t step(uint32_t side) const { return (side - 2 * halo) / multiple * multiple; }
  uint32_t leastSide() const {
    const uint32_t least = std::max(lacuna::leastSide, 2 * halo + multiple);
    return (least - spare() + multiple - 1) / multiple * multiple + spare();
  }
  // The shortest side with which `count` tiles cover the axis.
  uint32_t sideFor(uint32_t count) const {
    const uint32_t beside = 2 * halo + (whole - 2 * halo) % multiple;  // the longest side without a step
    const uint64_t steps = (whole - beside) / multiple;
    return beside + static_cast<uint32_t>((steps + count - 1) / count) * multiple;
  }
  // The shortest sides, for each number of tiles.
  std::vector<uint32_t> possibleSides() const {
    std::vector<uint32_t> sides = {whole};
    for (uint32_t count = 2; sides.back() > leastSide(); ++count) {
      const uint32_t side = std::max(sideFor(count), leastSide());
      if (side < sides.back())
        sides.push_back(side);
    }
    return sides;
  }
  uint64_t tiles(uint32_t side) const {
    return side == whole ? 1 : 1 + (whole - side + step(side) - 1) / step(side);
  }
};

Extent shortened(Extent extent, uint32_t by) {
  return {divideUp(extent.width, by), divideUp(extent.height, by)};
}

Axis across(const Tileable& picture) {
  return {picture.whole.width, picture.halo, picture.multiple};
}
Axis down(const Tileable& picture) {
  return {picture.whole.height, picture.halo, picture.multiple};
}

}  // namespace

std::vector<TileSide> tileSides(uint32_t whole, uint32_t side, uint32_t halo, uint32_t multiple) {
  std::vector<TileSide> sides;
  uint32_t begin = 0;
  while (begin < whole) {
    const uint32_t origin = std::min(begin - std::min(begin, halo), whole - side) / multiple * multiple;
    const bool isLast = origin + side == whole;
    const uint32_t end = isLast ? whole : origin + side - halo;
    sides.push_back({origin, begin, end});
    begin = end;
  }
  return sides;
}

std::vector<TileSide> Tiles::columns() const {
  return tileSides(whole.width, extent.width, halo, multiple);
}

std::vector<TileSide> Tiles::rows() const {
  return tileSides(whole.height, extent.height, halo, multiple);
}

std::vector<Tile> Tiles::all() const {
  std::vector<Tile> tiles;
  for (const TileSide& row : rows())
    for (const TileSide& column : columns())
      tiles.push_back({column, row});
  return tiles;
}

double Tiles::work() const {
  return static_cast<double>(count() * pixelCount(extent)) / static_cast<double>(pixelCount(whole));
}

std::optional<Tileable> tileable(const NodeGraph& graph, std::string& reason) {
  Tileable picture{.whole = firstImage(graph)};
  if (picture.whole == Extent()) {
    reason = "the graph has no image";
    return std::nullopt;
  }
  for (const Node& node : graph.nodes) {
    const std::string hindered = hindrance(graph, node, picture.whole);
    if (!hindered.empty()) {
      reason = fmt::format("{} {}", node.name, hindered);
      return std::nullopt;
    }
    picture.multiple = std::lcm(picture.multiple, multipleOf(graph, node, picture.whole));
  }
  picture.halo = haloOf(graph, picture.whole);
  return picture;
}

Extent smallestTile(const Tileable& picture) {
  return {across(picture).possibleSides().back(), down(picture).possibleSides().back()};
}

std::optional<Tiles> tilesWithin(const Tileable& picture, uint64_t mostPixels) {
  const uint32_t mostRows = std::max(picture.mostRows, smallestTile(picture).height);
  std::optional<Extent> best;
  std::pair<uint64_t, uint64_t> least;  // pixels, tiles
  for (const uint32_t width : across(picture).possibleSides()) {
    for (const uint32_t height : down(picture).possibleSides()) {
      const uint64_t pixels = uint64_t{width} * height;
      const uint64_t count = across(picture).tiles(width) * down(picture).tiles(height);
      const std::pair<uint64_t, uint64_t> work = {count * pixels, count};
      if (pixels <= mostPixels && height <= mostRows && (!best || work < least)) {
        best = Extent{width, height};
        least = work;
      }
    }
  }
  return best ? std::optional(Tiles{picture.whole, *best, picture.halo, picture.multiple}) : std::nullopt;
}

uint32_t shrinkOf(Extent image, Extent picture) {
  constexpr uint32_t most = 8;  // so that it is known from sides of leastSide
  const bool isWide = picture.width >= picture.height;
  const uint32_t side = isWide ? image.width : image.height;
  const uint32_t shrink = side == 0 ? 0 : divideUp(isWide ? picture.width : picture.height, side);
  return shrink > 0 && shrink <= most && image == shortened(picture, shrink) ? shrink : 0;
}

NodeGraph tileOf(NodeGraph graph, const Tiles& tiles) {
  const auto shorten = [&](ValueType& type) {
    if (!type.isArray())
      type.extent = shortened(tiles.extent, std::max(1U, shrinkOf(type.extent, tiles.whole)));
  };
  for (Value& value : graph.values)
    if (!value.feedback)
      shorten(value.type);
  for (Node& node : graph.nodes)
    for (NodePart& part : node.parts)
      std::ranges::for_each(part.outputTypes, shorten);
  return graph;
}

std::string print(const Tiles& tiles) {
  return fmt::format("{} tiles ({} by {}) of {}x{} with a halo of {}: {:.2f} times the picture's pixels",
                     tiles.count(), tiles.columns().size(), tiles.rows().size(), tiles.extent.width,
                     tiles.extent.height, tiles.halo, tiles.work());
}

}  // namespace lacuna
