// The shipped scenes, and wrong ones with the full message that each must give.

#include "pathtrace/scene/scene.h"
#include "tests/support/expected_messages.h"

namespace lacuna::pathtrace {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(LACUNA_TEST_FOLDER) / "pathtrace_scene" / "wrong";
const fs::path shipped = fs::path(LACUNA_TEST_FOLDER) / ".." / "examples" / "scenes";

class WrongScene : public ::testing::TestWithParam<std::string> {};

// Run in their folder, so that messages name files relative to it.
TEST_P(WrongScene, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  readScene(GetParam() + ".scene", diagnostics);
  test::expectMessages(diagnostics.render(), folder / (GetParam() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, WrongScene, ::testing::ValuesIn(test::casesIn(folder, ".scene")),
                         test::caseName);

class ShippedScene : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, IsReadWithoutAWord) {
  Diagnostics diagnostics;
  const Scene scene = readScene((shipped / (GetParam() + ".scene")).string(), diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_FALSE(scene.objects.empty());
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedScene, ::testing::ValuesIn(test::casesIn(shipped, ".scene")),
                         test::caseName);

TEST(WrongScenes, MissingFileIsNamed) {
  Diagnostics diagnostics;
  readScene("no/such.scene", diagnostics);
  EXPECT_EQ(diagnostics.render(),
            "no/such.scene: error: the scene cannot be read: No such file or directory\n");
}

}  // namespace
}  // namespace lacuna::pathtrace
