
#include <gtest/gtest.h>

#include <set>

#include "pathtrace/scene/pose.h"
#include "pathtrace/scene/scene.h"
#include "tests/pathtrace_scene/sound.h"
#include "tests/support/random.h"

namespace lacuna::pathtrace {
namespace {

bool moves(const Scene& scene) {
  return scene.camera.size() > 1;
}

uint32_t firstSeed() {
  return static_cast<uint32_t>(test::testRandom()() >> 33U);
}

// Whether a point is in the picture.
bool isSeen(const Lens& lens, const Vec3& p) {
  const Vec3 d = p - lens.eye;
  const double depth = dot(d, lens.forward);
  return depth > 0 && std::abs(dot(d, lens.right)) < depth * dot(lens.right, lens.right) &&
         std::abs(dot(d, lens.up)) < depth * dot(lens.up, lens.up);
}

TEST(RandomScene, IsSoundAndVaries) {
  const uint32_t first = firstSeed();
  int moving = 0;
  std::set<Surface> surfaces;
  std::set<int> kinds;
  for (uint32_t seed = first; seed < first + 30; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = randomScene(seed);
    expectSound(scene);
    moving += moves(scene) ? 1 : 0;
    for (const Material& material : scene.materials) {
      surfaces.insert(material.surface);
      kinds.insert(static_cast<int>(material.albedo.kind));
    }
  }
  EXPECT_GT(moving, 3);
  EXPECT_LT(moving, 27);
  EXPECT_EQ(surfaces.size(), 5U);
  EXPECT_EQ(kinds.size(), 3U);
}

TEST(RandomScene, CameraSeesItAtAllFrames) {
  const uint32_t first = firstSeed();
  for (uint32_t seed = first; seed < first + 12; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = randomScene(seed);
    for (double frame = 0; frame <= 64; frame += 16) {
      const Lens lens = lensAt(scene.camera, frame, 16, 9);
      int seen = 0;
      for (const Object& object : scene.objects)
        seen += object.name.starts_with("object") && isSeen(lens, poseAt(object, frame).translate) ? 1 : 0;
      EXPECT_GE(seen, 2);
      EXPECT_GT(lens.eye.y, 0.2);
    }
  }
}

TEST(RandomScene, IsTheSameAgain) {
  const uint32_t seed = firstSeed();
  const Scene a = randomScene(seed), b = randomScene(seed), other = randomScene(seed + 1);
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (size_t i = 0; i < a.objects.size(); ++i) {
    EXPECT_EQ(a.objects[i].name, b.objects[i].name);
    EXPECT_EQ(a.objects[i].keys.back().pose.translate, b.objects[i].keys.back().pose.translate);
  }
  EXPECT_EQ(a.camera.back().eye, b.camera.back().eye);
  EXPECT_NE(a.camera.back().eye, other.camera.back().eye);
}

// Stated here so that training data from another machine or version can be verified.
TEST(SceneOfASeed, OfSeed7IsWhatItWas) {
  const Scene scene = randomScene(7);
  EXPECT_EQ(scene.objects.size(), 17U);
  EXPECT_NEAR(scene.camera[0].eye.x, 0.194872602, 1e-6);
  EXPECT_NEAR(scene.camera[0].eye.z, 3.690107861, 1e-6);
}

TEST(SceneOfASeed, StandsInAFileBesideOthers) {
  Diagnostics diagnostics;
  const Scene scene = parseScene(
      "scene:1\nmaterial m diffuse checker 0 1\nobject o cube material m\ngenerate 7\nbackground 0.25\n",
      "a.scene", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  expectSound(scene);
  const Scene made = randomScene(7);
  EXPECT_EQ(scene.objects.size(), made.objects.size() + 1);
  EXPECT_EQ(scene.camera.size(), made.camera.size());
  EXPECT_EQ(scene.background, (Vec3{0.25, 0.25, 0.25}));
  EXPECT_EQ(scene.objects[1].name, made.objects[0].name);
  EXPECT_EQ(scene.objects[1].material, made.objects[0].material + 1);
}

}  // namespace
}  // namespace lacuna::pathtrace
