// Damaged graph files and module descriptions: any content ends in messages and never in a crash.

#include <gtest/gtest.h>

#include <filesystem>

#include "graph/config/config.h"
#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_graph.h"
#include "tests/support/folder.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using test::expectSound;
using test::mutate;
using test::Random;
using test::testRandom;

constexpr int rounds = 3000;

const fs::path errorFolder = fs::path(LACUNA_TEST_FOLDER) / "error";

const std::string validGraph = test::slurp(LACUNA_TEST_FOLDER "/fuzz/corpus/graph/valid.cfg");

void expectWhole(const ModuleGraph& graph) {
  for (const ModuleId module : graph.modules.ids()) {
    for (const Parameter& parameter : graph.modules[module].parameters) {
      ASSERT_EQ(parameter.values.size(), parameter.description->count);
      ASSERT_EQ(valuesAt(parameter, 5).size(), parameter.description->count);
    }
    for (const auto& [name, connection] : graph.modules[module].inputs)
      ASSERT_LT(connection.producer, connection.feedback ? graph.modules.next() : module);
  }
}

TEST(Mutation, RandomGraphFiles) {
  Random& random = testRandom();
  Registry registry({(errorFolder / "modules").string()});
  int right = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string text = round == 0 ? validGraph : mutate(validGraph, random);
    SCOPED_TRACE("round " + std::to_string(round) + "\n" + text);
    Diagnostics diagnostics;
    const Config config = parseConfigText(text, (errorFolder / "mutated.cfg").string(), diagnostics);
    const ModuleGraph graph = buildModuleGraph(config, registry, diagnostics);
    expectSound(diagnostics, text);
    if (diagnostics.hasErrors()) {
      EXPECT_GT(round, 0) << diagnostics.render();
      continue;
    }
    ++right;
    expectWhole(graph);
    Diagnostics again;
    const Config back = parseConfigText(print(config), "printed.cfg", again);
    EXPECT_EQ(print(buildModuleGraph(back, registry, again)), print(graph));
    EXPECT_FALSE(again.hasErrors()) << again.render();
    EXPECT_EQ(again.sorted().size(), diagnostics.sorted().size()) << again.render();
  }
  EXPECT_GT(right, 1) << "some changes, as in a comment, are harmless";
  EXPECT_LT(right, rounds) << "no change was noticed";
}

TEST(Mutation, RandomModuleDescriptions) {
  Random& random = testRandom();
  const test::Folder folder;
  const std::vector<std::string> modules = {"filter-test", "i-test", "measure-test", "apply-test"};
  int wrong = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string& module = modules[random() % modules.size()];
    const std::string text = mutate(test::slurp(errorFolder / "modules" / module / "module.toml"), random);
    folder.write(module + "/main.glsl", "// empty\n");
    folder.write(module + "/module.toml", text);
    SCOPED_TRACE("round " + std::to_string(round) + "\n" + text);
    Diagnostics diagnostics;
    const auto read = readModule(folder.file(module), diagnostics);
    EXPECT_EQ(read == nullptr, diagnostics.hasErrors());
    expectSound(diagnostics, text);
    if (read != nullptr) {
      EXPECT_FALSE(print(*read).empty());
      EXPECT_FALSE(printJson(*read).empty());
    }
    wrong += read == nullptr ? 1 : 0;
  }
  EXPECT_GT(wrong, rounds / 4);
}

}  // namespace
}  // namespace lacuna
