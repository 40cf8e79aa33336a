// What a record's key names, and what it leaves out.

#include "graph/run/made_from.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

const std::string errorModules = std::string(LACUNA_TEST_FOLDER) + "/error/modules";

ModuleGraph moduleGraphOf(const std::string& text, const std::string& modules = errorModules) {
  Diagnostics diagnostics;
  Registry registry({modules});
  const Config config = parseConfigText(graphText(text), "folder/graph.cfg", diagnostics);
  ModuleGraph graph = buildModuleGraph(config, registry, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << diagnostics.render();
  return graph;
}

std::string keyOf(const std::string& text, const std::string& modules = errorModules,
                  const RunMode& mode = {}) {
  return keyText(moduleGraphOf(text, modules), mode, {modules});
}

const std::string modules = "filter-test o-test\nmodule:i-test:01\nmodule:i-test:02\n";
const std::string graph = modules + "i-test filter-test\n";

// Each differs from each other, not only from the graph that they add to.
TEST(GraphKey, NamesAllThatPixelsDependOn) {
  std::set<std::string> keys = {keyOf(graph)};
  EXPECT_TRUE(keys.contains(keyOf(graph)));
  for (const char* more :
       {"fps:25\n", "warmup:0\n", "warmup:3\n", "warmup:all\n", "param:filter-test:01:strength:2\n",
        "param:filter-test:01:strength:1\n", "param:filter-test:01:offset:0:1\n",
        "param:filter-test:01:offset:1:0\n", "param:filter-test:01:levels:4\n",
        "param:filter-test:01:enabled:false\n", "param:filter-test:01:mode:hard\n",
        "param:filter-test:01:label:x\n", "keyframe:2:filter-test:01:strength:3\n", "module:i-test:03\n",
        "i-test filter-test:03\n", "i-test:01:motion guide=filter-test\n",
        "i-test:01:motion guide~filter-test\n", "i-test:02:motion guide=filter-test\n"})
    EXPECT_TRUE(keys.insert(keyOf(graph + more)).second) << more;
  EXPECT_TRUE(keys.insert(keyOf(modules + "i-test:02 filter-test\n")).second);
}

// What follows from files and options, and not from the text alone.
TEST(GraphKey, NamesEachMemberThatPixelsDependOnAndNoOther) {
  using Edit = std::function<void(ModuleGraph&)>;
  const auto module = [](ModuleGraph& graph) -> ModuleInstance& { return *graph.modules.begin(); };
  const auto keyAfter = [](const Edit& edit) {
    ModuleGraph edited = moduleGraphOf(graph);
    edit(edited);
    return keyText(edited, {}, {errorModules});
  };
  const std::string key = keyOf(graph);
  std::set<std::string> keys = {key};
  const Edit count[] = {[](ModuleGraph& g) { g.firstNumber = 1; },
                        [](ModuleGraph& g) { g.framesPerSecond = 25; },
                        [](ModuleGraph& g) {
                          g.warmUp = WarmUpLine{3, {}};
                        },
                        [&](ModuleGraph& g) { module(g).instance = "other"; },
                        [&](ModuleGraph& g) { module(g).connectedOutputs = {"motion"}; },
                        [&](ModuleGraph& g) {
                          module(g).connectedOutputs = {"motion", "output"};
                        },
                        [&](ModuleGraph& g) { module(g).holdsLast = true; },
                        [&](ModuleGraph& g) { module(g).builtFrom = "node"; },
                        [&](ModuleGraph& g) { module(g).parameters.front().isSet = true; }};
  for (size_t i = 0; i < std::size(count); ++i)
    EXPECT_TRUE(keys.insert(keyAfter(count[i])).second) << i;
  const Edit dontCount[] = {[](ModuleGraph& g) { g.frames = 9; },
                            [](ModuleGraph& g) { g.hasFrames = true; },
                            [](ModuleGraph& g) { g.writesLast = true; },
                            [](ModuleGraph& g) { g.keepsOutputs = true; },
                            [](ModuleGraph& g) { g.firstFrame = 3; },
                            [](ModuleGraph& g) { g.folder = "elsewhere"; },
                            [](ModuleGraph& g) { g.files = {"elsewhere/graph.cfg"}; },
                            [&](ModuleGraph& g) { module(g).where.line = 7; },
                            [&](ModuleGraph& g) { module(g).frameFiles = {"a"}; },
                            [&](ModuleGraph& g) { module(g).there = {2}; },
                            [&](ModuleGraph& g) { module(g).firstNumber = 1; },
                            [&](ModuleGraph& g) { module(g).alsoRead = {"a"}; }};
  for (size_t i = 0; i < std::size(dontCount); ++i)
    EXPECT_EQ(keyAfter(dontCount[i]), key) << i;
}

TEST(GraphKey, NamesTheModeOfTheRun) {
  std::set<std::string> keys = {keyOf(graph)};
  const RunMode modes[] = {
      {.warmUp = 0},          {.warmUp = 1},     {.missing = Missing::skip}, {.missing = Missing::hold},
      {.skipsDamaged = true}, {.isListed = true}};
  for (const RunMode& mode : modes)
    EXPECT_TRUE(keys.insert(keyOf(graph, errorModules, mode)).second);
  EXPECT_TRUE(keys.contains(keyOf(graph, errorModules, {.missing = Missing::wait}))) << "the same in the end";
}

// A picture of a list stays the same if the list begins elsewhere.
TEST(GraphKey, OfAListLeavesOutItsFirstNumber) {
  const auto key = [](int first) {
    ModuleGraph listed = moduleGraphOf(graph);
    listed.firstNumber = first;
    return keyText(listed, {.isListed = true}, {errorModules});
  };
  EXPECT_EQ(key(0), key(5));
}

// The user's names for layers: what the file says counts, and not where it lies.
TEST(GraphKey, NamesTheContentOfTheFileOfLayers) {
  const Folder folder;
  const auto keyWith = [&](const std::string& file) {
    const Environment layers("LACUNA_LAYERS", file);
    return keyOf(graph);
  };
  const std::string without = keyOf(graph), first = keyWith(folder.write("a", "one"));
  EXPECT_NE(first, without);
  EXPECT_EQ(keyWith(folder.write("b", "one")), first);
  EXPECT_NE(keyWith(folder.write("a", "two")), first);
  EXPECT_EQ(keyWith(""), without);
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
