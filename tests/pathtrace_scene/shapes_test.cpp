// Generated meshes: they are closed where they should be, and their normals point to their fronts.

#include "pathtrace/scene/mesh_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "tests/pathtrace_scene/sound.h"

namespace lacuna::pathtrace {
namespace {

struct Shape {
  std::string name;
  Mesh mesh;
  int pieces;     // closed surfaces that it is made of
  double volume;  // 0: only known to be above 0
};

std::vector<Shape> closedShapes() {
  constexpr double pi = std::numbers::pi;
  return {{"cube", cube(), 1, 8},
          {"cylinder", cylinder(256), 1, 2 * pi},
          {"cone", cone(256), 1, pi * 2 / 3},
          {"torus", torus(0.3, 256), 1, 2 * pi * pi * 0.09},
          {"teapot", teapot(40), 3, 0},
          {"head", head(64), 1, 0}};
}

using Place = std::tuple<long, long, long>;

Place placeOf(const Vec3& p) {
  const auto rounded = [](double v) { return std::lround(v * 1e7); };
  return {rounded(p.x), rounded(p.y), rounded(p.z)};
}

std::array<Vec3, 3> corners(const Mesh& mesh, const Triangle& t) {
  const auto at = [&](size_t i) { return mesh.positions[static_cast<size_t>(t.positions[i])]; };
  return {at(0), at(1), at(2)};
}

// Every edge is met once in each direction.
TEST(Shapes, AreClosed) {
  for (const Shape& shape : closedShapes()) {
    std::map<std::pair<Place, Place>, int> edges;
    for (const Triangle& t : shape.mesh.triangles) {
      const auto p = corners(shape.mesh, t);
      for (size_t i = 0; i < 3; ++i)
        ++edges[{placeOf(p[i]), placeOf(p[(i + 1) % 3])}];
    }
    for (const auto& [edge, count] : edges) {
      ASSERT_EQ(count, 1) << shape.name;
      ASSERT_EQ(edges.count({edge.second, edge.first}), 1U) << shape.name;
    }
    // Euler's formula, with 2 for each sphere-like piece and 0 for a torus.
    std::map<Place, int> vertices;
    for (const auto& [edge, count] : edges)
      ++vertices[edge.first];
    const int euler = static_cast<int>(vertices.size()) - static_cast<int>(edges.size() / 2) +
                      static_cast<int>(shape.mesh.triangles.size());
    EXPECT_EQ(euler, shape.name == "torus" ? 0 : 2 * shape.pieces) << shape.name;
  }
}

// By the divergence theorem; with fronts outside it is positive.
TEST(Shapes, HaveTheirVolume) {
  for (const Shape& shape : closedShapes()) {
    double volume = 0;
    for (const Triangle& t : shape.mesh.triangles) {
      const auto p = corners(shape.mesh, t);
      volume += dot(p[0], cross(p[1], p[2])) / 6;
    }
    EXPECT_GT(volume, 0.3) << shape.name;
    if (shape.volume > 0)
      EXPECT_NEAR(volume / shape.volume, 1, 2e-3) << shape.name;
  }
}

TEST(Shapes, HaveNormalsOnTheirFronts) {
  for (const Shape& shape : closedShapes()) {
    double least = 1, sum = 0;
    size_t count = 0;
    for (const Triangle& t : shape.mesh.triangles) {
      if (t.normals[0] == none)
        continue;
      const auto p = corners(shape.mesh, t);
      const Vec3 flat = normalised(cross(p[1] - p[0], p[2] - p[0]));
      for (const int n : t.normals) {
        const double cosine = dot(flat, shape.mesh.normals[static_cast<size_t>(n)]);
        least = std::min(least, cosine);
        sum += cosine;
        ++count;
      }
    }
    EXPECT_EQ(count == 0, shape.name == "cube");
    EXPECT_GT(least, 0.2) << shape.name;
    EXPECT_GT(count == 0 ? 1 : sum / static_cast<double>(count), 0.99) << shape.name;
  }
}

// Seen from the front, u runs to the left of v's right: textures are not mirrored.
TEST(Shapes, ShowTexturesUnmirrored) {
  std::vector<Shape> shapes = closedShapes();
  shapes.push_back({"rectangle", rectangle({1, 2, 3}, {0, 0, 2}, {1, 0, 0}), 0, 0});
  shapes.push_back({"disk", disk(32), 0, 0});
  for (const Shape& shape : shapes) {
    for (const Triangle& t : shape.mesh.triangles) {
      const auto uv = [&](size_t i) { return shape.mesh.uvs[static_cast<size_t>(t.uvs[i])]; };
      const Vec2 a = uv(0), b = uv(1), c = uv(2);
      ASSERT_GT((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x), 0) << shape.name;
    }
  }
}

TEST(Shapes, FlatOnesFaceWhereTheySay) {
  for (const Mesh& mesh : {rectangle({-1, 0, -1}, {0, 0, 2}, {2, 0, 0}), disk(7)}) {
    double area = 0;
    for (const Triangle& t : mesh.triangles) {
      const auto p = corners(mesh, t);
      const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
      EXPECT_NEAR(normal.y, length(normal), 1e-12);
      area += normal.y / 2;
    }
    EXPECT_NEAR(area, mesh.triangles.size() == 2 ? 4 : 3.5 * std::sin(2 * std::numbers::pi / 7), 1e-12);
  }
}

TEST(Shapes, AreSoundAtAnyFineness) {
  for (const int segments : {3, 4, 5, 7, 31, 97}) {
    SCOPED_TRACE(segments);
    Scene scene;
    scene.camera[0].eye = {0, 0, 5};
    scene.meshes = {disk(segments),       cylinder(segments), cone(segments),
                    torus(0.3, segments), teapot(segments),   head(segments)};
    expectSound(scene);
  }
}

}  // namespace
}  // namespace lacuna::pathtrace
