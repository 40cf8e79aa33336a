#include "pathtrace/scene/bvh.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "graph/parallel.h"
#include "pathtrace/scene/device_scene.h"

namespace lacuna::pathtrace {
namespace {

constexpr size_t binCount = 16;
// Cost of visiting a node, relative to testing one box's contents.
constexpr double nodeCost = 1.0;
// From this many boxes on, subtrees are built on several threads.
constexpr uint32_t parallelCount = 1U << 14U;

using Axis = double Vec3::*;
constexpr std::array<Axis, 3> allAxes{&Vec3::x, &Vec3::y, &Vec3::z};

double area(const Box& box) {
  if (box.isEmpty())
    return 0;
  const Vec3 d = box.high - box.low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

struct Slice {
  uint32_t first = 0, count = 0;
  uint32_t end() const { return first + count; }
};

struct Split {
  Axis axis = &Vec3::x;
  size_t bin = 0;  // the last one of the first child
  double low = 0, scale = 0;
  double cost = Box::infinity;  // sum of area times count

  size_t binOf(const Vec3& centre) const {
    return std::min(static_cast<size_t>((centre.*axis - low) * scale), binCount - 1);
  }
};

// A subtree for another thread.
struct Job {
  uint32_t node = 0;
  size_t child = 0;
  Slice range;
  uint32_t depth = 0;
};

struct Tree {
  std::vector<BvhNode> nodes;
  uint32_t depth = 0;
  uint32_t jobSize = 0;  // ranges of at most this many boxes become jobs
  std::vector<Job> jobs;
};

class Builder {
 public:
  Builder(std::span<const Box> boxes, const BvhLimits& limits, std::vector<uint32_t>& order)
      : boxes_(boxes), limits_(limits), order_(order) {
    centres_.reserve(boxes.size());
    for (const Box& box : boxes)
      centres_.push_back((box.low + box.high) * 0.5);
  }

  // Returns the index of the range's node in `tree`. `depth`: number of nodes above it.
  uint32_t grow(Tree& tree, const Slice& range, uint32_t depth) const {
    const auto index = static_cast<uint32_t>(tree.nodes.size());
    tree.nodes.emplace_back();
    tree.depth = std::max(tree.depth, depth + 1);
    const std::array<Slice, 2> halves = split(range, depth);
    for (size_t i = 0; i < 2; ++i) {
      tree.nodes[index].boxes[i] = boundsOf(halves[i]);
      const uint32_t child = grown(tree, {index, i, halves[i], depth + 1});
      tree.nodes[index].children[i] = child;
    }
    return index;
  }

 private:
  uint32_t grown(Tree& tree, const Job& job) const {
    if (isLeaf(job.range, job.depth))
      return leafBit | job.range.first << 4U | job.range.count;
    if (job.range.count <= tree.jobSize) {
      tree.jobs.push_back(job);
      return 0;
    }
    return grow(tree, job.range, job.depth);
  }

  Box boundsOf(const Slice& range) const {
    Box box;
    for (uint32_t i = range.first; i < range.end(); ++i)
      box.add(boxes_[order_[i]]);
    return box;
  }

  // Whether a leaf with all boxes is cheaper than the best split, or no level remains.
  bool isLeaf(const Slice& range, uint32_t depth) const {
    if (range.count > limits_.leafSize)
      return false;
    if (range.count <= 1 || depth == limits_.depth)
      return true;
    const std::optional<Split> best = bestSplit(range);
    const double whole = area(boundsOf(range));
    return !best || best->cost + nodeCost * whole >= range.count * whole;
  }

  std::optional<Split> bestSplit(const Slice& range) const {
    Box centres;
    for (uint32_t i = range.first; i < range.end(); ++i)
      centres.add(centres_[order_[i]]);
    std::optional<Split> best;
    for (const Axis axis : allAxes) {
      const double width = centres.high.*axis - centres.low.*axis;
      if (!(width > 0) || !std::isfinite(binCount / width))
        continue;
      const Split split = bestOn({axis, 0, centres.low.*axis, binCount / width}, range);
      if (split.cost < (best ? best->cost : Box::infinity))
        best = split;
    }
    return best;
  }

  Split bestOn(Split split, const Slice& range) const {
    std::array<Box, binCount> bins;
    std::array<uint32_t, binCount> counts{};
    for (uint32_t i = range.first; i < range.end(); ++i) {
      const size_t bin = split.binOf(centres_[order_[i]]);
      bins[bin].add(boxes_[order_[i]]);
      ++counts[bin];
    }
    std::array<double, binCount> above{};  // cost of the bins after each
    Box box;
    uint32_t count = 0;
    for (size_t bin = binCount - 1; bin > 0; --bin) {
      box.add(bins[bin]);
      count += counts[bin];
      above[bin - 1] = count * area(box);
    }
    box = {};
    count = 0;
    const Split tried = split;
    for (size_t bin = 0; bin + 1 < binCount; ++bin) {
      box.add(bins[bin]);
      count += counts[bin];
      const double cost = count * area(box) + above[bin];
      if (count > 0 && count < range.count && cost < split.cost) {
        split = tried;
        split.bin = bin;
        split.cost = cost;
      }
    }
    return split;
  }

  // Two parts of an inner node (or the root), each small enough for the remaining levels.
  std::array<Slice, 2> split(const Slice& range, uint32_t depth) const {
    if (range.count <= 1)
      return {range, Slice{range.end(), 0}};
    const uint64_t most = uint64_t{limits_.leafSize} << (limits_.depth - depth - 1);
    const auto first = order_.begin() + range.first;
    const auto end = first + range.count;
    if (const std::optional<Split> best = bestSplit(range)) {
      const auto middle =
          std::partition(first, end, [&](uint32_t box) { return best->binOf(centres_[box]) <= best->bin; });
      const auto count = static_cast<uint32_t>(middle - first);
      if (count <= most && range.count - count <= most)
        return {Slice{range.first, count}, Slice{range.first + count, range.count - count}};
    }
    const uint32_t half = range.count / 2;
    std::nth_element(first, first + half, end, [axis = widest(range), this](uint32_t a, uint32_t b) {
      const double left = centres_[a].*axis;
      const double right = centres_[b].*axis;
      return left != right ? left < right : a < b;
    });
    return {Slice{range.first, half}, Slice{range.first + half, range.count - half}};
  }

  Axis widest(const Slice& range) const {
    Box centres;
    for (uint32_t i = range.first; i < range.end(); ++i)
      centres.add(centres_[order_[i]]);
    const Vec3 width = centres.high - centres.low;
    return width.x >= width.y && width.x >= width.z ? allAxes[0]
           : width.y >= width.z                     ? allAxes[1]
                                                    : allAxes[2];
  }

  std::span<const Box> boxes_;
  BvhLimits limits_;
  std::vector<uint32_t>& order_;
  std::vector<Vec3> centres_;
};

// Adds the nodes of a job's tree behind the existing ones.
void append(Bvh& bvh, const Job& job, const Tree& tree) {
  const auto offset = static_cast<uint32_t>(bvh.nodes.size());
  bvh.nodes[job.node].children[job.child] = offset;
  for (BvhNode node : tree.nodes) {
    for (uint32_t& child : node.children)
      child += (child & leafBit) != 0 ? 0 : offset;
    bvh.nodes.push_back(node);
  }
  bvh.depth = std::max(bvh.depth, tree.depth);
}

}  // namespace

void Box::add(const Vec3& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}
void Box::add(const Box& box) {
  low = {std::min(low.x, box.low.x), std::min(low.y, box.low.y), std::min(low.z, box.low.z)};
  high = {std::max(high.x, box.high.x), std::max(high.y, box.high.y), std::max(high.z, box.high.z)};
}

Bvh buildBvh(std::span<const Box> boxes, const BvhLimits& limits) {
  if (boxes.size() >= 1U << 27U)
    throw std::length_error("a hierarchy holds at most 2^27 - 1 boxes");
  Bvh bvh;
  bvh.order.resize(boxes.size());
  std::iota(bvh.order.begin(), bvh.order.end(), 0U);
  const auto count = static_cast<uint32_t>(boxes.size());
  const Builder builder(boxes, limits, bvh.order);
  Tree top;
  top.jobSize = count >= parallelCount ? count / 16 : 0;
  builder.grow(top, {0, count}, 0);
  bvh.nodes = std::move(top.nodes);
  bvh.depth = top.depth;
  std::vector<Tree> trees(top.jobs.size());
  inParallel(top.jobs.size(),
             [&](size_t i) { builder.grow(trees[i], top.jobs[i].range, top.jobs[i].depth); });
  for (size_t i = 0; i < trees.size(); ++i)
    append(bvh, top.jobs[i], trees[i]);
  return bvh;
}

void appendNodes(const Bvh& bvh, uint32_t firstNode, uint32_t firstLeaf, std::vector<Words>& words) {
  for (const BvhNode& node : bvh.nodes) {
    std::array<uint32_t, 2> children = node.children;
    for (uint32_t& child : children)
      child += (child & leafBit) != 0 ? firstLeaf << 4U : firstNode;
    for (const Box& box : node.boxes)
      words.push_back(floats(floatBelow(box.low.x), floatAbove(box.high.x), floatBelow(box.low.y),
                             floatAbove(box.high.y)));
    const Box& a = node.boxes[0];
    const Box& b = node.boxes[1];
    words.push_back(
        floats(floatBelow(a.low.z), floatAbove(a.high.z), floatBelow(b.low.z), floatAbove(b.high.z)));
    words.push_back({children[0], children[1], 0, 0});
  }
}

}  // namespace lacuna::pathtrace
