// Colours of the module against closed forms and against the CPU path tracer.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/pathtrace/agreement.h"
#include "tests/pathtrace/closed_forms.h"
#include "tests/pathtrace/scene_files.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

Settings settingsOf(int width, int height, int samples) {
  Settings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = samples;
  settings.seed = test::testRandom()() % 1000000;
  return settings;
}

Vec3 meanOf(const std::vector<std::vector<Vec3>>& renders) {
  return wholeOf(renders).means[0];
}

// The camera sees only the sphere, or a plane of glass.
Scene furnaceOf(const Material& material) {
  Scene scene = sphereOf(material);
  if (material.surface == Surface::glass) {
    scene.objects.clear();
    addObject(scene, addRectangle(scene, {-9, -9, 0}, {18, 0, 0}, {0, 18, 0}), material);
  }
  scene.camera[0].fov = 18.5;
  scene.background = {1, 1, 1};
  return scene;
}

class PathtraceFurnace : public testing::TestWithParam<int> {};

// In a world that is white all around, light comes from every surface as bright as its albedo.
TEST_P(PathtraceFurnace, EveryMaterialReturnsItsAlbedo) {
  std::mt19937_64& random = test::testRandom();
  const Vec3 albedo{test::uniform(random, 0.1, 1), test::uniform(random, 0.1, 1),
                    test::uniform(random, 0.1, 1)};
  const double roughness[] = {0.05, 0.15, test::uniform(random, 0.05, 0.5), 0.5, 0.75, 1};
  const int kind = GetParam();
  const Material material = kind == 0   ? plain(Surface::diffuse, albedo)
                            : kind == 1 ? plain(Surface::mirror, albedo)
                            : kind == 2 ? plain(Surface::glass, albedo)
                                        : glossy(albedo, roughness[kind - 3]);
  const test::Folder folder;
  const std::string file = writeScene(furnaceOf(material), folder.path());
  const Settings settings = settingsOf(32, 32, 64);
  const Vec3 mean = meanOf(renderSeeds(file, settings, 2));
  EXPECT_NEAR(mean.x / albedo.x, 1, 0.005) << material.roughness;
  EXPECT_NEAR(mean.y / albedo.y, 1, 0.005) << material.roughness;
  EXPECT_NEAR(mean.z / albedo.z, 1, 0.005) << material.roughness;
}

INSTANTIATE_TEST_SUITE_P(RandomMaterials, PathtraceFurnace, testing::Range(0, 9));

// A floor under a light, from above: each pixel's centre against the irradiance there, within what chance
// allows (once in a million), and all of them together within .5%.
void expectDirectLight(const Scene& scene, double albedo,
                       const std::function<double(const Vec3& point)>& irradiance) {
  const test::Folder folder;
  const std::string file = writeScene(scene, folder.path());
  Settings settings = settingsOf(8, 8, 256);
  settings.bounces = 1;
  settings.filter = PixelFilter::centre;
  const Blocks pixels = blocksOf(renderSeeds(file, settings, 48), settings.width, settings.height, 1);
  const Lens lens = lensAt(scene.camera, 0, settings.width, settings.height);
  Blocks expected = pixels;
  double ratio = 0;
  for (size_t i = 0; i < 64; ++i) {
    const double x = static_cast<double>(i % 8) + 0.5;
    const double y = static_cast<double>(i / 8) + 0.5;
    const Vec3 direction = lens.forward + lens.right * (x / 4 - 1) + lens.up * (1 - y / 4);
    const Vec3 point = lens.eye + direction * (-lens.eye.y / direction.y);
    const double radiance = albedo / std::numbers::pi * irradiance(point);
    expected.means[i] = {radiance, radiance, radiance};
    expected.variances[i] = {};
    ratio += luminance(pixels.means[i]) / radiance / 64;
  }
  EXPECT_NEAR(ratio, 1, 0.005);
  EXPECT_EQ(difference(pixels, expected), "");
}

Scene floorOf(double albedo, double size) {
  Scene scene;
  scene.camera = {{0, Vec3{0, 0.4, 0} * size, {0, 0, 0}, {0, 0, -1}}};
  scene.camera[0].fov = 100;
  addObject(scene, addRectangle(scene, Vec3{-9, 0, 9} * size, Vec3{18, 0, 0} * size, Vec3{0, 0, -18} * size),
            plain(Surface::diffuse, {albedo, albedo, albedo}));
  return scene;
}

TEST(PathtraceDirect, RandomRectangleOfLight) {
  std::mt19937_64& random = test::testRandom();
  for (const double size : {1.0, test::uniform(random, 0.001, 0.01), test::uniform(random, 300, 3000)}) {
    Scene scene = floorOf(0.6, size);
    const Vec3 corner =
        Vec3{test::uniform(random, -2, 0), test::uniform(random, 1, 2), test::uniform(random, -2, 0)} * size;
    const Vec3 edge1 = Vec3{test::uniform(random, 0.5, 2), 0, test::uniform(random, -0.4, 0.4)} * size;
    const Vec3 edge2 = Vec3{0, 0, test::uniform(random, 0.5, 2)} * size;
    addObject(scene, addRectangle(scene, corner, edge1, edge2), lamp({3, 3, 3}));
    const std::vector<Vec3> corners = {corner, corner + edge1, corner + edge1 + edge2, corner + edge2};
    expectDirectLight(scene, 0.6, [&](const Vec3& p) {
      return 3 * polygonIrradiance(corners, p, {0, 1, 0});
    });
  }
}

TEST(PathtraceDirect, RandomSphereOfLight) {
  std::mt19937_64& random = test::testRandom();
  for (const double size : {1.0, test::uniform(random, 0.001, 0.01), test::uniform(random, 300, 3000)}) {
    Scene scene = floorOf(0.7, size);
    const Vec3 centre =
        Vec3{test::uniform(random, -1, 1), test::uniform(random, 1.2, 2), test::uniform(random, -1, 1)} *
        size;
    const double radius = test::uniform(random, 0.01, 0.7) * size;
    addObject(scene, none, lamp({3, 3, 3}), {centre, {}, {radius, radius, radius}});
    expectDirectLight(scene, 0.7, [&](const Vec3& p) {
      return 3 * sphereIrradiance(centre, radius, p, {0, 1, 0});
    });
  }
}

TEST(PathtraceAgrees, RandomCornellBox) {
  Settings settings = settingsOf(32, 32, 768);
  settings.filter = PixelFilter::centre;  // nearly all of the noise is at the lamp's edge
  EXPECT_TRUE(expectAgreement(test::exampleFolder() + "/scenes/cornell.scene", settings, 4));
}

// All kinds of surfaces.
TEST(PathtraceAgrees, RandomRoom) {
  const test::Folder folder;
  Settings settings = settingsOf(32, 32, 768);
  settings.filter = PixelFilter::centre;
  EXPECT_TRUE(expectAgreement(writeScene(room(), folder.path()), settings, 4));
}

// Numbers of bounces, other filters, a lens, an early roulette: a case for each, in the room.
class PathtraceRoom : public testing::TestWithParam<int> {};

TEST_P(PathtraceRoom, Agrees) {
  const int i = GetParam();
  Scene scene = room();
  Settings settings = settingsOf(24, 24, 1024);
  settings.bounces = i < 3 ? i : 3;
  settings.roulette = i == 3 ? 0 : 3;
  settings.filter = i == 3 ? PixelFilter::box : i == 4 ? PixelFilter::tent : PixelFilter::gaussian;
  if (i == 4) {
    scene.camera[0].aperture = 0.15;
    scene.camera[0].focus = 3;
    scene.background = {0.5, 0.8, 1};
  }
  const test::Folder folder;
  const std::string file = writeScene(scene, folder.path());
  const Film film = Tracer(sceneOf(file), 0, settings).render();
  settings.samples /= 16;
  EXPECT_EQ(difference(blocksOf(renderSeeds(file, settings, 16), 24, 24, 4), blocksOf(film, 4)), "");
}

INSTANTIATE_TEST_SUITE_P(RandomSettings, PathtraceRoom, testing::Range(0, 5));

// A surface whose light comes from few paths becomes rough, because a comparison would need too many paths.
Scene tamed(Scene scene) {
  for (Material& m : scene.materials) {
    if (m.surface != Surface::emissive && m.surface != Surface::diffuse) {
      m.surface = Surface::glossy;
      m.roughness = std::max(m.roughness, 0.4);
    }
  }
  return scene;
}

TEST(PathtraceAgrees, RandomScenes) {
  std::mt19937_64& random = test::testRandom();
  constexpr int wanted = 2;
  constexpr double needed = 0.0006;  // standard error of each mean
  constexpr double most = 1500;      // samples a pixel
  int found = 0;
  for (int tries = 0; found < wanted && tries < 80; ++tries) {
    const int seed = test::pick(random, 1, 1000000);
    const test::Folder folder;
    const std::string file = writeScene(tamed(sceneOf(std::to_string(seed))), folder.path());
    Settings settings = settingsOf(32, 24, 0);
    settings.filter = PixelFilter::centre;
    const double samples = samplesFor(sceneOf(file), settings, needed);
    if (samples < most) {
      settings.samples = std::max(64, static_cast<int>(samples));
      SCOPED_TRACE(fmt::format("random scene {}", seed));
      found += expectAgreement(file, settings, 4) ? 1 : 0;
    }
  }
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
