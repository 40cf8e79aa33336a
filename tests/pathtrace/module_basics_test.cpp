// Properties for any light: the nearest surface among random triangles, every size, every seed, empty scenes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pathtrace/scene/pose.h"
#include "tests/pathtrace/module_render.h"
#include "tests/pathtrace/scene_files.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

using Images = std::map<std::string, test::Image>;

const std::vector<std::string> allOutputs = {"output", "direct", "indirect", "albedo",   "normal",
                                             "depth",  "id",     "motion",   "gradient", "moments"};

Images renderAll(const Graph& graph, const std::vector<std::string>& outputs = allOutputs) {
  Images found;
  renderFrames(graph, outputs, 1, [&](int, const Images& images) { found = images; });
  return found;
}

// --- soups ---

Vec3 inCube(std::mt19937_64& random, double half) {
  return {test::uniform(random, -half, half), test::uniform(random, -half, half),
          test::uniform(random, -half, half)};
}

// Triangles of very different sizes, slivers among them, in a cube of side 2.
Mesh soup(std::mt19937_64& random, int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 corner = inCube(random, 1);
    const double size = std::pow(10.0, test::uniform(random, -2, 0));
    const Vec3 edge = inCube(random, size);
    const Vec3 other = i % 7 == 0 ? edge * 0.5 + inCube(random, size * 1e-3) : inCube(random, size);
    const int first = static_cast<int>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), {corner, corner + edge, corner + other});
    mesh.triangles.push_back({{first, first + 1, first + 2}, {none, none, none}, {none, none, none}, none});
  }
  return mesh;
}

// Moeller, Trumbore 1997, over all triangles: the least depth, or 1e10.
double nearest(const std::vector<Vec3>& corners, const Vec3& eye, const Vec3& direction) {
  double best = 1e10;
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    const Vec3 e1 = corners[i + 1] - corners[i];
    const Vec3 e2 = corners[i + 2] - corners[i];
    const Vec3 p = cross(direction, e2);
    const double det = dot(e1, p);
    const Vec3 s = eye - corners[i];
    const double u = dot(s, p) / det;
    const Vec3 q = cross(s, e1);
    const double v = dot(direction, q) / det;
    const double t = dot(e2, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best)
      best = t;
  }
  return best;
}

// Beside an edge either side is right.
bool agrees(const std::vector<Vec3>& corners, const Lens& lens, const test::Image& depth, uint32_t px,
            uint32_t py) {
  const double found = depth.at(px, py, 0);
  for (const double dx : {0.0, -4e-3, 4e-3}) {
    for (const double dy : {0.0, -4e-3, 4e-3}) {
      const double x = 2 * (px + 0.5 + dx) / depth.type.extent.width - 1;
      const double y = 1 - 2 * (py + 0.5 + dy) / depth.type.extent.height;
      const double expected = nearest(corners, lens.eye, lens.forward + lens.right * x + lens.up * y);
      if (std::abs(found - expected) < 3e-4 * expected)
        return true;
    }
  }
  return false;
}

void expectNearest(std::mt19937_64& random, int count, double scale, bool moves) {
  Scene scene;
  scene.meshes.push_back(soup(random, count));
  addObject(scene, 0, plain(Surface::diffuse, {0.5, 0.5, 0.5}));
  const Pose pose{inCube(random, 0.2) * scale, rotation({0.3, 1, -0.2}, test::uniform(random, 0, 90)),
                  Vec3{1, 0.7, 1.2} * scale};
  scene.objects[0].keys = {{0, pose}};
  if (moves)
    scene.objects[0].keys.push_back({8, {{}, rotation({1, 1, 0}, 30), Vec3{1, 1, 1} * scale}});
  scene.camera[0].eye = Vec3{0.4, 0.6, 2.5} * scale;
  scene.background = {1, 1, 1};
  const test::Folder folder;
  const Graph graph{writeScene(scene, folder.path()), 83, 47, {{"start", "3"}}};
  const test::Image depth = renderAll(graph, {"depth"}).at("depth");
  std::vector<Vec3> corners = scene.meshes[0].positions;
  const Affine map = objectToWorld(poseAt(scene.objects[0], 3));
  for (Vec3& corner : corners)
    corner = mapPoint(map, corner);
  const Lens lens = lensAt(scene.camera, 3, 83, 47);
  int wrong = 0;
  int hits = 0;
  for (uint32_t y = 0; y < 47; ++y) {
    for (uint32_t x = 0; x < 83; ++x) {
      hits += depth.at(x, y, 0) < 1e9 ? 1 : 0;
      wrong += agrees(corners, lens, depth, x, y) ? 0 : 1;
    }
  }
  EXPECT_EQ(wrong, 0) << count << " triangles, scale " << scale << (moves ? ", moving" : "");
  EXPECT_GT(hits, 100);
}

TEST(PathtraceBasics, RandomNearestOfASoup) {
  std::mt19937_64& random = test::testRandom();
  for (const double scale : {1e-3, 1.0, 1e4}) {
    expectNearest(random, 300 + static_cast<int>(random() % 500), scale, false);
    expectNearest(random, 300 + static_cast<int>(random() % 500), scale, true);
  }
}

// --- frames ---

std::vector<uint32_t> words(const Graph& graph) {
  return renderAll(graph, {"output"}).at("output").words;
}

TEST(PathtraceBasics, RandomSeedsAndFrames) {
  std::mt19937_64& random = test::testRandom();
  const test::Folder folder;
  Graph graph{writeScene(room(), folder.path()), 40, 30, {{"samples", "2"}, {"seed", "5"}}};
  const std::vector<uint32_t> first = words(graph);
  EXPECT_EQ(words(graph), first) << "the same seed";
  graph.parameters["seed"] = std::to_string(6 + random() % 1000000);
  EXPECT_NE(words(graph), first) << "seed " << graph.parameters["seed"];
  graph.parameters["seed"] = "5";
  // Each frame takes the samples after those of the frame before.
  std::vector<std::vector<uint32_t>> frames;
  renderFrames(graph, {"output"}, 3,
               [&](int, const Images& images) { frames.push_back(images.at("output").words); });
  EXPECT_EQ(frames[0], first);
  EXPECT_NE(frames[1], frames[0]);
  EXPECT_NE(frames[2], frames[1]);
}

void expectConsistent(const Images& images, int width, int height) {
  const auto at = [&](const char* name, int x, int y, int c) {
    return images.at(name).at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double sum = at("direct", x, y, c) + at("indirect", x, y, c);
        ASSERT_NEAR(at("output", x, y, c), sum, 1e-5 * sum);
        ASSERT_TRUE(std::isfinite(at("normal", x, y, c)) && std::abs(at("normal", x, y, c)) <= 1.001);
        ASSERT_TRUE(at("albedo", x, y, c) >= 0 && at("albedo", x, y, c) <= 1.001);
      }
      ASSERT_TRUE(std::isfinite(at("motion", x, y, 0)) && std::isfinite(at("gradient", x, y, 1)));
      ASSERT_GT(at("depth", x, y, 0), 0);
      ASSERT_GE(at("moments", x, y, 1), 0.999 * at("moments", x, y, 0) * at("moments", x, y, 0));
    }
  }
}

TEST(PathtraceBasics, RandomEverySize) {
  std::mt19937_64& random = test::testRandom();
  const auto anyScene = [&] { return std::to_string(1 + random() % 1000000); };
  // One scene for all, because few pixels see little of it, and a CPU device compiles each scene's kernels
  // for seconds.
  const std::string small = anyScene();
  const std::string large = anyScene();
  const std::pair<int, int> sizes[] = {{1, 1}, {17, 1}, {1, 33}, {127, 61}};
  for (const auto& [width, height] : sizes) {
    const int samples = 1 + static_cast<int>(random() % 5);
    const std::string& scene = width * height < 100 ? small : large;
    SCOPED_TRACE(fmt::format("{}x{}, {} samples, scene {}", width, height, samples, scene));
    const Graph graph{scene, width, height, {{"samples", std::to_string(samples)}, {"precision", "f32"}}};
    expectConsistent(renderAll(graph), width, height);
  }
}

// --- nothing to see ---

Images renderScene(const Scene& scene) {
  const test::Folder folder;
  return renderAll({writeScene(scene, folder.path()), 17, 9, {{"precision", "f32"}}});
}

TEST(PathtraceBasics, AllBehindTheCamera) {
  Scene scene;
  addObject(scene, none, plain(Surface::diffuse, {1, 1, 1}), {{0, 0, 9}, {}, {1, 1, 1}});
  scene.camera[0].eye = {0, 0, 4};
  scene.background = {0.25, 0.5, 2};
  const Images images = renderScene(scene);
  EXPECT_EQ(images.at("output").at(3, 4, 0), 0.25);
  EXPECT_EQ(images.at("output").at(3, 4, 2), 2);
  EXPECT_EQ(images.at("albedo").at(3, 4, 2), 1);
  EXPECT_EQ(images.at("normal").at(3, 4, 1), 0);
  EXPECT_EQ(images.at("id").at(3, 4, 0), 0);
  EXPECT_NEAR(images.at("depth").at(3, 4, 0), 1e10, 1e4);
}

TEST(PathtraceBasics, NoLight) {
  Scene scene = room();
  for (Material& material : scene.materials)
    material.surface = material.surface == Surface::emissive ? Surface::diffuse : material.surface;
  scene.background = {1e-9, 0, 0};  // otherwise there is a warning
  const Images images = renderScene(scene);
  expectConsistent(images, 17, 9);
  for (const Vec3& colour : colours(images.at("output")))
    ASSERT_LE(length(colour), 1e-9);
}

// Thousands of triangles in one place, which no hierarchy can separate.
TEST(PathtraceBasics, ManyTrianglesInOnePlace) {
  Scene scene;
  Mesh mesh;
  mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  mesh.triangles.assign(3000, {{0, 1, 2}, {none, none, none}, {none, none, none}, none});
  scene.meshes.push_back(mesh);
  addObject(scene, 0, plain(Surface::mirror, {1, 1, 1}));
  scene.camera[0].eye = {0, 0, 3};
  scene.background = {1, 1, 1};
  const Images images = renderScene(scene);
  EXPECT_NEAR(images.at("depth").at(8, 4, 0), 3, 1e-5);
  EXPECT_NEAR(images.at("output").at(8, 4, 1), 1, 1e-5);
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
