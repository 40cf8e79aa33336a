// Which files the modules of a graph read and write, and in which frames they are there.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "graph/files/file_name.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

// The modules of the tree, whose descriptions are read, and not their native code. Files hold nothing.
class SourceFiles : public testing::Test {
 protected:
  ModuleGraph graphOf(const std::string& text) {
    diagnostics_ = {};
    Registry registry({LACUNA_MODULE_FOLDER});
    ModuleGraph graph =
        buildModuleGraph(parseConfigText("lacuna:1\n" + text, folder_.file("graph.cfg"), diagnostics_),
                         registry, diagnostics_);
    EXPECT_FALSE(diagnostics_.hasErrors()) << diagnostics_.render();
    return graph;
  }

  ModuleGraph graphOfFrames(const std::string& more = {}) {
    ModuleGraph graph = graphOf(
        "module:i-png:01\nmodule:o-png:01\nconnect:i-png:01:output:o-png:01:input\n"
        "param:i-png:01:filename:\"in_%d\"\n" +
        more);
    numberFiles(graph, diagnostics_);
    return graph;
  }

  static ModuleInstance& module(ModuleGraph& graph, const std::string& name) {
    return *std::ranges::find_if(graph.modules, [&](const auto& each) { return each.name() == name; });
  }

  FrameSet found(ModuleGraph& graph, const FrameSet& frames, Missing missing) {
    diagnostics_ = {};
    return findFiles(graph, frames, missing, diagnostics_);
  }

  const Folder folder_;
  Diagnostics diagnostics_;
};

TEST_F(SourceFiles, OfALinkToNothingAreMissing) {
  for (const char* name : {"in_5", "in_7"})
    folder_.write(name, "");
  std::filesystem::create_symlink("gone", folder_.file("in_6"));
  ModuleGraph graph = graphOfFrames();
  EXPECT_EQ(graph.firstNumber, 5);
  EXPECT_EQ(graph.frames, 3);
  EXPECT_EQ(module(graph, "i-png:01").there, (FrameSet{0, 2}));
  EXPECT_EQ(framesWithFiles(graph), (FrameSet{0, 2}));
  graph = graphOf("module:i-png:01\nmodule:o-png:01\nconnect:i-png:01:output:o-png:01:input\n");
  module(graph, "i-png:01").frameFiles = {folder_.file("in_6"), folder_.file("in_7")};
  numberFiles(graph, diagnostics_);
  EXPECT_EQ(module(graph, "i-png:01").there, FrameSet{1});
  EXPECT_EQ(framesThere(module(graph, "i-png:01"), ""), FrameSet{1});
}

TEST_F(SourceFiles, AreNumberedByTheFirstOneOrByTheUser) {
  for (const char* name : {"in_5", "in_6", "in_8"})
    folder_.write(name, "");
  const std::pair<const char*, FrameSet> cases[] = {{"", {0, 1, 3}},
                                                    {"param:i-png:01:first:6\n", {0, 2}},
                                                    {"param:i-png:01:first:3\n", {2, 3, 5}},
                                                    {"param:i-png:01:first:0\n", {5, 6, 8}}};
  for (const auto& [more, there] : cases) {
    const ModuleGraph graph = graphOfFrames(more);
    EXPECT_EQ(graph.find("i-png:01")->there, there) << more;
    EXPECT_EQ(graph.frames, there.back() + 1);
    EXPECT_EQ(graphOfFrames(std::string(more) + "frames:2\n").frames, 2);
    EXPECT_EQ(fileOf(*graph.find("i-png:01"), graph.folder, there.back()), folder_.file("in_8"));
  }
  // A sink counts as its source does, unless it has a number of its own.
  ModuleGraph graph = graphOfFrames(fmt::format("param:o-png:01:filename:\"{}/in_%d\"\n", folder_.file("")));
  EXPECT_EQ(framesThere(module(graph, "o-png:01"), ""), (FrameSet{0, 1, 3}));
  graph = graphOfFrames("param:o-png:01:filename:\"%d.png\"\nparam:o-png:01:first:100\n");
  EXPECT_EQ(fileOf(module(graph, "o-png:01"), graph.folder, 1), "101.png");
}

TEST_F(SourceFiles, ThatAreMissingAreErrorsOrSkippedOrHeld) {
  for (const char* name : {"in_5", "in_7", "in_8"})
    folder_.write(name, "");
  const FrameSet all = FrameSet::range(0, 3), late = FrameSet::range(1, 3), early = FrameSet::range(-1, 3);
  ModuleGraph graph = graphOfFrames();
  const auto has = [&](const char* text) { return diagnostics_.render().find(text) != std::string::npos; };
  EXPECT_EQ(found(graph, {0, 2, 3}, Missing::error), (FrameSet{0, 2, 3}));
  EXPECT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(found(graph, all, Missing::error), all);
  EXPECT_TRUE(diagnostics_.hasErrors() && has("no files for 1 of 4 frames") &&
              has("in_6; there are 3 files"));
  EXPECT_EQ(found(graph, all, Missing::skip), (FrameSet{0, 2, 3}));
  EXPECT_FALSE(diagnostics_.hasErrors());
  EXPECT_TRUE(has("left out"));
  found(graph, FrameSet{1}, Missing::skip);
  EXPECT_TRUE(diagnostics_.hasErrors() && has("no frame can run"));
  EXPECT_EQ(found(graph, late, Missing::hold), late);
  EXPECT_FALSE(diagnostics_.hasErrors());
  EXPECT_TRUE(has("the last file before them is used"));
  EXPECT_EQ(framesWithFiles(graph), FrameSet::range(0, mostFrames - 1)) << "the last one holds";
  found(graph, early, Missing::hold);
  EXPECT_TRUE(diagnostics_.hasErrors() && has("no earlier file"));
  EXPECT_EQ(found(graph, all, Missing::wait), all);
  EXPECT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(module(graph, "i-png:01").there, all) << "they will be";
}

TEST_F(SourceFiles, OfTheFramesThatAreAskedFor) {
  for (const char* name : {"in_5", "in_6", "in_7"})
    folder_.write(name, "");
  using Kind = FrameList::Kind;
  const auto asked = [&](const std::string& more, const FrameList& list, Missing missing = Missing::error) {
    return framesOf(graphOfFrames(more), list, missing);
  };
  EXPECT_EQ(asked("", {}), FrameSet::range(0, 2));
  EXPECT_EQ(asked("", {Kind::all, {}}), FrameSet::range(0, 2));
  EXPECT_EQ(asked("", {Kind::last, {}}), FrameSet{2});
  EXPECT_EQ(asked("", {Kind::numbers, {5, 7}}), (FrameSet{0, 2}));
  EXPECT_EQ(asked("write:last\n", {}), FrameSet{2});
  EXPECT_EQ(asked("write:last\n", {Kind::all, {}}), FrameSet::range(0, 2));
  EXPECT_EQ(asked("frames:9\n", {Kind::last, {}}), FrameSet{8});
  EXPECT_EQ(asked("frames:9\n", {Kind::last, {}}, Missing::skip), FrameSet{2}) << "the last one with files";
  EXPECT_EQ(framesToWrite(graphOfFrames("write:last\n")), FrameSet{2});
  EXPECT_EQ(framesToWrite(graphOfFrames()), FrameSet::range(0, 2));
}

// Names in a graph begin where it lies, those of options and outputs in the current folder.
TEST_F(SourceFiles, LieWhereTheirNamesWereWritten) {
  ModuleGraph graph = graphOf(
      "module:i-png:01\nmodule:cnn-unet:01\nmodule:o-png:01\nconnect:i-png:01:output:cnn-unet:01:input\n"
      "connect:cnn-unet:01:output:o-png:01:input\nparam:cnn-unet:01:weights:\"w.bin\"\n");
  ModuleInstance& filter = module(graph, "cnn-unet:01");
  const auto weights = [&]() -> Parameter& {
    return *std::ranges::find_if(filter.parameters, [](const auto& p) { return p.description->isFile; });
  };
  using Files = std::vector<std::string>;
  EXPECT_EQ(namedFiles(filter, "folder"), Files{"folder/w.bin"});
  filter.alsoRead = {"more"};
  EXPECT_EQ(filesBeside(filter, "folder"), (Files{"folder/w.bin", "more"}));
  weights().fromOption = true;
  EXPECT_EQ(namedFiles(filter, "folder"), Files{"w.bin"});
  weights().values = {std::string()};
  EXPECT_EQ(namedFiles(filter, "folder"), Files{});
  graph = graphOfFrames("param:o-png:01:filename:\"out_%d\"\n");
  ModuleInstance &source = module(graph, "i-png:01"), &sink = module(graph, "o-png:01");
  EXPECT_EQ(fileOf(source, "folder", 3), "folder/in_3");
  EXPECT_EQ(fileOf(sink, "folder", 3), "out_3");
  for (Parameter& parameter : source.parameters)
    parameter.fromOption = true;
  EXPECT_EQ(fileOf(source, "folder", 3), "in_3");
  sink.frameFiles = {"a", "b"};
  EXPECT_EQ(fileOf(sink, "folder", 1), "b");
}

// A sink keeps the metadata of the file that its picture comes from.
TEST_F(SourceFiles, OfWhichASinksPictureIsMade) {
  const auto origin = [&](const std::string& ends) {
    ModuleGraph graph = graphOf(
        "module:i-png:01\nmodule:i-png:02\nmodule:i-memory:01\nmodule:blend:01\nmodule:o-png:01\n"
        "connect:blend:01:output:o-png:01:input\nparam:i-png:01:filename:a\nparam:i-png:02:filename:b\n" +
        ends);
    const auto found = originOf(graph, module(graph, "o-png:01"));
    return found ? found->source->name() + ":" + found->output : "none";
  };
  const std::string input = ":output:blend:01:input\n", back = ":output:blend:01:back\n";
  EXPECT_EQ(origin("connect:i-png:02" + back + "connect:i-png:01" + input), "i-png:01:output");
  EXPECT_EQ(origin("connect:i-png:02" + back + "feedback:blend:01" + input), "i-png:02:output");
  EXPECT_EQ(origin("connect:i-png:02" + back + "connect:i-memory:01" + input), "none");
}

// Messages name the first and last of neighbours, and eight of those at most.
TEST(FrameNames, AreListedByTheirRuns) {
  const auto nameOf = [](int frame) { return std::to_string(frame); };
  EXPECT_EQ(listFrames({1, 2, 4, 5, 6, 9}, nameOf), "1, 2, 4 to 6, 9");
  EXPECT_EQ(listFrames({0, 2, 4, 6, 8, 10, 12, 14, 15, 16}, nameOf), "0, 2, 4, 6, 8, 10, 12, 14 to 16");
  EXPECT_EQ(listFrames({0, 2, 4, 6, 8, 10, 12, 14, 16, 17}, nameOf), "0, 2, 4, 6, 8, 10, 12, 14 and 2 more");
  EXPECT_EQ(lacksFiles("a", {7}, 1, nameOf), "a has no file for its frame: 7");
  EXPECT_EQ(lacksFiles("a", {7}, 2, nameOf), "a has no files for 1 of 2 frames: 7");
  EXPECT_EQ(lacksFiles("a", {7, 8}, 2, nameOf), "a has no files for 2 of 2 frames: 7, 8");
}

}  // namespace
}  // namespace lacuna::test
