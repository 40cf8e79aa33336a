#pragma once
// Bounding-volume hierarchies of two children a node: surface-area heuristic (MacDonald, Booth 1990) over
// bins of the boxes' centres (Wald 2007, On fast Construction of SAH-based Bounding Volume Hierarchies), top
// down.
//
// If the heuristic would go deeper than the limit, or all centres are in one place, the boxes are halved by
// number, so that every input ends, and the result depends only on the input, not on threads.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "pathtrace/scene/device_scene.h"
#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace {

struct Box {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};

  void add(const Vec3& point);
  void add(const Box& box);
  bool isEmpty() const { return !(low.x <= high.x); }
};

struct BvhNode {
  std::array<Box, 2> boxes;
  // An inner node by its index, or leafBit | first << 4 | count, `first` a place in Bvh::order.
  std::array<uint32_t, 2> children{leafBit, leafBit};
};

struct BvhLimits {
  uint32_t leafSize = maxLeafSize;  // boxes a leaf, 1 to 15
  // Nodes on the way to a leaf; leafSize * 2^depth is at least the number of boxes.
  uint32_t depth = maxMeshDepth;
};

struct Bvh {
  std::vector<BvhNode> nodes;   // at least one; the root is the first
  std::vector<uint32_t> order;  // indices of boxes, leaf by leaf
  uint32_t depth = 0;           // nodes on the longest way to a leaf, including the root
};

// Boxes are finite, and none is empty; at most 2^27 - 1 of them.
Bvh buildBvh(std::span<const Box> boxes, const BvhLimits& limits);

// In the device's form (device_scene.h): bounds rounded outwards to floats; nodes and leaves of this
// hierarchy start at `firstNode` and `firstLeaf` of their arrays.
void appendNodes(const Bvh& bvh, uint32_t firstNode, uint32_t firstLeaf, std::vector<Words>& words);

}  // namespace lacuna::pathtrace
