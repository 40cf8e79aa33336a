// Wrong files, and the full message that each must produce.

#include "graph/config/config.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_graph.h"
#include "tests/support/expected_messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using test::caseName;
using test::casesIn;
using test::expectMessages;

// Cases run in this folder, so that messages name files relative to it.
const fs::path folder = fs::path(LACUNA_TEST_FOLDER) / "error";

class WrongGraph : public ::testing::TestWithParam<std::string> {};

TEST_P(WrongGraph, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  Registry registry({"modules", "../../modules"});
  const Config config = parseConfigFile(GetParam() + ".cfg", diagnostics);
  buildModuleGraph(config, registry, diagnostics);
  expectMessages(diagnostics.render(), folder / (GetParam() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, WrongGraph, ::testing::ValuesIn(casesIn(folder, ".cfg")), caseName);

class WrongModule : public ::testing::TestWithParam<std::string> {};

TEST_P(WrongModule, GivesItsMessages) {
  fs::current_path(folder);
  Diagnostics diagnostics;
  EXPECT_EQ(readModule("broken/" + GetParam(), diagnostics), nullptr);
  expectMessages(diagnostics.render(), folder / "broken" / (GetParam() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, WrongModule, ::testing::ValuesIn(casesIn(folder / "broken", "")), caseName);

TEST(WrongFiles, ThereAreEnough) {
  EXPECT_GE(casesIn(folder, ".cfg").size(), 30U);
  EXPECT_GE(casesIn(folder / "broken", "").size(), 10U);
}

// The modules that the cases use have no mistakes themselves.
TEST(TestModules, AreRight) {
  fs::current_path(folder);
  for (const std::string& name : casesIn("modules", "")) {
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
