// The CPU path tracer compared with exact results.

#include <gtest/gtest.h>

#include "tests/pathtrace/closed_forms.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/pathtrace/statistics.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

// Mean luminance along a ray, from so many paths that its standard error is a thousandth of it; so the .5% of
// these tests is five standard errors.
double radianceAlong(const Tracer& tracer, const Ray& ray) {
  constexpr int round = 20000;
  Random random(test::testRandom()());
  double sum = 0;
  double squares = 0;
  for (int n = round; n <= 400 * round; n += round) {
    for (int i = 0; i < round; ++i) {
      const Sample s = tracer.trace(ray, random);
      const double one = luminance(s.direct + s.indirect);
      sum += one;
      squares += one * one;
    }
    const double mean = sum / n;
    if (std::sqrt(std::max(0.0, squares / n - mean * mean) / n) < 0.001 * mean)
      return mean;
  }
  ADD_FAILURE() << "paths are too noisy";
  return 0;
}

TEST(PathtraceReference, RandomWhiteFurnace) {
  const Vec3 albedo{0.9, 0.5, 0.25};
  std::vector<Material> materials = {plain(Surface::diffuse, albedo), plain(Surface::mirror, albedo)};
  for (const double roughness : {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0})
    materials.push_back(glossy(albedo, roughness));
  for (const Material& material : materials) {
    Scene scene = sphereOf(material);
    scene.background = {1, 1, 1};
    const Tracer tracer(scene, 0, {});
    for (const double cosine : {1.0, 0.7, 0.3, 0.1}) {
      const double sine = std::sqrt(1 - cosine * cosine);
      // Meets the sphere at its +z, under the angle.
      const Ray ray{{3 * sine, 0, 1 + 3 * cosine}, {-sine, 0, -cosine}};
      EXPECT_NEAR(radianceAlong(tracer, ray) / luminance(albedo), 1, 0.005)
          << material.roughness << ", " << cosine;
    }
  }
}

TEST(PathtraceReference, RandomGlassNeitherTakesNorGives) {
  Scene scene = sphereOf(plain(Surface::glass, {1, 1, 1}));
  scene.background = {1, 1, 1};
  Settings settings;
  settings.bounces = 64;
  settings.roulette = 64;
  EXPECT_NEAR(radianceAlong(Tracer(scene, 0, settings), {{0.5, 0.3, 4}, {0, 0, -1}}), 1, 1e-6);
}

TEST(PathtraceReference, RandomWithAndWithoutNextEventEstimation) {
  Settings settings;
  settings.samples = 1000;
  settings.width = settings.height = 24;
  settings.seed = test::testRandom()();
  const Film with = Tracer(room(), 0, settings).render();
  settings.nextEvent = false;
  settings.samples = 4000;
  settings.seed += 1;
  const Film without = Tracer(room(), 0, settings).render();
  EXPECT_EQ(difference(blocksOf(with, 6), blocksOf(without, 6)), "");
  EXPECT_EQ(difference(wholeOf(with), wholeOf(without)), "");
}

TEST(PathtraceReference, RandomRectangleOfLight) {
  std::mt19937_64& random = test::testRandom();
  const Vec3 up{0, 1, 0};
  for (int i = 0; i < 4; ++i) {
    Scene scene;
    const double size = std::exp(test::uniform(random, -6, 6));  // of everything
    addObject(scene,
              addRectangle(scene, Vec3{-9, 0, 9} * size, Vec3{18, 0, 0} * size, Vec3{0, 0, -18} * size),
              plain(Surface::diffuse, {0.5, 0.5, 0.5}));
    const Vec3 corner =
        Vec3{test::uniform(random, -2, 1), test::uniform(random, 1, 3), test::uniform(random, -2, 1)} * size;
    const Vec3 edge1 = Vec3{test::uniform(random, 0.5, 2), 0, test::uniform(random, -0.4, 0.4)} * size;
    const Vec3 edge2 = Vec3{0, 0, test::uniform(random, 0.5, 2)} * size;
    addObject(scene, addRectangle(scene, corner, edge1, edge2), lamp({2, 2, 2}));
    Settings settings;
    settings.bounces = 1;
    const Vec3 point = Vec3{test::uniform(random, -2, 2), 0, test::uniform(random, -2, 2)} * size;
    const double found = radianceAlong(Tracer(scene, 0, settings), {point + up * (0.5 * size), up * -1});
    const double irradiance =
        2 * polygonIrradiance({corner, corner + edge1, corner + edge1 + edge2, corner + edge2}, point, up);
    const double expected = 0.5 / std::numbers::pi * irradiance;
    EXPECT_NEAR(found / expected, 1, 0.005) << i;
  }
}

TEST(PathtraceReference, RandomSphereOfLight) {
  std::mt19937_64& random = test::testRandom();
  const Vec3 up{0, 1, 0};
  Scene scene;
  addObject(scene, addRectangle(scene, {-9, 0, 9}, {18, 0, 0}, {0, 0, -18}),
            plain(Surface::diffuse, {0.5, 0.5, 0.5}));
  const Vec3 centre{test::uniform(random, -1, 1), test::uniform(random, 1, 2), test::uniform(random, -1, 1)};
  const double radius = test::uniform(random, 0.2, 0.9);
  addObject(scene, none, lamp({3, 3, 3}), {centre, {}, {radius, radius, radius}});
  Settings settings;
  settings.bounces = 1;
  const double found = radianceAlong(Tracer(scene, 0, settings), {{0.3, 0.05, 0.2}, {0, -1, 0}});
  const double expected = 3 * 0.5 / std::numbers::pi * sphereIrradiance(centre, radius, {0.3, 0, 0.2}, up);
  EXPECT_NEAR(found / expected, 1, 0.005);
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
