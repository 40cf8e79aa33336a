// Sequences: signals and errors leave only whole files, and the remaining frames can be run later.

#include <fmt/format.h>

#include <csignal>

#include "tests/cli/sequences.h"

namespace lacuna::test {
namespace {

TEST_F(Sequences, AnInterruptLeavesWholeFilesOnlyAndResumes) {
  constexpr int many = 3000;
  for (int frame = 0; frame < frames; ++frame)
    fs::remove(input(frame));
  writeGraph(many);
  const Outcome outcome = run({}, {.interruptAt = output(9)});
  EXPECT_EQ(outcome.code, 128 + SIGINT) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted: "), std::string::npos) << outcome.err;
  const int written = wholeFiles();
  EXPECT_GE(written, 10 - 8) << "frames in flight beside the tenth may have been dropped";
  EXPECT_LT(written, many);
  // Some of the frames around the interruption exist, and stay unchanged.
  fs::remove(output(2));
  std::vector<fs::file_time_type> before;
  for (int frame = 3; frame < 10; ++frame)
    before.push_back(fs::exists(output(frame)) ? fs::last_write_time(output(frame)) : fs::file_time_type{});
  const Outcome resumed = run({"--resume", "--frames", "0-" + std::to_string(written + 4)});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(" frames already exist"), std::string::npos) << resumed.err;
  for (int frame = 0; frame < written + 5; ++frame)
    EXPECT_TRUE(fs::exists(output(frame))) << frame;
  for (int frame = 3; frame < 10; ++frame) {
    const fs::file_time_type was = before[static_cast<size_t>(frame - 3)];
    EXPECT_TRUE(was == fs::file_time_type{} || was == fs::last_write_time(output(frame))) << frame;
  }
  const std::string all = listing(folder_.path());
  EXPECT_EQ(run({"--resume", "--frames", "0-9"}).code, 0);
  EXPECT_EQ(listing(folder_.path()), all) << "nothing is left to do";
}

}  // namespace
}  // namespace lacuna::test
