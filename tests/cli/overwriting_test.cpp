// Files that a run reads are not replaced by its outputs unless requested; and the places of outputs.

#include <fmt/format.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Overwriting : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {9, 7});
    spill(folder_.file("graph.cfg"), exposureGraph("in.png", "out.png", "include:more.cfg\n"));
    spill(folder_.file("more.cfg"), "param:exposure:01:stops:-1\n");
  }

  Outcome run(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"run", "graph.cfg"};
    words.insert(words.end(), options.begin(), options.end());
    return runProgram(words, {.folder = folder_.path()});
  }

  void expectRefused(const std::vector<std::string>& options,
                     const std::vector<std::string>& messages) const {
    const std::string before = listing(folder_.path());
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& message : messages) {
      EXPECT_NE(outcome.err.find(message), std::string::npos) << message << "\n" << outcome.err;
    }
    EXPECT_EQ(listing(folder_.path()), before);
  }

  const Folder folder_;
};

TEST_F(Overwriting, AnInputIsRefused) {
  expectRefused({"-o", "o-png:01=in.png"},
                {"lacuna: error: o-png:01 would overwrite in.png, which is read by i-png:01 (graph.cfg:7)",
                 "(from -o o-png:01=in.png)", "--overwrite-input"});
  fs::create_directory(folder_.file("sub"));
  expectRefused({"-o", "o-png:01=sub/../in.png"}, {"would overwrite"});
  fs::create_symlink("in.png", folder_.file("link.png"));
  expectRefused({"-o", "o-png:01=link.png"}, {"would overwrite link.png"});
  fs::create_hard_link(folder_.file("in.png"), folder_.file("hard.png"));
  expectRefused({"-o", "o-png:01=hard.png"}, {"would overwrite hard.png"});
  expectRefused({"-p", "i-png:01:filename=hard.png", "-o", "o-png:01=link.png"},
                {"is read by i-png:01 (-p i-png:01:filename=hard.png)"});
}

TEST_F(Overwriting, TheGraphIsRefused) {
  expectRefused({"-o", "o-png:01=graph.cfg"}, {"would overwrite graph.cfg, which is the graph itself"});
  expectRefused({"-o", "o-png:01=more.cfg"}, {"would overwrite more.cfg"});
}

TEST_F(Overwriting, IsAllowedWhereItIsAskedFor) {
  const auto before = readPlane("png", folder_.file("in.png"), "output");
  EXPECT_EQ(run({"-o", "o-png:01=in.png", "--overwrite-input"}).code, 0);
  EXPECT_NE(readPlane("png", folder_.file("in.png"), "output"), before);
}

TEST_F(Overwriting, OfSequences) {
  for (int number = 1; number < 6; ++number) {
    writeRandomPng(folder_.file(fmt::format("in_{}.png", number)), {9, 7});
  }
  const std::vector<std::string> sequence = {"-p", "i-png:01:filename=in_%d.png", "-o", "o-png:01=in_%d.png"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = sequence;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expectRefused(sequence, {"o-png:01 would overwrite in_1.png"});
  expectRefused(with({"--frames", "4", "-p", "o-png:01:first=0"}), {"o-png:01 would overwrite in_3.png"});
  // A file that a later frame still reads is never replaced.
  expectRefused(with({"--overwrite-input", "-p", "o-png:01:first=2"}),
                {"o-png:01 would overwrite in_2.png", "in frame 2, after frame 1"});
  expectRefused(with({"--overwrite-input", "--resume"}), {"excludes"});
  const auto third = readPlane("png", folder_.file("in_3.png"), "output");
  EXPECT_EQ(run(with({"--overwrite-input"})).code, 0);
  EXPECT_NE(readPlane("png", folder_.file("in_3.png"), "output"), third);
}

TEST_F(Overwriting, TheLastReaderOfAFileCounts) {
  for (int number = 0; number < 4; ++number) {
    writeRandomPng(folder_.file(fmt::format("in_{}.png", number)), {9, 7});
  }
  // A frame behind.
  spill(folder_.file("more.cfg"),
        "module:i-png:02\nparam:i-png:02:filename:\"in_%d.png\"\nparam:i-png:02:first:0\nmodule:o-png:02\n"
        "connect:i-png:02:output:o-png:02:input\nparam:o-png:02:filename:\"copy_%d.png\"\n");
  expectRefused({"-p", "i-png:01:filename=in_%d.png", "-p", "i-png:01:first=1", "-o", "o-png:01=in_%d.png",
                 "-p", "o-png:01:first=1", "--overwrite-input", "--frames", "1-3"},
                {"o-png:01 would overwrite in_1.png", "in frame 2, after frame 1"});
}

TEST_F(Overwriting, OneSinkByAnother) {
  fs::create_symlink(".", folder_.file("same"));
  spill(
      folder_.file("more.cfg"),
      "module:o-png:02\nconnect:i-png:01:output:o-png:02:input\nparam:o-png:02:filename:\"same/out.png\"\n");
  expectRefused({}, {"o-png:01 and o-png:02 write the same file"});
  for (int number = 1; number < 4; ++number) {
    writeRandomPng(folder_.file(fmt::format("in_{}.png", number)), {9, 7});
  }
  expectRefused({"-p", "i-png:01:filename=in_%d.png", "-o", "o-png:01=out_%d.png", "-o",
                 "o-png:02=out_%d.png", "-p", "o-png:02:first=3"},
                {"o-png:01 and o-png:02 write the same file, out_3.png"});
  // Two different names, of which one is a link to the other.
  spill(folder_.file("b_2.png"), "there");
  fs::create_symlink("b_2.png", folder_.file("a_1.png"));
  expectRefused(
      {"-p", "i-png:01:filename=in_%d.png", "-o", "o-png:01=a_%d.png", "-o", "o-png:02=same/b_%d.png"},
      {"o-png:01 and o-png:02 write the same file, same/b_2.png"});
}

TEST(Outputs, LieWhereOneStands) {
  const Folder folder;
  const std::string pipelines = LACUNA_TEST_FOLDER "/../pipelines";
  const std::string before = listing(pipelines);
  const Outcome outcome = runProgram({"run", photoGraph, "--schedule", "rows4"}, {.folder = folder.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder.file("photo-denoised.png")));
  EXPECT_EQ(listing(pipelines), before);
}

TEST(Outputs, InputsOfTheCommandLineDoToo) {
  const Folder folder;
  fs::create_directory(folder.file("100%"));
  fs::create_directory(folder.file("graph"));
  writeRandomPng(folder.file("100%/mine_0004.png"), {9, 7});
  spill(folder.file("graph/graph.cfg"), exposureGraph("in.png", "out.png"));
  const Outcome outcome = runProgram({"run", "../graph/graph.cfg", "-p", "i-png:01:filename=mine_%04d.png"},
                                     {.folder = folder.file("100%")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder.file("100%/out.png")));
}

TEST(Outputs, ATestGraphLeavesItsExpectedFile) {
  const Folder folder;
  ASSERT_EQ(runProgram({"new", folder.file("soft"), "--kind", "stencil"}).code, 0);
  const std::string before = slurp(folder.file("soft/test/expected/small.pfm"));
  for (const std::string where : {"soft", "soft/test"}) {
    const std::string graph = where == "soft" ? "test/small.cfg" : "small.cfg";
    const Outcome outcome = runProgram({"run", graph, "--modules", folder.path(), "-p", "soft:01:edge=4"},
                                       {.folder = folder.file(where)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(slurp(folder.file("soft/test/expected/small.pfm")), before);
    EXPECT_NE(slurp(folder.file(where + "/small.pfm")), before);
  }
}

TEST(Outputs, AProfileGoesToStdout) {
  const Folder folder;
  writeRandomPng(folder.file("in.png"), {9, 7});
  spill(folder.file("graph.cfg"), exposureGraph("in.png", "out.png"));
  const Outcome outcome = runProgram({"run", "graph.cfg", "--profile", "-"}, {.folder = folder.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.front(), '{') << outcome.out;
  EXPECT_NE(outcome.out.find("traceEvents"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.file("-")));
  EXPECT_EQ(runProgram({"run", "graph.cfg", "--profile", "-", "--time"}, {.folder = folder.path()}).code, 2);
}

TEST_F(Overwriting, ASourceOfOneFileIsNotGivenTwo) {
  expectRefused({"-i", "in.png", "-i", "other.png"},
                {"-i in.png and -i other.png: the graph has one source for a file, i-png:01"});
}

TEST_F(Overwriting, JsonOfOtherProgramsIsNoProfile) {
  spill(folder_.file("t.json"), "{\"name\": \"package\", \"traceEvents\": 1}\n");
  expectRefused({"--profile", "t.json"}, {"t.json: exists and holds JSON of another program"});
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(run({"--profile", "own.json"}).code, 0) << "an older profile is replaced";
  }
}

}  // namespace
}  // namespace lacuna::test
