// The files that outputs may and may not replace, and the places of outputs: files, folders, standard
// streams.

#include <fmt/format.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/cli/sequences.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

class OneOutput : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(file("in.png"), {9, 7});
    spill(file("graph.cfg"), exposureGraph("in.png", "out.png"));
  }

  std::string file(const std::string& name) const { return folder_.file(name); }

  Outcome lacuna(const std::vector<std::string>& words, Surroundings surroundings = {}) const {
    surroundings.folder = folder_.path();
    return runProgram(words, surroundings);
  }

  // No file is changed, and the message says so.
  void expectRefused(const std::vector<std::string>& words, const std::string& message) const {
    SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
    const std::string before = listing(folder_.path());
    const Outcome outcome = lacuna(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(listing(folder_.path()), before);
  }

  void expectRuns(const std::vector<std::string>& words, const Surroundings& surroundings = {}) const {
    const Outcome outcome = lacuna(words, surroundings);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }

  const Folder folder_;
};

using FilesThatAreThere = OneOutput;

TEST_F(FilesThatAreThere, NoOptionReplacesAnInputOrAGraph) {
  writeRandomPng(file("other.png"), {3, 3});
  spill(file("soft.toml"), "[[node]]\n");
  spill(file("notes"), "mine");
  expectRefused({"run", "graph.cfg", "--profile", "in.png"},
                "the profile would overwrite in.png, which is read");
  expectRefused({"run", "graph.cfg", "--profile", "graph.cfg"}, "graph.cfg, which is the graph itself");
  expectRefused({"run", "graph.cfg", "--profile", "other.png"},
                "holds a PNG image, so it is not replaced by a profile");
  expectRefused({"run", "graph.cfg", "--profile", "new.png"},
                "the name is that of a PNG image, but a profile");
  expectRefused({"denoise", "in.png", "-o", "out.png", "--save-graph", "new.exr"},
                "but a graph would be written");
  expectRefused({"run", "graph.cfg", "--profile", "soft.toml"}, "holds text");
  expectRefused({"run", "graph.cfg", "--profile", "out.png"}, "write the same file, out.png");
  expectRefused({"run", "graph.cfg", "--profile", "out.png", "--overwrite-input"}, "write the same file");
  expectRefused({"bench", "atrous", "--size", "9x9", "-o", "graph.cfg"}, "holds a graph");
  expectRefused({"graph", "graph.cfg", "-o", "in.png/x.dot"}, "is not a folder");
  spill(file("a.dot"), "mine");
  expectRefused({"graph", "graph.cfg", "-o", "a.dot"}, "holds text");
  for (const std::string saved : {"in.png", "out.png", "notes", "graph.cfg"})
    expectRefused({"denoise", "in.png", "-o", "out.png", "--save-graph", saved},
                  saved == "graph.cfg" ? "already exists"
                  : saved == "out.png" ? "the same file"
                                       : saved);
  spill(file("out.png"), "mine");
  expectRefused({"run", "graph.cfg"}, "out.png: exists and holds text, so it is not replaced by a PNG image");
}

TEST_F(FilesThatAreThere, OlderOnesOfTheirKindAreReplaced) {
  spill(file("t.json"), "{\"displayTimeUnit\": \"ms\", \"traceEvents\": []}");
  spill(file("out.png"), "");  // as made by mktemp
  expectRuns({"run", "graph.cfg", "--profile", "t.json"});
  EXPECT_NE(slurp(file("t.json")).find("traceEvents"), std::string::npos);
  expectRuns({"run", "graph.cfg", "--profile", "t.json"});
  expectRuns({"denoise", "in.png", "-o", "out.png", "--save-graph", "s.cfg"});
  expectRuns({"denoise", "in.png", "-o", "out.png", "--save-graph", "s.cfg", "--overwrite-input"});
}

TEST_F(FilesThatAreThere, ReadOnlyOnesStay) {
  expectRuns({"run", "graph.cfg"});
  fs::permissions(file("out.png"), fs::perms::owner_read | fs::perms::group_read);
  expectRefused({"run", "graph.cfg"}, "out.png: exists and is read-only");
  expectRefused({"denoise", "in.png", "-o", "out.png"}, "out.png: exists and is read-only");
  fs::permissions(file("out.png"), fs::perms::owner_read | fs::perms::owner_write);
  expectRuns({"run", "graph.cfg"});
  EXPECT_EQ(fs::status(file("out.png")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FilesThatAreThere, RandomTexturesAndWeightsAreInputs) {
  fs::create_directory(file("sc"));
  writeRandomPng(file("sc/wood.png"), {4, 4});
  spill(file("sc/a.scene"),
        "scene:1\ncamera eye 0 0 3 target 0 0 0 fov 40\nbackground 1 1 1\n"
        "material wood diffuse image \"wood.png\"\nobject a sphere material wood\n");
  spill(file("trace.cfg"),
        "lacuna:1\nmodule:pathtrace:01\nmodule:tonemap:01\nmodule:o-png:01\n"
        "connect:pathtrace:01:output:tonemap:01:input\nconnect:tonemap:01:output:o-png:01:input\n"
        "param:pathtrace:01:filename:\"sc/"
        "a.scene\"\nparam:pathtrace:01:width:8\nparam:pathtrace:01:height:8\n");
  expectRefused({"run", "trace.cfg", "-o", "sc/wood.png"},
                "would overwrite sc/wood.png, which is read by pathtrace:01");
  const ValueType type{Channels::rgba, Format::f16, ColourTag::rec709, {16, 16}};
  writeImage("exr", file("render.exr"), {{"output", type, randomPixels(type)}});
  const std::string weights = weightsFile(randomNetwork(testRandom(), {unet::Plane::colour}, 4));
  spill(file("w.exr"), weights);
  expectRefused({"denoise", "render.exr", "--method", "cnn-unet", "--weights", "w.exr", "-o", "w.exr"},
                "would overwrite w.exr, which is read by cnn-unet:01");
  EXPECT_EQ(slurp(file("w.exr")), weights);
}

TEST_F(FilesThatAreThere, NoClobberKeepsThem) {
  writeRandomPng(file("out.png"), {2, 2});
  spill(file("t.json"), "{}");
  const std::string kept = slurp(file("out.png"));
  Outcome outcome = lacuna({"run", "graph.cfg", "--no-clobber", "--profile", "t.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("out.png already exists, and is kept"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("t.json already exists, and is kept"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(file("t.json")), "{}");
  // Even an input.
  expectRuns({"denoise", "in.png", "-o", "in.png", "--no-clobber"});
  writeRandomPng(file("b.png"), {5, 4});
  outcome = lacuna({"denoise", "in.png", "b.png", "-o", "out/", "--no-clobber"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  fs::remove(file("out/b.png"));
  const auto before = fs::last_write_time(file("out/in.png"));
  outcome = lacuna({"denoise", "in.png", "b.png", "-o", "out/", "--no-clobber"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("out/in.png already exists, and is kept"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::exists(file("out/b.png")));
  EXPECT_EQ(fs::last_write_time(file("out/in.png")), before);
  EXPECT_EQ(slurp(file("out.png")), kept);
  EXPECT_EQ(lacuna({"run", "graph.cfg", "--no-clobber", "--resume"}).code, 2);
}

using StandardStreams = OneOutput;

TEST_F(StandardStreams, HaveTheirOtherNames) {
  const std::vector<std::string> words = {"denoise", "/dev/stdin", "-o"};
  const auto to = [&](const std::string& name) {
    std::vector<std::string> all = words;
    all.push_back(name);
    return lacuna(all, {.input = file("in.png")});
  };
  const Outcome dash = to("-");
  EXPECT_EQ(dash.code, 0) << dash.err;
  EXPECT_EQ(dash.out.substr(1, 3), "PNG");
  for (const std::string name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    EXPECT_EQ(to(name).out, dash.out) << name;
  const Outcome graph = lacuna({"denoise", "in.png", "-o", "out.png", "--save-graph", "-"});
  EXPECT_NE(graph.out.find("\nlacuna:1\n"), std::string::npos) << graph.out;
  EXPECT_FALSE(fs::exists(file("-")));
  EXPECT_EQ(lacuna({"denoise", "in.png", "-o", "-", "--save-graph", "-"}).code, 2);
  EXPECT_TRUE(lacuna({"graph", "graph.cfg", "-o", "-"}).out.starts_with("digraph"));
}

TEST_F(StandardStreams, MayBeClosed) {
  const Outcome outcome = lacuna({"denoise", "in.png", "-o", "-"}, {.redirects = ">&-"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("standard output is closed"), std::string::npos) << outcome.err;
  const std::string before = slurp(file("in.png"));
  expectRuns({"run", "graph.cfg"}, {.redirects = "<&- >&- 2>&-"});
  EXPECT_EQ(slurp(file("in.png")), before);
  EXPECT_EQ(readPlane("png", file("out.png"), "output").size(), 4U * 9 * 7);
}

TEST_F(StandardStreams, MessagesThatCannotBeWrittenAreLost) {
  for (const std::string redirects : {"2>/dev/full", "2>&-", "2</dev/null"}) {
    SCOPED_TRACE(redirects);
    expectRuns({"run", "graph.cfg", "--progress"}, {.redirects = redirects});
    EXPECT_EQ(lacuna({"run", "none.cfg"}, {.redirects = redirects}).code, 2);
    EXPECT_EQ(lacuna({"run", "graph.cfg", "--wrong"}, {.redirects = redirects}).code, 2);
  }
}

TEST_F(StandardStreams, InputHasABound) {
  setenv("LACUNA_READ_MEMORY", "1", 1);
  const Outcome bounded = lacuna({"denoise", "-", "-o", "out.png"}, {.redirects = "</dev/zero"});
  unsetenv("LACUNA_READ_MEMORY");
  EXPECT_EQ(bounded.code, 2) << bounded.err;
  EXPECT_NE(bounded.err.find("LACUNA_READ_MEMORY"), std::string::npos) << bounded.err;
}

using ManyOutputs = Sequences;

TEST_F(ManyOutputs, FoldersAreMade) {
  Outcome outcome = run({"-o", "new/folder/f_%04d.png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_.file("new/folder/f_0005.png")));
  outcome = run({"-o", "shot_%d/f.png", "--profile", "times/t.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_.file("shot_5/f.png")));
  EXPECT_TRUE(fs::exists(folder_.file("times/t.json")));
  EXPECT_EQ(run({"-o", "one.png/f_%04d.png"}).code, 2);
  EXPECT_EQ(run({"-i", "none.png", "-o", "never/f_%04d.png"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_.file("never")));
}

TEST_F(ManyOutputs, NoClobberRunsThoseThatHaveNone) {
  ASSERT_EQ(run({"--frames", "1-2"}).code, 0);
  spill(output(4), "mine");
  const std::string kept = slurp(output(1));
  const Outcome outcome = run({"--no-clobber", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  const auto json = readJson(outcome.out);
  EXPECT_EQ(json["kept"], nlohmann::json({"out/0001.png", "out/0002.png", "out/0004.png"})) << outcome.out;
  EXPECT_EQ(json["files"], nlohmann::json({"out/0000.png", "out/0003.png", "out/0005.png"})) << outcome.out;
  EXPECT_EQ(slurp(output(4)), "mine");
  EXPECT_EQ(slurp(output(1)), kept);
  fs::remove(output(4));
  const Outcome again = run({"--no-clobber"});
  EXPECT_NE(again.err.find("5 of 6 frames already exist, and are kept: out/0000.png to out/0003.png, "
                           "out/0005.png"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(wholeFiles(), 6);
}

TEST_F(ManyOutputs, NoClobberWritesTheOtherOfTwoOutputs) {
  spill(folder_.file("graph.cfg"),
        exposureGraph(
            "one.png", "a.png",
            "module:o-png:02\nconnect:i-png:01:output:o-png:02:input\nparam:o-png:02:filename:\"b.png\"\n"));
  spill(folder_.file("a.png"), "mine");
  const Outcome outcome = run({"--no-clobber"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("a.png already exists, and is kept"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(folder_.file("a.png")), "mine");
  EXPECT_TRUE(fs::exists(folder_.file("b.png")));
}

// All bytes but some at the end, as when a disk becomes full while copying.
TEST_F(ManyOutputs, RandomTruncatedOnesAreRunAgain) {
  for (const std::string extension : {"png", "jpg", "exr", "pfm", "npy"}) {
    SCOPED_TRACE(extension);
    spill(folder_.file("any.cfg"),
          "lacuna:1\nframes:3\nmodule:i-png:01\nmodule:o-file:01\n"
          "connect:i-png:01:output:o-file:01:input\nparam:i-png:01:filename:\"one.png\"\n"
          "param:i-png:01:still:true\nparam:o-file:01:filename:\"any/%d." +
              extension + "\"\n");
    const auto runAny = [&](const std::vector<std::string>& more) {
      std::vector<std::string> words = {"run", "any.cfg"};
      words.insert(words.end(), more.begin(), more.end());
      return runProgram(words, {.folder = folder_.path()});
    };
    ASSERT_EQ(runAny({}).code, 0);
    const std::string second = folder_.file("any/1." + extension), whole = slurp(second);
    EXPECT_NE(runAny({"--resume"}).err.find("3 of 3 frames already exist"), std::string::npos);
    const auto left = static_cast<size_t>(pick(testRandom(), 12, static_cast<int>(whole.size()) - 1));
    spill(second, whole.substr(0, left));
    const Outcome outcome = runAny({"--resume"});
    EXPECT_NE(outcome.err.find("2 of 3 frames already exist"), std::string::npos) << outcome.err;
    EXPECT_EQ(slurp(second), whole) << left;
  }
}

// In a folder that others may write to, only the user can read or write these files.
TEST_F(ManyOutputs, PipesAreNotWaitedFor) {
  ASSERT_EQ(mkfifo((output(0) + ".lacuna-part").c_str(), 0600), 0);
  EXPECT_EQ(run({"--frames", "0"}).code, 0);
  ASSERT_EQ(mkfifo(output(1).c_str(), 0600), 0);
  EXPECT_EQ(run({"--frames", "1"}).code, 2);
  ASSERT_EQ(mkfifo(folder_.file("in/pipe.png").c_str(), 0600), 0);
  EXPECT_EQ(run({"-i", "in/pipe.png", "-o", "out/a.png"}).code, 2);
  ASSERT_EQ(runProgram({"new", folder_.file("soft"), "--kind", "pointwise"}).code, 0);
  for (const auto& entry : fs::directory_iterator(folder_.file("soft/test/expected"))) {
    fs::remove(entry);
    ASSERT_EQ(mkfifo(entry.path().c_str(), 0600), 0);
  }
  EXPECT_EQ(runProgram({"test", folder_.file("soft")}).code, 2);
}

}  // namespace
}  // namespace lacuna::test
