// Damaged scenes and meshes: any content ends in messages and never in a crash; a scene that is read without
// an error keeps scene.h's promises.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "pathtrace/scene/scene.h"
#include "tests/pathtrace_scene/sound.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"

namespace lacuna::pathtrace {
namespace {

namespace fs = std::filesystem;

constexpr int rounds = 1500;

const std::string validScene = R"(scene:1
# everything that there is
camera eye 0 1 3.4  target 0 1 0  up 0 1 0  fov 40 aperture 0.01 focus 3
  at 24 eye 0.5 1 3.4
  at 48 target 0 1.1 0 fov 30
background 0.1 0.2 0.3
material white  diffuse albedo 0.73
material tiles  diffuse checker 0.8 0.8 0.8  0.1 0.1 0.1 scale 4
material gold   glossy albedo 1 0.78 0.34 roughness 0.3
material chrome mirror albedo 0.9 0.9 0.9
material pane   glass ior 1.5
material lamp   emissive radiance 17 12 4
mesh thing "thing.obj"
object floor rectangle material tiles corner -1 0 -1  edges 0 0 2  2 0 0
object light rectangle material lamp corner -1 2 -1  edges 2 0 0  0 0 2
object box   cube material white  translate .3 .3 .3  rotate 0 1 0 -18  scale .3 .3 .3
  at 0 rotate 0 1 0 30 rotate 1 0 0 5
  at 60 translate 1 .3 .3
object ball  sphere material pane translate 0 .5 0 scale .5 .5 .5
object ring  torus tube 0.2 segments 12 material gold
object cap   cone segments 5 material chrome
object thing mesh thing material "gold"
)";

const std::string validMesh = R"(# a tetrahedron
mtllib thing.mtl
o thing
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1 1.0
vt 0 0
vt 1 0
vt 0.5 1
vn 0 0 1
vn 0.5 0.5 0.5
usemtl white
f 1/1/1 2/2/1 3/3/1
f -4 -2 -1
usemtl gold
s 1
f 1//1 2//2 4//1
f 2/1 3/2 4/3
f 1 2 3 4
)";

class Damaged : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("lacuna_scene_mutation_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    writeMesh(validMesh);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void writeMesh(const std::string& text) { std::ofstream(folder_ / "thing.obj", std::ios::binary) << text; }

  // Whether the scene had no errors. `text` is what the first file of the diagnostics holds.
  bool read(const std::string& text) {
    Diagnostics diagnostics;
    const Scene scene = parseScene(text, (folder_ / "mutated.scene").string(), diagnostics);
    EXPECT_EQ(firstByteNotText(diagnostics.render()), std::nullopt);
    if (diagnostics.hasErrors()) {
      test::expectSound(diagnostics, text);
      return false;
    }
    expectSound(scene);
    return true;
  }

  test::Random& random_ = test::testRandom();
  fs::path folder_;
};

TEST_F(Damaged, RandomScenes) {
  int right = 0;
  ASSERT_TRUE(read(validScene));
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string text = test::mutate(validScene, random_);
    SCOPED_TRACE("round " + std::to_string(round) + "\n" + text);
    right += read(text) ? 1 : 0;
  }
  EXPECT_GT(right, 1) << "some changes, as in a comment, are harmless";
  EXPECT_LT(right, rounds) << "no change was noticed";
}

TEST_F(Damaged, RandomMeshes) {
  int right = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string text = test::mutate(validMesh, random_);
    writeMesh(text);
    SCOPED_TRACE("round " + std::to_string(round) + "\n" + text);
    right += read(validScene) ? 1 : 0;
  }
  EXPECT_GT(right, 1);
  EXPECT_LT(right, rounds);
}

}  // namespace
}  // namespace lacuna::pathtrace
