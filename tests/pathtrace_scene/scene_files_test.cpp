// The shipped scenes, and wrong ones with the full message that each must give. LACUNA_UPDATE_EXPECTED=1
// writes the messages again: read the difference before keeping it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(LACUNA_TEST_FOLDER) / "pathtrace_scene" / "wrong";
const fs::path shipped = fs::path(LACUNA_TEST_FOLDER) / ".." / "examples" / "scenes";

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> scenesIn(const fs::path& where) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(where))
    if (entry.path().extension() == ".scene")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class WrongScene : public ::testing::TestWithParam<std::string> {};

// Run in their folder, so that messages name files relative to it.
TEST_P(WrongScene, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  readScene(GetParam() + ".scene", diagnostics);
  const fs::path expected = folder / (GetParam() + ".expected");
  const std::string messages = diagnostics.render();
  if (std::getenv("LACUNA_UPDATE_EXPECTED") != nullptr)
    std::ofstream(expected, std::ios::binary) << messages;
  ASSERT_TRUE(fs::exists(expected)) << expected << " is missing; the messages are:\n" << messages;
  EXPECT_EQ(readAll(expected), messages);
  EXPECT_NE(messages, "") << "a wrong scene gave no message";
}

INSTANTIATE_TEST_SUITE_P(Files, WrongScene, ::testing::ValuesIn(scenesIn(folder)), testName);

class ShippedScene : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, IsReadWithoutAWord) {
  Diagnostics diagnostics;
  const Scene scene = readScene((shipped / (GetParam() + ".scene")).string(), diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_FALSE(scene.objects.empty());
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedScene, ::testing::ValuesIn(scenesIn(shipped)), testName);

TEST(WrongScenes, MissingFileIsNamed) {
  Diagnostics diagnostics;
  readScene("no/such.scene", diagnostics);
  EXPECT_EQ(diagnostics.render(),
            "no/such.scene: error: the scene cannot be read: No such file or directory\n");
}

}  // namespace
}  // namespace lacuna::pathtrace
