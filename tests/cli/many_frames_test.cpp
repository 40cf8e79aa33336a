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
    spill(folder_.file("graph.cfg"),
          graphText(source + " exposure " + sink + "\nframes:1000000000\n" + more));
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
    const Outcome few =
        lacuna("run", {"--frames", "0-2", "-i", "in.png", "-p", "i-png:01:still=true", "-o", "few_%d.png"});
    EXPECT_EQ(few.code, 0) << few.err;
    EXPECT_LT(outcome.peakKilobytes, few.peakKilobytes + 100'000);
  }

  const Folder folder_;
};

TEST_F(ManyFrames, AreCheckedAndPlanned) {
  for (const std::string command : {"check", "plan"}) {
    const Outcome outcome = lacuna(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expectLittleMemory(outcome);
  }
  fs::create_hard_link(folder_.file("in.png"), folder_.file("in_500.png"));
  writeGraph("in_%d.png", "out/%09d.png");
  const Outcome outcome = lacuna("check");
  EXPECT_EQ(outcome.code, 2) << "nearly all files are missing";
  expectLittleMemory(outcome);
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
    for (int number = 10; number < 1000; ++number)
      fs::remove(output(number));
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

}  // namespace
}  // namespace lacuna::test
