// A billion frames: frames that don't run take neither time nor memory.

#include <fmt/format.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr const char* all = "0-999999999";

class ManyFrames : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.file("out"));
    writeRandomPng(folder_.file("in.png"), {9, 7});
    writeGraph("in.png", "out/%09d.png", "param:i-png:01:still:true\n");
  }

  void writeGraph(const std::string& source, const std::string& sink, const std::string& more = {}) const {
    spill(folder_.file("graph.cfg"), exposureGraph(source, sink, "frames:1000000000\n" + more));
  }

  void writeInputs(int first, int last) const {
    for (int number = first; number <= last; ++number) {
      fs::create_hard_link(folder_.file("in.png"), folder_.file(fmt::format("in_{}.png", number)));
    }
  }

  Outcome lacuna(const std::string& command, const std::vector<std::string>& options = {},
                 Surroundings surroundings = {}) const {
    std::vector<std::string> words = {command, "graph.cfg"};
    words.insert(words.end(), options.begin(), options.end());
    surroundings.folder = folder_.path();
    return runProgram(words, surroundings);
  }

  std::string output(int number) const { return folder_.file(fmt::format("out/{:09}.png", number)); }

  // A list of the frames would take gigabytes.
  void expectLittleMemory(const Outcome& outcome) const {
    const Outcome few = lacuna("run", {"--frames", "0-2", "-o", "few_%d.png"});
    EXPECT_EQ(few.code, 0) << few.err;
    EXPECT_LT(outcome.peakKilobytes, few.peakKilobytes + 100'000);
  }

  void expectError(const Outcome& outcome, const std::string& message) const {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << message << "\n" << outcome.err;
    EXPECT_LT(outcome.err.size(), 2000U);
    EXPECT_LT(outcome.peakKilobytes, 1'000'000);
  }

  const Folder folder_;
};

TEST_F(ManyFrames, AreCheckedAndPlanned) {
  for (const std::string command : {"check", "plan"}) {
    const Outcome outcome = lacuna(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expectLittleMemory(outcome);
  }
}

TEST_F(ManyFrames, RunAtOnceStopAndGoOn) {
  for (const std::vector<std::string>& options : {std::vector<std::string>(), {"--frames", all}}) {
    const Outcome outcome = lacuna("run", options, {.interruptAt = output(3)});
    EXPECT_EQ(outcome.code, 128 + SIGINT) << outcome.err;
    EXPECT_NE(outcome.err.find(" of 1000000000 frames are written; --resume"), std::string::npos)
        << outcome.err;
    expectLittleMemory(outcome);
    EXPECT_EQ(lacuna("run", {"--frames", "0-9"}).code, 0);
    // Those that were in work at the interruption are not the next ones without gaps.
    for (int number = 10; number < 1000; ++number) {
      fs::remove(output(number));
    }
    fs::remove(output(4));
    std::vector<std::string> rest = options;
    rest.push_back("--resume");
    const Outcome resumed = lacuna("run", rest, {.interruptAt = output(30)});
    EXPECT_EQ(resumed.code, 128 + SIGINT) << resumed.err;
    EXPECT_NE(resumed.err.find("9 of 1000000000 frames already exist"), std::string::npos) << resumed.err;
    EXPECT_TRUE(fs::exists(output(4)));
    expectLittleMemory(resumed);
    fs::remove_all(folder_.file("out"));
    fs::create_directory(folder_.file("out"));
  }
}

TEST_F(ManyFrames, TheLastOneRuns) {
  EXPECT_EQ(lacuna("run", {"--frames", "999999999"}).code, 0);
  EXPECT_TRUE(fs::exists(output(999'999'999)));
  EXPECT_EQ(lacuna("run", {"--frames", "last", "-o", "last.png"}).code, 0);
  EXPECT_TRUE(fs::exists(folder_.file("last.png")));
}

TEST_F(ManyFrames, WithoutFilesAreToldInALine) {
  writeInputs(0, 2);
  writeInputs(500, 501);
  writeGraph("in_%d.png", "out/%09d.png");
  expectError(
      lacuna("check"),
      "i-png:01 has no files for 999999995 of 1000000000 frames: in_3.png to in_499.png, in_502.png to "
      "in_999999999.png; there are 5 files from in_0.png to in_501.png");
  const Outcome skipped = lacuna("run", {"--missing", "skip"});
  EXPECT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_NE(skipped.err.find("5 frames in "), std::string::npos) << skipped.err;
  const Outcome held = lacuna("run", {"--missing", "hold", "--frames", "499,900000000"});
  EXPECT_EQ(held.code, 0) << held.err;
  EXPECT_TRUE(fs::exists(output(499)) && fs::exists(output(900'000'000)));
  const Outcome last = lacuna("run", {"--missing", "skip", "--frames", "last"});
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_TRUE(fs::exists(output(501)));
}

TEST_F(ManyFrames, WithADamagedFile) {
  spill(folder_.file("in.png"), "no picture");
  expectError(lacuna("run", {"--skip-damaged"}), "in.png");
}

TEST_F(ManyFrames, DoNotReplaceInputs) {
  fs::create_hard_link(folder_.file("in.png"), output(700'000'000));
  expectError(lacuna("check"), "o-png:01 would overwrite out/700000000.png, which is read by i-png:01");
}

TEST_F(ManyFrames, OfTwoSinks) {
  const auto check = [&](const std::string& first, const std::string& second, int from = 0) {
    writeGraph(
        "in.png", first,
        fmt::format("param:i-png:01:still:true\nmodule:o-png:02\nconnect:i-png:01:output:o-png:02:input\n"
                    "param:o-png:02:filename:\"{}\"\nparam:o-png:02:first:{}\n",
                    second, from));
    return lacuna("check");
  };
  fs::create_directory(folder_.file("more"));
  EXPECT_EQ(check("out/%d.png", "more/%d.png").code, 0);
  EXPECT_EQ(check("out/a_%d.png", "out/b_%d.png").code, 0);
  EXPECT_EQ(check("out/%d_a.png", "out/%d_b.png").code, 0);
  expectError(check("out/a%d.png", "out/a1%d.png"),
              "o-png:01 writes 1000000000 files, whose names may be those of another sink, too; such "
              "sinks write at most 1000000 files");
  // A link is one of the existing files.
  fs::copy_file(folder_.file("in.png"), folder_.file("more/6.png"));
  fs::create_symlink("../more/6.png", folder_.file("out/5.png"));
  expectError(check("out/%d.png", "more/%d.png"), "o-png:01 and o-png:02 write the same file, more/6.png");
}

}  // namespace
}  // namespace lacuna::test
