// The module's planes of a pixel's first surface against the CPU version: depth, its gradient, id, motion,
// and with samples in the pixel's centre albedo and normal.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/parallel.h"
#include "tests/pathtrace/agreement.h"
#include "tests/pathtrace/reference_features.h"
#include "tests/pathtrace/scene_files.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

// A pixel's error relative to its bound: at most 1.
struct Worst {
  double value = 0;
  std::string where;
  void see(const char* name, int c, int x, int y, double found, double expected, double allowed) {
    const double off = std::isfinite(found) ? std::abs(found - expected) / allowed : 1e30;
    if (off > value) {
      value = off;
      where = fmt::format("{}[{}] at {},{}: {} for {}", name, c, x, y, found, expected);
    }
  }
};

// `isSharp`: no lens moves the rays of albedo and normal.
void seePixel(const std::map<std::string, test::Image>& images, const Features& features, int px, int py,
              bool isSharp, Worst& worst) {
  const Feature f = features.at(px + 0.5, py + 0.5);
  const auto x = static_cast<uint32_t>(px);
  const auto y = static_cast<uint32_t>(py);
  const auto see = [&](const char* name, int c, double expected, double allowed) {
    if (const auto image = images.find(name); image != images.end())
      worst.see(name, c, px, py, image->second.at(x, y, c), expected, allowed);
  };
  see("id", 0, f.id, 0.5);
  see("depth", 0, f.depth, 2e-5 * f.depth);
  const double steep = std::hypot(f.gradient.x, f.gradient.y);
  see("gradient", 0, f.gradient.x, 2e-3 * steep + 1e-5 * (f.id > 0 ? f.depth : 1));
  see("gradient", 1, f.gradient.y, 2e-3 * steep + 1e-5 * (f.id > 0 ? f.depth : 1));
  see("motion", 0, f.motion.x, 2e-3 + 2e-4 * std::abs(f.motion.x));
  see("motion", 1, f.motion.y, 2e-3 + 2e-4 * std::abs(f.motion.y));
  const double normal[] = {f.normal.x, f.normal.y, f.normal.z};
  for (int c = 0; isSharp && c < 3; ++c)
    see("normal", c, normal[c], 2e-3);
  if (isSharp) {
    const Vec3 rounding = features.albedoRounding(px + 0.5, py + 0.5);
    see("albedo", 0, f.albedo.x, rounding.x);
    see("albedo", 1, f.albedo.y, rounding.y);
    see("albedo", 2, f.albedo.z, rounding.z);
  }
}

// Number of compared pixels in a row.
struct Row {
  Worst worst;
  int compared = 0;
};

// The number of compared pixels, and of all.
struct Compared {
  int pixels = 0;
  int all = 0;
};

const std::vector<std::string> allFeatures = {"id", "depth", "gradient", "motion", "normal", "albedo"};

// All pixels but edges; `frames` of the animation.
Compared expectFeatures(const std::string& fileOrSeed, int width, int height, int frames,
                        const std::vector<std::string>& outputs = allFeatures) {
  const Scene scene = sceneOf(fileOrSeed);
  Graph graph{fileOrSeed, width, height, {{"filter", "centre"}, {"precision", "f32"}, {"bounces", "0"}}};
  const bool isSharp = std::all_of(scene.camera.begin(), scene.camera.end(),
                                   [](const CameraKey& key) { return key.aperture == 0; });
  Compared compared;
  renderFrames(graph, outputs, frames, [&](int frame, const std::map<std::string, test::Image>& images) {
    const Features features(scene, frame, frame - 1, width, height);
    std::vector<Row> rows(static_cast<size_t>(height));
    inParallel(rows.size(), [&](size_t y) {
      for (int x = 0; x < width; ++x) {
        if (!features.isEdge(x + 0.5, static_cast<double>(y) + 0.5)) {
          ++rows[y].compared;
          seePixel(images, features, x, static_cast<int>(y), isSharp, rows[y].worst);
        }
      }
    });
    Worst worst;
    for (const Row& row : rows) {
      worst = row.worst.value > worst.value ? row.worst : worst;
      compared.pixels += row.compared;
    }
    EXPECT_LE(worst.value, 1) << fileOrSeed << ", frame " << frame << ": " << worst.where;
    compared.all += width * height;
  });
  return compared;
}

TEST(PathtraceFeatures, OfTheRoom) {
  const test::Folder folder;
  Scene scene = room();
  scene.background = {0.3, 0.6, 2};
  scene.camera[0].fov = 60;
  const Compared compared = expectFeatures(writeScene(scene, folder.path()), 127, 61, 1);
  EXPECT_GT(compared.pixels, compared.all * 3 / 4);
}

TEST(PathtraceFeatures, OfRandomScenes) {
  std::mt19937_64& random = test::testRandom();
  Compared compared;
  for (int i = 0; i < 6; ++i) {
    const int height = test::pick(random, 1, 120);
    const int width = test::pick(random, 1, 150);
    const int seed = test::pick(random, 1, 1000000);
    const auto [pixels, all] = expectFeatures(std::to_string(seed), width, height, 2);
    compared.pixels += pixels;
    compared.all += all;
  }
  // The share of all pixels, because a small picture can consist of edges.
  EXPECT_GT(compared.pixels, compared.all / 2);
}

// Spheres with images on them where random draws found the module's albedo wrong: it took the latitude from
// the device's asin, and was off by up to 1.24e-4 of the image.
struct Known {
  int seed, width, height, frames;
};

// Only those spheres, diffuse: the same albedo, and one kernel for all of the scenes.
Scene spheresWithImages(const Scene& scene) {
  Scene kept;
  kept.camera = scene.camera;
  kept.background = {1, 1, 1};
  for (const Object& object : scene.objects) {
    Material material = scene.materials[static_cast<size_t>(object.material)];
    if (object.mesh == none && material.albedo.kind == Texture::Kind::image) {
      kept.images.push_back(scene.images[static_cast<size_t>(material.albedo.image)]);
      material.albedo.image = static_cast<int>(kept.images.size()) - 1;
      material.surface = Surface::diffuse;
      kept.materials.push_back(material);
      kept.objects.push_back(object);
      kept.objects.back().material = static_cast<int>(kept.materials.size()) - 1;
    }
  }
  return kept;
}

class PathtraceKnownScenes : public testing::TestWithParam<Known> {};

TEST_P(PathtraceKnownScenes, Albedo) {
  const Known& known = GetParam();
  const test::Folder folder;
  const std::string file = writeScene(spheresWithImages(sceneOf(std::to_string(known.seed))), folder.path());
  expectFeatures(file, known.width, known.height, known.frames, {"albedo"});
}

INSTANTIATE_TEST_SUITE_P(PathtraceFeatures, PathtraceKnownScenes,
                         testing::Values(Known{158873, 121, 79, 1}, Known{617868, 143, 99, 1},
                                         Known{163816, 58, 50, 1}, Known{388763, 102, 94, 1},
                                         Known{418558, 75, 79, 2}),
                         [](const auto& known) { return fmt::format("Seed{}", known.param.seed); });

// If `reflected` is set, surfaces that show others sharply have the others' albedo times their own; here that
// of the surrounding wall.
TEST(PathtraceFeatures, AlbedoOfWhatIsReflected) {
  const test::Folder folder;
  const Vec3 own{0.5, 0.8, 0.9};
  const Vec3 wall{0.3, 0.6, 0.2};
  Scene scene;
  scene.camera = {{0, {0, 0, 8}, {0, 0, 0}}};
  scene.camera[0].fov = 60;
  scene.background = {1, 1, 1};
  addObject(scene, none, plain(Surface::diffuse, wall), {{}, {}, {20, 20, 20}});
  // Around the middle: columns and rows 5 and 10 of 16.
  const Vec3 one{1, 1, 1};
  addObject(scene, none, plain(Surface::mirror, own), {{-1.5, 1.5, 0}, {}, one});
  addObject(scene, none, glossy(own, 0.2), {{1.5, 1.5, 0}, {}, one});
  addObject(scene, none, glossy(own, 0.35), {{-1.5, -1.5, 0}, {}, one});
  addObject(scene, none, plain(Surface::diffuse, own), {{1.5, -1.5, 0}, {}, one});
  const std::string file = writeScene(scene, folder.path());
  for (const bool reflected : {false, true}) {
    const Graph graph{
        file,
        16,
        16,
        {{"samples", "256"}, {"precision", "f32"}, {"reflected", reflected ? "true" : "false"}}};
    const std::vector<Vec3> albedo = colours(renderOne(graph, "albedo"));
    for (const size_t place : {85, 90, 165, 170}) {
      const bool isUpper = place < 128;
      const Vec3 expected = reflected && isUpper ? own * wall : own;
      EXPECT_NEAR(albedo[place].x, expected.x, 0.02) << place << " " << reflected;
      EXPECT_NEAR(albedo[place].y, expected.y, 0.02) << place << " " << reflected;
      EXPECT_NEAR(albedo[place].z, expected.z, 0.02) << place << " " << reflected;
    }
  }
}

// Depth in neighbouring pixels of a plane: 1 / depth is linear in the picture.
TEST(PathtraceFeatures, RandomGradientIsThatOfDepth) {
  std::mt19937_64& random = test::testRandom();
  for (int i = 0; i < 3; ++i) {
    Scene scene;
    scene.background = {1, 1, 1};
    const auto any = [&](double reach) { return test::uniform(random, -reach, reach); };
    scene.camera = {{0, {any(1), any(1), 5 + any(1)}, {any(1), any(1), 0}, {any(0.3), 1, 0}}};
    const Vec3 edge1{198, 0, any(60)};
    const Vec3 edge2{0, 198, any(60)};
    const Vec3 middle{0, 0, any(1)};
    addObject(scene, addRectangle(scene, middle - (edge1 + edge2) * 0.5, edge1, edge2),
              plain(Surface::diffuse, {0.5, 0.5, 0.5}));
    const test::Folder folder;
    const Graph graph{writeScene(scene, folder.path()), 60, 40, {}};
    renderFrames(graph, {"depth", "gradient"}, 1, [&](int, const std::map<std::string, test::Image>& images) {
      const test::Image& depth = images.at("depth");
      const test::Image& gradient = images.at("gradient");
      for (uint32_t y = 1; y < 39; ++y) {
        for (uint32_t x = 1; x < 59; ++x) {
          const double here = depth.at(x, y, 0);
          // From the differences of 1 / depth: d(depth) = -depth^2 d(1 / depth).
          const double acrossX = -here * here * (1 / depth.at(x + 1, y, 0) - 1 / depth.at(x - 1, y, 0)) / 2;
          const double acrossY = -here * here * (1 / depth.at(x, y + 1, 0) - 1 / depth.at(x, y - 1, 0)) / 2;
          const double allowed = 1e-3 * std::hypot(acrossX, acrossY) + 2e-6 * here;
          ASSERT_NEAR(gradient.at(x, y, 0), acrossX, allowed) << x << "," << y;
          ASSERT_NEAR(gradient.at(x, y, 1), acrossY, allowed) << x << "," << y;
        }
      }
    });
  }
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
