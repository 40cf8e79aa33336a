// Motion vectors: they carry the frame before onto this one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/pathtrace/agreement.h"
#include "tests/pathtrace/reference_features.h"
#include "tests/pathtrace/scene_files.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

constexpr int width = 160;
constexpr int height = 120;

Material textured(Scene& scene, std::mt19937_64& random) {
  lacuna::pathtrace::Image image;
  image.width = 12;
  image.height = 8;
  for (int i = 0; i < 96; ++i) {
    const auto any = [&] { return static_cast<float>(test::uniform(random, 0.1, 1)); };
    image.pixels.push_back({any(), any(), any()});
  }
  scene.images.push_back(image);
  Material m = plain(Surface::diffuse, {1, 1, 1});
  m.albedo.kind = Texture::Kind::image;
  m.albedo.image = static_cast<int>(scene.images.size()) - 1;
  return m;
}

// Convex objects that move and turn independently in front of a moving camera; under a white sky a point
// keeps its colour.
Scene moving(std::mt19937_64& random) {
  Scene scene;
  const auto any = [&](double reach) { return test::uniform(random, -reach, reach); };
  const auto turn = [&] { return rotation({any(1), any(1), 1.5}, any(50)); };
  scene.background = {1, 1, 1};
  scene.camera = {{0, {any(0.5), any(0.5), 9}, {0, 0, 0}},
                  {4, {any(1.5), any(1.5), 8}, {any(0.5), any(0.5), 0}}};
  for (int i = 0; i < 4; ++i) {
    const Vec3 place{i % 2 * 4.0 - 2, i / 2 * 3.0 - 1.5, any(1)};
    const bool isSphere = i == 0 || i == 3;
    const int mesh = isSphere ? none : addRectangle(scene, {-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    Material material = textured(scene, random);
    if (i == 1) {
      material.albedo.kind = Texture::Kind::checker;
      material.albedo.colour = {0.9, 0.7, 0.5};
      material.albedo.other = {0.1, 0.2, 0.4};
      material.albedo.scale = {3, 4};
    }
    addObject(scene, mesh, material);
    const Pose first{place, turn(), isSphere ? Vec3{1, 0.7, 1.2} : Vec3{1, 1, 1}};
    const Pose second{place + Vec3{any(0.6), any(0.6), any(0.6)}, turn(), first.scale};
    scene.objects.back().keys = {{0, first}, {4, second}};
  }
  return scene;
}

// The frame before as the module gave it, and the geometry of both moments.
struct Pair {
  const std::map<std::string, test::Image>& before;
  const std::map<std::string, test::Image>& now;
  const Features& featuresBefore;

  // Within the picture, and all four pixels around belong to the surface: the same object at the depth where
  // the plane through the point that is seen there would be.
  bool isSeen(double x, double y, double id) const {
    const int left = static_cast<int>(std::floor(x - 0.5));
    const int top = static_cast<int>(std::floor(y - 0.5));
    if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height)
      return false;
    const Feature f = featuresBefore.at(x, y);
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const auto px = static_cast<uint32_t>(left + i);
        const auto py = static_cast<uint32_t>(top + j);
        const double depth = f.depth + f.gradient.x * (px + 0.5 - x) + f.gradient.y * (py + 0.5 - y);
        if (f.id != static_cast<int>(id) || before.at("id").at(px, py, 0) != id ||
            std::abs(before.at("depth").at(px, py, 0) - depth) > 0.02 * depth)
          return false;
      }
    }
    return true;
  }

  double colourBefore(double x, double y, int c) const {
    const double left = std::floor(x - 0.5);
    const double top = std::floor(y - 0.5);
    double sum = 0;
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const double weight =
            (i == 0 ? left + 1.5 - x : x - left - 0.5) * (j == 0 ? top + 1.5 - y : y - top - 0.5);
        sum += weight *
               before.at("output").at(static_cast<uint32_t>(left + i), static_cast<uint32_t>(top + j), c);
      }
    }
    return sum;
  }
};

struct Errors {
  double with = 0, without = 0;
  int pixels = 0;
};

// Pixels whose neighbours show the same object.
void addErrors(const Pair& pair, Errors& errors) {
  const test::Image& id = pair.now.at("id");
  const test::Image& motion = pair.now.at("motion");
  const test::Image& colour = pair.now.at("output");
  for (uint32_t y = 1; y + 1 < height; ++y) {
    for (uint32_t x = 1; x + 1 < width; ++x) {
      const double object = id.at(x, y, 0);
      const double px = x + 0.5 + motion.at(x, y, 0);
      const double py = y + 0.5 + motion.at(x, y, 1);
      const bool isInner = id.at(x - 1, y, 0) == object && id.at(x + 1, y, 0) == object &&
                           id.at(x, y - 1, 0) == object && id.at(x, y + 1, 0) == object;
      if (object == 0 || !isInner || !pair.isSeen(px, py, object) || !pair.isSeen(x + 0.5, y + 0.5, object))
        continue;
      ++errors.pixels;
      for (int c = 0; c < 3; ++c) {
        errors.with += std::abs(colour.at(x, y, c) - pair.colourBefore(px, py, c));
        errors.without += std::abs(colour.at(x, y, c) - pair.colourBefore(x + 0.5, y + 0.5, c));
      }
    }
  }
}

TEST(PathtraceMotion, RandomCarriesTheFrameBeforeOntoThisOne) {
  std::mt19937_64& random = test::testRandom();
  const test::Folder folder;
  const std::string file = writeScene(moving(random), folder.path());
  const Scene scene = sceneOf(file);
  const Graph graph{file, width, height, {{"samples", "64"}, {"bounces", "1"}, {"precision", "f32"}}};
  std::map<std::string, test::Image> before;
  Errors errors;
  renderFrames(graph, {"output", "id", "depth", "motion"}, 5, [&](int frame, const auto& images) {
    if (frame > 0)
      addErrors({before, images, Features(scene, frame - 1, frame - 1, width, height)}, errors);
    before = images;
  });
  EXPECT_GT(errors.pixels, width * height / 2);
  EXPECT_LT(errors.with, 0.15 * errors.without);
  RecordProperty("ratio", fmt::format("{:.4f}", errors.with / errors.without));
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
