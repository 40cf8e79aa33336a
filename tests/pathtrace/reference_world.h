#pragma once
// A scene at a moment, in the world, and rays through it, in plain double precision: the base of the CPU path
// tracer.

#include <optional>
#include <vector>

#include "pathtrace/scene/pose.h"
#include "tests/pathtrace/reference_hierarchy.h"

namespace lacuna::pathtrace::reference {

// A ray's hit. Normals are of unit length and point to the front, even if the back was met.
struct Hit {
  double t = infinite;
  int primitive = none;  // of World::primitives()
  int object = none;     // of Scene::objects
  int material = none;   // of Scene::materials
  Vec3 point, geometric, shading;
  Vec2 uv;           // of the surface, not yet scaled by its texture
  Vec3 objectPoint;  // the point in its object's space
};

// A triangle of a mesh, or a sphere.
struct Primitive {
  int object = none;
  const Triangle* triangle = nullptr;  // null: a sphere
  Vec3 corner, edge1, edge2;           // of a triangle, in the world
  Bounds box;                          // in the world
};

class World {
 public:
  World(const Scene& scene, double frame);

  const Scene& scene() const { return scene_; }
  const std::vector<Primitive>& primitives() const { return primitives_; }
  const Affine& toWorld(int object) const { return maps_[static_cast<size_t>(object)].toWorld; }
  const Affine& toObject(int object) const { return maps_[static_cast<size_t>(object)].toObject; }
  int materialOf(const Primitive& primitive) const;
  double largestCoordinate(int primitive) const;  // of its box in the world
  // A triangle's normal of unit length, in the world, on its front.
  Vec3 frontOf(const Primitive& primitive) const;

  // The nearest surface with t > 0 on a ray that does not start within `leaving`'s rounding: 0 is excluded
  // with a margin of 1e-10 of the scene's extent, and so is the triangle that the ray leaves.
  std::optional<Hit> hit(const Ray& ray, int leaving = none) const;
  // Whether something lies between the two points, excluding the given primitives (or none) on which they
  // lie.
  bool isBlocked(const Vec3& from, const Vec3& to, int leaving, int reaching) const;

 private:
  struct Maps {
    Affine toWorld, toObject;
  };
  struct Search {
    Ray ray;
    double end;             // hits beyond don't count
    int leaving, reaching;  // triangles that don't
    bool isAnyEnough;       // else the nearest is wanted
  };
  struct Nearest {
    double t = infinite, b1 = 0, b2 = 0;
    int primitive = none;
  };

  void addPrimitives(int object);
  void meet(int primitive, const Ray& ray, double least, Nearest& nearest) const;
  void meetSphere(int primitive, const Ray& ray, double least, Nearest& nearest) const;
  Nearest nearest(const Search& search) const;
  void fillTriangle(const Nearest& found, Hit& hit) const;
  void fillSphere(Hit& hit) const;

  const Scene& scene_;
  std::vector<Maps> maps_;
  std::vector<Primitive> primitives_;
  Hierarchy hierarchy_;  // over primitives_
  double margin_ = 0;    // length that counts as zero
};

}  // namespace lacuna::pathtrace::reference
