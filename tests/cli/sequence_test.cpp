// Sequences: signals and errors leave only whole files, and the remaining frames can be run later.

#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/sequences.h"
#include "tests/support/environment.h"

namespace lacuna::test {
namespace {

TEST_F(Sequences, RewriteOneLineOnATerminal) {
  const Outcome outcome = run({"--in-flight", "1"}, {.terminal = true});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("\rframe 0: 1 of 6 done"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

// If a driver ends a shader that takes too long, an error names the shader soon, and only whole files remain.
TEST_F(Sequences, ALostDeviceIsAnErrorThatNamesWhatRan) {
  const Environment layers("VK_LAYER_PATH", LACUNA_TEST_LAYERS),
      names("VK_INSTANCE_LAYERS", "VK_LAYER_LACUNA_lost_device");
  EXPECT_EQ(run().code, 0);
  for (const char* inFlight : {"1", "3"}) {
    const Environment lost("LACUNA_TEST_LOST_AT", "4");
    fs::remove_all(folder_.file("out"));
    const Outcome outcome = run({"--in-flight", inFlight});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    for (const char* part :
         {"device lost while it computed ", "exposure:01:main", "exposure.glsl", "never ends"})
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
    const int whole = wholeFiles();
    EXPECT_GE(whole, 1);
    EXPECT_LT(whole, frames);
  }
}

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

TEST_F(Sequences, AreProfiled) {
  const std::string path = folder_.file("trace.json");
  const Outcome outcome = run({"--profile", path});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json trace = readJson(slurp(path));
  std::map<std::string, int> names;
  for (const nlohmann::json& event : trace.at("traceEvents"))
    ++names[event.at("name")];
  EXPECT_EQ(names["read i-png:01:pixels"], frames);
  EXPECT_EQ(names["write o-png:01:file8"], frames);
  EXPECT_EQ(names["load"], 1);
}

}  // namespace
}  // namespace lacuna::test
