// Host nodes in a sequence, and all their mistakes: each an error with the module's name.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "tests/native/places.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class HostMistakes : public testing::Test {
 protected:
  // A sequence of three frames, several in flight.
  Outcome run(const std::string& how, const Surroundings& surroundings = {}) {
    const std::string path = folder_.file("g.cfg");
    spill(path,
          fmt::format(
              "lacuna:1\nframes:3\nmodule:i-pfm:01\nmodule:host:01\nmodule:o-pfm:01\n"
              "connect:i-pfm:01:output:host:01:input\nconnect:host:01:output:o-pfm:01:input\n"
              "param:i-pfm:01:filename:\"in.pfm\"\nparam:i-pfm:01:still:true\nparam:i-pfm:01:channels:y\n"
              "param:o-pfm:01:filename:\"{}/out_%02d.pfm\"\nparam:host:01:how:{}\n",
              folder_.file("."), how));
    std::string text = "Pf\n3 2\n-1.0\n";
    const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
    text.append(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    spill(folder_.file("in.pfm"), text);
    return runProgram({"run", path, "--modules", testModules}, surroundings);
  }

  void expectError(const std::string& how, const std::string& message) {
    const Outcome outcome = run(how);
    EXPECT_EQ(outcome.code, 4) << how << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << how << ": '" << message << "' is not in\n"
                                                            << outcome.err;
    EXPECT_FALSE(fs::exists(folder_.file("out_02.pfm")));
  }

  Folder folder_;
};

TEST_F(HostMistakes, AreErrorsWithTheModulesName) {
  expectError("error", "the cat sat on it");
  expectError("throw", "host:01: thrown at you");
  expectError("thread", "host:01: thrown by a thread");
  expectError("silent", "host:01: compute() of");
  expectError("silent", "failed with 7, without a message");
  expectError("size", "host:01:sides: compute() of");
  expectError("size", "states y f32 data 4x2 for 'sum', but the node declares y f32 data 3x2");
}

TEST_F(HostMistakes, NanIsCounted) {
  const Outcome outcome = run("nan");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("NaN"), std::string::npos) << outcome.err;
}

TEST_F(HostMistakes, RunInSequences) {
  const Outcome outcome = run("right");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_.file("out_00.pfm")));
  EXPECT_EQ(slurp(folder_.file("out_00.pfm")), slurp(folder_.file("out_02.pfm")));
}

TEST_F(HostMistakes, NeverEndingOnesEndByTheWatch) {
  setenv("LACUNA_GPU_SECONDS", "1", 1);
  const Outcome outcome = run("hang");
  unsetenv("LACUNA_GPU_SECONDS");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("still computing host:01:sides"), std::string::npos) << outcome.err;
}

// The first signal waits for the frame, as for a device that never ends; the second ends the program.
TEST_F(HostMistakes, NeverEndingOnesEndByTheSecondSignal) {
  run("nan");  // writes the files
  const std::string path = folder_.file("g.cfg");
  const Outcome outcome = runShell(
      fmt::format("lacuna run {} --modules {} -p host:01:how=hang & child=$!\nsleep 1\nkill -TERM $child\n"
                  "sleep .3\nkill -TERM $child\nwait $child\n",
                  path, testModules),
      folder_.file("."));
  EXPECT_EQ(outcome.code, 128 + SIGTERM) << outcome.err;
}

}  // namespace
}  // namespace lacuna::test
