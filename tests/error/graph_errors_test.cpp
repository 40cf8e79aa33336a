// Wrong files, and the full message that each must produce. LACUNA_UPDATE_EXPECTED=1 writes the messages
// again: read the difference before keeping it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/config/config.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(LACUNA_TEST_FOLDER) / "error";

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expectMessages(const std::string& messages, const fs::path& expectedFile) {
  if (std::getenv("LACUNA_UPDATE_EXPECTED") != nullptr)
    std::ofstream(expectedFile, std::ios::binary) << messages;
  ASSERT_TRUE(fs::exists(expectedFile)) << expectedFile << " is missing; the messages are:\n" << messages;
  EXPECT_EQ(readAll(expectedFile), messages);
  EXPECT_NE(messages, "") << "a wrong file gave no message";
}

// Cases run in this folder, so that messages name files relative to it.
std::vector<std::string> casesIn(const fs::path& where, bool folders) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(where))
    if (folders ? entry.is_directory() : entry.path().extension() == ".cfg")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class WrongGraph : public ::testing::TestWithParam<std::string> {};

TEST_P(WrongGraph, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  Registry registry({"modules", "../../modules"});
  const Config config = parseConfigFile(GetParam() + ".cfg", diagnostics);
  buildModuleGraph(config, registry, diagnostics);
  expectMessages(diagnostics.render(), folder / (GetParam() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, WrongGraph, ::testing::ValuesIn(casesIn(folder, false)), testName);

class WrongModule : public ::testing::TestWithParam<std::string> {};

TEST_P(WrongModule, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  EXPECT_EQ(readModule("broken/" + GetParam(), diagnostics), nullptr);
  expectMessages(diagnostics.render(), folder / "broken" / (GetParam() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, WrongModule, ::testing::ValuesIn(casesIn(folder / "broken", true)), testName);

TEST(WrongFiles, ThereAreEnough) {
  EXPECT_GE(casesIn(folder, false).size(), 30U);
  EXPECT_GE(casesIn(folder / "broken", true).size(), 10U);
}

// The modules that the cases use have no mistakes themselves.
TEST(TestModules, AreRight) {
  fs::current_path(folder);
  for (const std::string& name : casesIn("modules", true)) {
    Diagnostics diagnostics;
    const auto module = readModule("modules/" + name, diagnostics);
    EXPECT_EQ(module != nullptr, name != "broken-test") << diagnostics.render();
  }
}

TEST(WrongGraphs, MissingFileIsNamed) {
  Diagnostics diagnostics;
  parseConfigFile("no/such.cfg", diagnostics);
  EXPECT_EQ(diagnostics.render(), "no/such.cfg: error: the file cannot be read: No such file or directory\n");
}

}  // namespace
}  // namespace lacuna
