#include "tests/pathtrace/reference_hierarchy.h"

#include <algorithm>
#include <numeric>

namespace lacuna::pathtrace::reference {
namespace {

// The part of a ray between two distances, cut to the slab between two planes across an axis.
struct Span {
  double from, to;
  void cut(double origin, double direction, double inverse, double low, double high) {
    if (direction == 0) {
      to = origin < low || origin > high ? -1 : to;
      return;
    }
    const double a = (low - origin) * inverse;
    const double b = (high - origin) * inverse;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b) * (1 + 1e-12));
  }
};

}  // namespace

void Bounds::add(const Vec3& point) {
  low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
  high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
}

void Bounds::add(const Bounds& other) {
  add(other.low);
  add(other.high);
}

double Bounds::area() const {
  const Vec3 size = high - low;
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

double Bounds::enteredAt(const Ray& ray, const Vec3& inverse, double end) const {
  Span span{0, end};
  span.cut(ray.origin.x, ray.direction.x, inverse.x, low.x, high.x);
  span.cut(ray.origin.y, ray.direction.y, inverse.y, low.y, high.y);
  span.cut(ray.origin.z, ray.direction.z, inverse.z, low.z, high.z);
  return span.from <= span.to ? span.from : infinite;
}

Hierarchy::Hierarchy(const std::vector<Bounds>& boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.push_back({{}, 0, static_cast<int>(boxes.size())});
  split(boxes, 0, 0);
}

// The number of boxes from `first` on, sorted along an axis, for the first child: by the surface-area
// heuristic (MacDonald, Booth 1990).
int Hierarchy::bestCut(const std::vector<Bounds>& boxes, int first, int count) const {
  const auto box = [&](int i) { return boxes[static_cast<size_t>(order_[static_cast<size_t>(first + i)])]; };
  std::vector<double> costs(static_cast<size_t>(count));  // by the second child's first box
  Bounds second;
  for (int i = count; i-- > 1;) {
    second.add(box(i));
    costs[static_cast<size_t>(i)] = second.area() * (count - i);
  }
  Bounds before;
  for (int i = 1; i < count; ++i) {
    before.add(box(i - 1));
    costs[static_cast<size_t>(i)] += before.area() * i;
  }
  return static_cast<int>(std::min_element(costs.begin() + 1, costs.end()) - costs.begin());
}

void Hierarchy::split(const std::vector<Bounds>& boxes, int node, int depth) {
  const int first = nodes_[static_cast<size_t>(node)].first;
  const int count = nodes_[static_cast<size_t>(node)].count;
  const auto begin = order_.begin() + first;
  Bounds all;
  std::for_each(begin, begin + count, [&](int i) { all.add(boxes[static_cast<size_t>(i)]); });
  nodes_[static_cast<size_t>(node)].box = all;
  if (count <= 4)
    return;
  const Vec3 size = all.high - all.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto centre = [&](int i) {
    const Bounds& box = boxes[static_cast<size_t>(i)];
    return component(box.low, axis) + component(box.high, axis);
  };
  std::sort(begin, begin + count, [&](int a, int b) { return centre(a) < centre(b); });
  const int cut = depth < heuristicDepth ? bestCut(boxes, first, count) : count / 2;
  const int children = static_cast<int>(nodes_.size());
  nodes_[static_cast<size_t>(node)].children = children;
  nodes_.push_back({{}, first, cut});
  nodes_.push_back({{}, first + cut, count - cut});
  split(boxes, children, depth + 1);
  split(boxes, children + 1, depth + 1);
}

}  // namespace lacuna::pathtrace::reference
