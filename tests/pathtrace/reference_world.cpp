#include "tests/pathtrace/reference_world.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <numeric>

namespace lacuna::pathtrace::reference {
namespace {

Vec3 least(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 most(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
double component(const Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
double centre(const Primitive& p, int axis) {
  return component(p.low, axis) + component(p.high, axis);
}

// Where a ray is within a box; false where nowhere between 0 and end.
bool passes(const Ray& ray, const Vec3& low, const Vec3& high, double end) {
  double from = 0;
  double to = end;
  for (int axis = 0; axis < 3; ++axis) {
    const double o = component(ray.origin, axis);
    const double d = component(ray.direction, axis);
    const double l = component(low, axis);
    const double h = component(high, axis);
    if (d == 0) {
      if (o < l || o > h) {
        return false;
      }
      continue;
    }
    const double a = (l - o) / d;
    const double b = (h - o) / d;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b) * (1 + 1e-12));
  }
  return from <= to;
}

const Mesh& meshOf(const Scene& scene, int object) {
  return scene.meshes[static_cast<size_t>(scene.objects[static_cast<size_t>(object)].mesh)];
}

}  // namespace

World::World(const Scene& scene, double frame) : scene_(scene) {
  for (size_t o = 0; o < scene.objects.size(); ++o) {
    const Pose pose = poseAt(scene.objects[o], frame);
    maps_.push_back({objectToWorld(pose), worldToObject(pose)});
    addPrimitives(static_cast<int>(o));
  }
  order_.resize(primitives_.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (const Primitive& p : primitives_) {
    for (int axis = 0; axis < 3; ++axis) {
      margin_ = std::max({margin_, std::abs(component(p.low, axis)), std::abs(component(p.high, axis))});
    }
  }
  margin_ *= 1e-10;
  nodes_.push_back({{}, {}, 0, static_cast<int>(primitives_.size()), none});
  split(0);
}

void World::addPrimitives(int object) {
  const Affine& map = toWorld(object);
  if (scene_.objects[static_cast<size_t>(object)].mesh == none) {
    const auto reach = [&](size_t row) {
      const auto& r = map.rows[row];
      return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    };
    const Vec3 middle = mapPoint(map, {});
    const Vec3 extent{reach(0), reach(1), reach(2)};
    primitives_.push_back({object, nullptr, {}, {}, {}, middle - extent, middle + extent});
    return;
  }
  const Mesh& mesh = meshOf(scene_, object);
  for (const Triangle& triangle : mesh.triangles) {
    const auto corner = [&](size_t i) {
      return mapPoint(map, mesh.positions[static_cast<size_t>(triangle.positions[i])]);
    };
    const Vec3 a = corner(0);
    const Vec3 b = corner(1);
    const Vec3 c = corner(2);
    primitives_.push_back({object, &triangle, a, b - a, c - a, least(a, least(b, c)), most(a, most(b, c))});
  }
}

void World::split(int node) {
  const int first = nodes_[static_cast<size_t>(node)].first;
  const int count = nodes_[static_cast<size_t>(node)].count;
  const auto begin = order_.begin() + first;
  Vec3 low{infinite, infinite, infinite};
  Vec3 high{-infinite, -infinite, -infinite};
  for (auto i = begin; i != begin + count; ++i) {
    low = least(low, primitives_[static_cast<size_t>(*i)].low);
    high = most(high, primitives_[static_cast<size_t>(*i)].high);
  }
  nodes_[static_cast<size_t>(node)].low = low;
  nodes_[static_cast<size_t>(node)].high = high;
  if (count <= 4) {
    return;
  }
  const Vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int half = count / 2;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    return centre(primitives_[static_cast<size_t>(a)], axis) <
           centre(primitives_[static_cast<size_t>(b)], axis);
  });
  const int children = static_cast<int>(nodes_.size());
  nodes_[static_cast<size_t>(node)].children = children;
  nodes_.push_back({{}, {}, first, half, none});
  nodes_.push_back({{}, {}, first + half, count - half, none});
  split(children);
  split(children + 1);
}

int World::materialOf(const Primitive& primitive) const {
  if (primitive.triangle != nullptr && primitive.triangle->material != none) {
    return primitive.triangle->material;
  }
  return scene_.objects[static_cast<size_t>(primitive.object)].material;
}

// Möller, Trumbore 1997, Fast, Minimum Storage Ray/Triangle Intersection.
void World::meet(int primitive, const Ray& ray, double least, Nearest& nearest) const {
  const Primitive& p = primitives_[static_cast<size_t>(primitive)];
  if (p.triangle == nullptr) {
    meetSphere(primitive, ray, least, nearest);
    return;
  }
  const Vec3 across = cross(ray.direction, p.edge2);
  const double determinant = dot(p.edge1, across);
  if (determinant == 0) {
    return;
  }
  const Vec3 from = ray.origin - p.corner;
  const double b1 = dot(from, across) / determinant;
  const Vec3 up = cross(from, p.edge1);
  const double b2 = dot(ray.direction, up) / determinant;
  const double t = dot(p.edge2, up) / determinant;
  if (b1 >= 0 && b2 >= 0 && b1 + b2 <= 1 && t > least && t < nearest.t) {
    nearest = {t, b1, b2, primitive};
  }
}

void World::meetSphere(int primitive, const Ray& ray, double least, Nearest& nearest) const {
  const Affine& map = toObject(primitives_[static_cast<size_t>(primitive)].object);
  const Vec3 o = mapPoint(map, ray.origin);
  const Vec3 d = mapVector(map, ray.direction);
  const double a = dot(d, d);
  const double middle = -dot(o, d) / a;
  const Vec3 closest = o + d * middle;
  const double inside = 1 - dot(closest, closest);
  if (!(inside > 0)) {
    return;
  }
  const double half = std::sqrt(inside / a);
  for (const double t : {middle - half, middle + half}) {
    if (t > least && t < nearest.t) {
      nearest = {t, 0, 0, primitive};
      return;
    }
  }
}

World::Nearest World::nearest(const Ray& ray, int leaving, int reaching, double end) const {
  const double least = margin_ / length(ray.direction);
  Nearest found;
  found.t = end;
  std::array<int, 64> stack{};
  size_t size = 1;
  while (size > 0) {
    const Node& node = nodes_[static_cast<size_t>(stack[--size])];
    if (!passes(ray, node.low, node.high, found.t)) {
      continue;
    }
    if (node.children != none) {
      stack[size++] = node.children;
      stack[size++] = node.children + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int p = order_[static_cast<size_t>(i)];
      const bool isTriangle = primitives_[static_cast<size_t>(p)].triangle != nullptr;
      if (!(isTriangle && (p == leaving || p == reaching))) {
        meet(p, ray, least, found);
      }
    }
  }
  return found;
}

std::optional<Hit> World::hit(const Ray& ray, int leaving) const {
  const Nearest found = nearest(ray, leaving, none, infinite);
  if (found.primitive == none) {
    return std::nullopt;
  }
  const Primitive& p = primitives_[static_cast<size_t>(found.primitive)];
  Hit hit;
  hit.t = found.t;
  hit.primitive = found.primitive;
  hit.object = p.object;
  hit.material = materialOf(p);
  hit.point = ray.origin + ray.direction * found.t;
  hit.objectPoint = mapPoint(toObject(p.object), hit.point);
  if (p.triangle != nullptr) {
    fillTriangle(found, hit);
  } else {
    fillSphere(hit);
  }
  return hit;
}

bool World::isBlocked(const Vec3& from, const Vec3& to, int leaving, int reaching) const {
  const Vec3 way = to - from;
  const double end = 1 - 2 * margin_ / length(way);
  return nearest({from, way}, leaving, reaching, end).primitive != none;
}

Vec3 World::frontOf(const Primitive& p) const {
  const Mesh& mesh = meshOf(scene_, p.object);
  const auto corner = [&](size_t i) { return mesh.positions[static_cast<size_t>(p.triangle->positions[i])]; };
  const Vec3 normal = cross(corner(1) - corner(0), corner(2) - corner(0));
  return normalised(mapNormal(toObject(p.object), normalised(normal)));
}

void World::fillTriangle(const Nearest& found, Hit& hit) const {
  const Primitive& p = primitives_[static_cast<size_t>(hit.primitive)];
  const Mesh& mesh = meshOf(scene_, p.object);
  const Triangle& triangle = *p.triangle;
  const double b0 = 1 - found.b1 - found.b2;
  hit.geometric = frontOf(p);
  hit.shading = hit.geometric;
  if (triangle.normals[0] != none) {
    const auto normal = [&](size_t i) { return mesh.normals[static_cast<size_t>(triangle.normals[i])]; };
    const Vec3 mixed = normal(0) * b0 + normal(1) * found.b1 + normal(2) * found.b2;
    const Vec3 mapped = mapNormal(toObject(p.object), mixed);
    hit.shading = length(mapped) > 0 ? normalised(mapped) : hit.geometric;
  }
  if (triangle.uvs[0] != none) {
    const auto uv = [&](size_t i) { return mesh.uvs[static_cast<size_t>(triangle.uvs[i])]; };
    hit.uv = {uv(0).x * b0 + uv(1).x * found.b1 + uv(2).x * found.b2,
              uv(0).y * b0 + uv(1).y * found.b1 + uv(2).y * found.b2};
  }
}

void World::fillSphere(Hit& hit) const {
  const Vec3 p = normalised(hit.objectPoint);
  hit.geometric = normalised(mapNormal(toObject(hit.object), p));
  hit.shading = hit.geometric;
  const double longitude = std::atan2(p.x, p.z);
  hit.uv = {longitude / (2 * std::numbers::pi),
            std::asin(std::clamp(p.y, -1.0, 1.0)) / std::numbers::pi + 0.5};
}

}  // namespace lacuna::pathtrace::reference
