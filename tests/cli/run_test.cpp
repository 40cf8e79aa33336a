// Graphs that run: their outputs, and what remains if reading or writing fails.

#include <fmt/format.h>

#include <cmath>

#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr Extent runExtent{61, 47};

// Relative errors are relative to at least 0.01, because a tenth of random 8-bit values is darker.
constexpr double nearBlack = 0.06;

class Run : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), runExtent);
    spill(folder_.file("graph.cfg"), exposureGraph("in.png", "out.png"));
  }

  Outcome run(const std::vector<std::string>& options = {}, Surroundings surroundings = {}) {
    std::vector<std::string> words = {"run", folder_.file("graph.cfg")};
    words.insert(words.end(), options.begin(), options.end());
    if (surroundings.folder.empty()) {
      surroundings.folder = folder_.path();
    }
    return runProgram(words, surroundings);
  }

  // Files that aren't one of `known`: parts of unfinished ones would be.
  std::vector<std::string> others(const std::vector<std::string>& known) const {
    std::vector<std::string> found;
    for (const std::string& name : namesIn(folder_.path())) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        found.push_back(name);
      }
    }
    return found;
  }

  void truncateInput() {
    const std::string whole = slurp(folder_.file("in.png"));
    ASSERT_GT(whole.size(), 4000U);
    spill(folder_.file("in.png"), whole.substr(0, whole.size() * 6 / 10));
  }

  const Folder folder_;
};

TEST_F(Run, WritesItsFileAndNothingElse) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.find("out.png written in "), 0U) << outcome.err;
  EXPECT_EQ(run({"-q"}).err, "");
  EXPECT_TRUE(others({"in.png", "graph.cfg", "out.png"}).empty());
  // 0 stops: 8-bit values come back unchanged through half floats.
  const Metrics metrics = compare(loadColour(folder_.file("out.png")), loadColour(folder_.file("in.png")));
  EXPECT_EQ(metrics.maxRelativeError, 0.0);
}

TEST_F(Run, TakesParametersAndOutputsOfTheCommandLine) {
  // Outputs are relative to the current folder, like all files of the command line; a graph's inputs are
  // relative to the graph.
  fs::create_directory(folder_.file("here"));
  const Outcome outcome =
      run({"-p", "exposure:01:stops=-1", "-o", "o-png:01=other.png"}, {.folder = folder_.file("here")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_.file("out.png")));
  const ColourImage dark = loadColour(folder_.file("here/other.png"));
  const ColourImage image = loadColour(folder_.file("in.png"));
  const Metrics metrics = compare(dark, image);
  EXPECT_NEAR(metrics.meanRelativeError, 0.5, nearBlack);
}

TEST_F(Run, WritesAFileAFrame) {
  spill(folder_.file("graph.cfg"),
        exposureGraph(
            "in.png", "out_%03d.png",
            "frames:3\nparam:i-png:01:still:true\nparam:o-png:01:first:8\nkeyframe:0:exposure:01:stops:0\n"
            "keyframe:2:exposure:01:stops:-2\n"));
  EXPECT_EQ(run().code, 0);
  EXPECT_TRUE(others({"in.png", "graph.cfg", "out_008.png", "out_009.png", "out_010.png"}).empty());
  const ColourImage image = loadColour(folder_.file("in.png"));
  const double factors[] = {1.0, 0.5, 0.25};
  for (int frame = 0; frame < 3; ++frame) {
    const Metrics metrics = compare(loadColour(folder_.file(fmt::format("out_{:03}.png", frame + 8))), image);
    EXPECT_NEAR(metrics.meanRelativeError, 1.0 - factors[frame], nearBlack) << frame;
  }
}

TEST_F(Run, TimesArePrintedAsData) {
  const Outcome outcome = run({"--time"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("exposure:01"), std::string::npos) << outcome.out;
  EXPECT_TRUE(fs::exists(folder_.file("out.png")));
}

TEST_F(Run, ValidationIsSilent) {
  const Outcome outcome = run({"--validate", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

// Only headers are read beforehand: a file that ends too early is found while running.
TEST_F(Run, TruncatedInputIsExit4AndKeepsTheOlderOutput) {
  ASSERT_EQ(run().code, 0);
  const std::string older = slurp(folder_.file("out.png"));
  truncateInput();
  EXPECT_EQ(runProgram({"check", folder_.file("graph.cfg")}).code, 0);
  const Outcome outcome = run({"-p", "exposure:01:stops=1"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("in.png"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(folder_.file("out.png")), older);
  EXPECT_TRUE(others({"in.png", "graph.cfg", "out.png"}).empty());
}

TEST_F(Run, TruncatedInputLeavesNoOutput) {
  truncateInput();
  EXPECT_EQ(run().code, 4);
  EXPECT_TRUE(others({"in.png", "graph.cfg"}).empty());
}

// A limit on file sizes simulates a full disk.
TEST_F(Run, FullDiskIsExit4AndKeepsTheOlderOutput) {
  ASSERT_EQ(run().code, 0);
  const std::string older = slurp(folder_.file("out.png"));
  ASSERT_GT(older.size(), 4096U);
  const Outcome outcome = run({"-p", "exposure:01:stops=-1"}, {.limit = "-f 8"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("graph.cfg:8:16: error: out.png: can't be written: File too large\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(slurp(folder_.file("out.png")), older);
  EXPECT_TRUE(others({"in.png", "graph.cfg", "out.png"}).empty());
}

// Graphs that users start from must be right as shipped.
TEST(Pipelines, AreRight) {
  int count = 0;
  for (const std::string where : {"/../pipelines", "/../examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(LACUNA_TEST_FOLDER + where)) {
      // Native examples are built and tested by tests/package.
      const bool native = fs::exists(entry.path().parent_path() / "../module.cpp");
      if (entry.path().extension() == ".cfg" && !native) {
        const Outcome outcome =
            runProgram({"check", entry.path().string(), "--modules", LACUNA_TEST_FOLDER "/../examples"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        ++count;
      }
    }
  }
  EXPECT_GE(count, 5);
}

TEST(Examples, ModuleRunsFromItsFolder) {
  const Folder folder;
  const std::string examples = LACUNA_TEST_FOLDER "/../examples";
  const std::string sink = "o-png:01=" + folder.file("out.png");
  const Outcome outcome =
      runProgram({"run", examples + "/chroma-smooth/chroma-smooth.cfg", "--modules", examples, "-o", sink});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder.file("out.png")));
}

}  // namespace
}  // namespace lacuna::test
