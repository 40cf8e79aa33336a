// Damaged scenes and meshes: any content ends in messages and never in a crash; a scene that is read without
// an error keeps scene.h's promises.

#include <gtest/gtest.h>

#include "pathtrace/scene/scene.h"
#include "tests/pathtrace_scene/sound.h"
#include "tests/support/folder.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"

namespace lacuna::pathtrace {
namespace {

constexpr int rounds = 1500;

const std::string validScene = test::slurp(LACUNA_TEST_FOLDER "/fuzz/corpus/scene/valid.scene");

const std::string validMesh = test::slurp(LACUNA_TEST_FOLDER "/fuzz/corpus/mesh/valid.obj");

class Damaged : public ::testing::Test {
 protected:
  void SetUp() override { writeMesh(validMesh); }

  void writeMesh(const std::string& text) { folder_.write("thing.obj", text); }

  // Whether the scene had no errors. `text` is what the first file of the diagnostics holds.
  bool read(const std::string& text) {
    Diagnostics diagnostics;
    const Scene scene = parseScene(text, folder_.file("mutated.scene"), diagnostics);
    EXPECT_EQ(firstByteNotText(diagnostics.render()), std::nullopt);
    if (diagnostics.hasErrors()) {
      test::expectSound(diagnostics, text);
      return false;
    }
    expectSound(scene);
    return true;
  }

  test::Random& random_ = test::testRandom();
  const test::Folder folder_;
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
