#include "tests/pathtrace/reference_world.h"

#include <algorithm>
#include <numbers>

namespace lacuna::pathtrace::reference {
namespace {

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
  std::vector<Bounds> boxes;
  for (const Primitive& p : primitives_) {
    boxes.push_back(p.box);
    margin_ = std::max(margin_, largestCoordinate(static_cast<int>(boxes.size()) - 1));
  }
  margin_ *= 1e-10;
  hierarchy_ = Hierarchy(boxes);
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
    primitives_.push_back({object, nullptr, {}, {}, {}, {middle - extent, middle + extent}});
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
    primitives_.push_back({object, &triangle, a, b - a, c - a, {}});
    for (const Vec3& v : {a, b, c})
      primitives_.back().box.add(v);
  }
}

int World::materialOf(const Primitive& primitive) const {
  if (primitive.triangle != nullptr && primitive.triangle->material != none)
    return primitive.triangle->material;
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
  if (determinant == 0)
    return;
  const Vec3 from = ray.origin - p.corner;
  const double b1 = dot(from, across) / determinant;
  const Vec3 up = cross(from, p.edge1);
  const double b2 = dot(ray.direction, up) / determinant;
  const double t = dot(p.edge2, up) / determinant;
  if (b1 >= 0 && b2 >= 0 && b1 + b2 <= 1 && t > least && t < nearest.t)
    nearest = {t, b1, b2, primitive};
}

void World::meetSphere(int primitive, const Ray& ray, double least, Nearest& nearest) const {
  const Affine& map = toObject(primitives_[static_cast<size_t>(primitive)].object);
  const Vec3 o = mapPoint(map, ray.origin);
  const Vec3 d = mapVector(map, ray.direction);
  const double a = dot(d, d);
  const double middle = -dot(o, d) / a;
  const Vec3 closest = o + d * middle;
  const double inside = 1 - dot(closest, closest);
  if (!(inside > 0))
    return;
  const double half = std::sqrt(inside / a);
  for (const double t : {middle - half, middle + half}) {
    if (t > least && t < nearest.t) {
      nearest = {t, 0, 0, primitive};
      return;
    }
  }
}

World::Nearest World::nearest(const Search& search) const {
  const double least = margin_ / length(search.ray.direction);
  Nearest found;
  found.t = search.end;
  hierarchy_.visit(search.ray, found.t, [&](int p) {
    const bool isTriangle = primitives_[static_cast<size_t>(p)].triangle != nullptr;
    if (!(isTriangle && (p == search.leaving || p == search.reaching)))
      meet(p, search.ray, least, found);
    return search.isAnyEnough && found.primitive != none ? -1.0 : found.t;
  });
  return found;
}

std::optional<Hit> World::hit(const Ray& ray, int leaving) const {
  const Nearest found = nearest({ray, infinite, leaving, none, false});
  if (found.primitive == none)
    return std::nullopt;
  const Primitive& p = primitives_[static_cast<size_t>(found.primitive)];
  Hit hit;
  hit.t = found.t;
  hit.primitive = found.primitive;
  hit.object = p.object;
  hit.material = materialOf(p);
  hit.point = ray.origin + ray.direction * found.t;
  hit.objectPoint = mapPoint(toObject(p.object), hit.point);
  if (p.triangle != nullptr)
    fillTriangle(found, hit);
  else
    fillSphere(hit);
  return hit;
}

bool World::isBlocked(const Vec3& from, const Vec3& to, int leaving, int reaching) const {
  const Vec3 way = to - from;
  const double end = 1 - 2 * margin_ / length(way);
  return nearest({{from, way}, end, leaving, reaching, true}).primitive != none;
}

double World::largestCoordinate(int primitive) const {
  const Bounds& box = primitives_[static_cast<size_t>(primitive)].box;
  double largest = 0;
  for (const Vec3& v : {box.low, box.high})
    largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return largest;
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
