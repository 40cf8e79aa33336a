// What a record's key names, and what it leaves out.

#include "graph/run/made_from.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

const std::string errorModules = std::string(LACUNA_TEST_FOLDER) + "/error/modules";

std::string keyOf(const std::string& text, const std::string& modules = errorModules,
                  const RunMode& mode = {}) {
  Diagnostics diagnostics;
  Registry registry({modules});
  const Config config = parseConfigText("lacuna:1\n" + text, "folder/graph.cfg", diagnostics);
  const ModuleGraph graph = buildModuleGraph(config, registry, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << diagnostics.render();
  return keyText(graph, mode, {modules});
}

const std::string modules =
    "module:i-test:01\nmodule:i-test:02\nmodule:filter-test:01\nmodule:o-test:01\n"
    "connect:filter-test:01:output:o-test:01:input\n";
const std::string graph = modules + "connect:i-test:01:output:filter-test:01:input\n";

TEST(GraphKey, NamesAllThatPixelsDependOn) {
  const std::string key = keyOf(graph);
  EXPECT_EQ(keyOf(graph), key);
  for (const char* more : {"fps:25\n", "warmup:3\n", "warmup:all\n", "param:filter-test:01:strength:2\n",
                           "param:filter-test:01:strength:1\n", "param:filter-test:01:offset:0:1\n",
                           "param:filter-test:01:levels:4\n", "param:filter-test:01:enabled:false\n",
                           "param:filter-test:01:mode:hard\n", "param:filter-test:01:label:x\n",
                           "keyframe:2:filter-test:01:strength:3\n", "module:i-test:03\n",
                           "connect:i-test:01:motion:filter-test:01:guide\n",
                           "feedback:i-test:01:motion:filter-test:01:guide\n"}) {
    EXPECT_NE(keyOf(graph + more), key) << more;
  }
  EXPECT_NE(keyOf(modules + "connect:i-test:02:output:filter-test:01:input\n"), key);
}

TEST(GraphKey, NamesTheModeOfTheRun) {
  const std::string key = keyOf(graph);
  const RunMode modes[] = {{.warmUp = 0},
                           {.missing = Missing::skip},
                           {.missing = Missing::hold},
                           {.skipsDamaged = true},
                           {.isListed = true}};
  for (const RunMode& mode : modes) {
    EXPECT_NE(keyOf(graph, errorModules, mode), key);
  }
  EXPECT_EQ(keyOf(graph, errorModules, {.missing = Missing::wait}), key) << "the same files in the end";
}

TEST(GraphKey, LeavesOutFramesAndNames) {
  const std::string key = keyOf(graph);
  for (const char* more : {"frames:9\n", "write:last\n", "param:o-test:01:filename:\"other.pfm\"\n"}) {
    // A set parameter is told to native code, so `filename` was set before, too.
    const std::string before =
        std::string(more).starts_with("param") ? "param:o-test:01:filename:\"one.pfm\"\n" : "";
    EXPECT_EQ(keyOf(graph + more), before.empty() ? key : keyOf(graph + before)) << more;
  }
}

TEST(GraphKey, NamesFilesOfModulesAndThoseTheyInclude) {
  const Folder folder;
  fs::copy(errorModules, folder.file("modules"), fs::copy_options::recursive);
  const auto write = [&](const std::string& file, const std::string& text) {
    fs::create_directories(fs::path(folder.file("modules/" + file)).parent_path());
    std::ofstream(folder.file("modules/" + file), std::ios::app) << text;
  };
  std::string key = keyOf(graph, folder.file("modules"));
  const auto isOther = [&] {
    const std::string before = std::exchange(key, keyOf(graph, folder.file("modules")));
    return key != before;
  };
  write("elsewhere/more.glsl", "// of no module in the graph\n");
  EXPECT_FALSE(isOther());
  write("filter-test/main.glsl", "// another\n");
  EXPECT_TRUE(isOther());
  write("filter-test/below/weights.bin", "1");
  EXPECT_TRUE(isOther());
  fs::rename(folder.file("modules/filter-test/below"), folder.file("modules/filter-test/beside"));
  EXPECT_TRUE(isOther());
  write("filter-test/main.glsl", "#include \"lent/first.glsl\"\n");
  write("lent/first.glsl", "#include \"elsewhere/more.glsl\"\n");
  EXPECT_TRUE(isOther());
  write("lent/first.glsl", "// another\n");
  EXPECT_TRUE(isOther());
  write("elsewhere/more.glsl", "// included by an included file\n");
  EXPECT_TRUE(isOther());
  EXPECT_FALSE(isOther());
}

}  // namespace
}  // namespace lacuna::test
