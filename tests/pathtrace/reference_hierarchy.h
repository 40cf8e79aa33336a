#pragma once
// A hierarchy of boxes, and rays through it, in double precision.

#include <array>
#include <limits>
#include <vector>

#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace::reference {

inline double component(const Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Ray {
  Vec3 origin, direction;  // a point is origin + t * direction, with a direction of any length
};

struct Bounds {
  Vec3 low{infinite, infinite, infinite};
  Vec3 high{-infinite, -infinite, -infinite};

  void add(const Vec3& point);
  void add(const Bounds& other);
  double area() const;  // half of its surface
  // The distance at which a ray enters it between 0 and end, or infinite; `inverse`: of the ray's direction.
  double enteredAt(const Ray& ray, const Vec3& inverse, double end) const;
};

class Hierarchy {
 public:
  Hierarchy() = default;
  explicit Hierarchy(const std::vector<Bounds>& boxes);

  // Calls meet(i) for boxes that the ray enters before its end; nearer boxes come first, so that others are
  // rarely entered. meet() returns the new end of the ray, or a number below 0 to stop.
  template <class Meet>
  void visit(const Ray& ray, double end, const Meet& meet) const;

 private:
  struct Node {
    Bounds box;
    int first = 0, count = 0;  // a leaf's boxes, by order_
    int children = -1;         // the first one; the second follows it
  };
  static constexpr int heuristicDepth = 32;
  static constexpr size_t stackSize = 64;  // more than heuristicDepth and what halving adds

  int bestCut(const std::vector<Bounds>& boxes, int first, int count) const;
  void split(const std::vector<Bounds>& boxes, int node, int depth);

  std::vector<int> order_;
  std::vector<Node> nodes_;
};

template <class Meet>
void Hierarchy::visit(const Ray& ray, double end, const Meet& meet) const {
  const Vec3 inverse{1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
  struct Entry {
    int node;
    double from;
  };
  std::array<Entry, stackSize> stack;
  size_t size = 0;
  const auto enter = [&](int node) {
    return Entry{node, nodes_[static_cast<size_t>(node)].box.enteredAt(ray, inverse, end)};
  };
  const auto push = [&](const Entry& entry) {
    if (entry.from < infinite) {
      stack[size++] = entry;
    }
  };
  push(enter(0));
  while (size > 0) {
    const Entry entry = stack[--size];
    const Node& node = nodes_[static_cast<size_t>(entry.node)];
    if (entry.from > end)
      continue;
    if (node.children >= 0) {
      const Entry a = enter(node.children);
      const Entry b = enter(node.children + 1);
      push(a.from < b.from ? b : a);
      push(a.from < b.from ? a : b);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i)
      end = meet(order_[static_cast<size_t>(i)]);
  }
}

}  // namespace lacuna::pathtrace::reference
