// --missing wait: frames that are rendered meanwhile.

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "tests/cli/denoise.h"

namespace lacuna::test {
namespace {

using namespace std::chrono_literals;

class AwaitedFiles : public Denoise {
 protected:
  static constexpr int count = 6;

  std::string frame(const std::string& folder, int number) const {
    return folder_.file(fmt::format("{}/f_{:04}.exr", folder, number));
  }

  void SetUp() override {
    fs::create_directories(folder_.file("all"));
    fs::create_directories(folder_.file("s"));
    for (int number = 1; number <= count; ++number)
      writeMovingFrame(frame("all", number), number, -3, 2);
  }

  // Files appear in pieces, as a renderer may write them.
  void writeSlowly(int number) const {
    const std::string whole = slurp(frame("all", number));
    std::ofstream file(frame("s", number), std::ios::binary);
    for (const size_t part : {whole.size() / 20, whole.size() / 2, whole.size()}) {
      const auto at = static_cast<size_t>(file.tellp());
      file << whole.substr(at, part - at) << std::flush;
      std::this_thread::sleep_for(60ms);
    }
  }

  void expectAll(const std::string& folder) const {
    for (int number = 1; number <= count; ++number)
      EXPECT_EQ(readPlane("exr", frame(folder, number), "output"),
                readPlane("exr", frame("together", number), "output"))
          << number;
  }
};

TEST_F(AwaitedFiles, NoFrameIsAwaitedForAFolderThatCantBeWritten) {
  fs::create_directory(folder_.file("shut"));
  fs::permissions(folder_.file("shut"), fs::perms::owner_read | fs::perms::owner_exec);
  for (const char* output : {"shut/", "shut/more/%04d.exr"}) {
    const Outcome outcome =
        runProgram({"denoise", "s/f_%04d.exr", "-o", output, "--frames", "1-6", "--missing", "wait"},
                   {.folder = folder_.path(), .obeysPermissions = true});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.err, fmt::format("lacuna: error: -o {}: no permission to write into 'shut'\n", output));
  }
}

TEST_F(AwaitedFiles, FramesAreThoseOfTheWholeSequence) {
  ASSERT_EQ(run({"all/f_%04d.exr", "-o", "together/", "--method", "svgf"}).code, 0);
  std::jthread renderer([&] {
    std::this_thread::sleep_for(300ms);
    for (int number = 1; number <= count; ++number)
      writeSlowly(number);
  });
  const Outcome outcome = run({"s/f_%04d.exr", "-o", "clean/", "--frames", "1-6", "--missing", "wait",
                               "--no-tune", "--method", "svgf"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("waiting for s/f_0001.exr"), std::string::npos) << outcome.err;
  expectAll("clean");
}

TEST_F(AwaitedFiles, ASignalEndsWaitingAndResumeGoesOn) {
  ASSERT_EQ(run({"all/f_%04d.exr", "-o", "together/", "--method", "svgf"}).code, 0);
  for (int number = 1; number <= 3; ++number)
    fs::copy(frame("all", number), frame("s", number));
  const std::vector<std::string> words = {"denoise",  "s/f_%04d.exr", "-o",        "clean/",
                                          "--frames", "1-6",          "--missing", "wait",
                                          "--resume", "--no-tune",    "--method",  "svgf"};
  const Outcome stopped = runProgram(
      words,
      {.folder = folder_.path(), .interruptAt = frame("clean", 3), .signal = SIGTERM, .microseconds = 100});
  EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
  EXPECT_FALSE(exists("clean/f_0004.exr"));
  const auto before = fs::last_write_time(frame("clean", 2));
  for (int number = 4; number <= count; ++number)
    fs::copy(frame("all", number), frame("s", number));
  const Outcome outcome = runProgram(words, {folder_.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(fs::last_write_time(frame("clean", 2)), before);
  expectAll("clean");
}

TEST_F(AwaitedFiles, AFileThatStaysDamagedIsAnError) {
  for (int number = 1; number <= count; ++number)
    fs::copy(frame("all", number), frame("s", number));
  fs::resize_file(frame("s", 4), fs::file_size(frame("s", 4)) / 2);
  fs::last_write_time(frame("s", 4), fs::file_time_type::clock::now() + 10000h);  // by its server's clock
  const Outcome outcome =
      run({"s/f_%04d.exr", "-o", "clean/", "--frames", "1-6", "--missing", "wait", "--method", "svgf"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("f_0004.exr"), std::string::npos) << outcome.err;
}

TEST_F(AwaitedFiles, AFileIsAwaitedWhoseServersClockIsBehind) {
  const std::string whole = slurp(frame("all", 1));
  spill(frame("s", 1), whole.substr(0, whole.size() / 2));
  fs::last_write_time(frame("s", 1), fs::file_time_type::clock::now() - 1min);
  std::jthread renderer([&] {
    std::this_thread::sleep_for(300ms);
    spill(frame("s", 1), whole);
  });
  const Outcome outcome = run({"s/f_0001.exr", "-o", "clean.exr", "--missing", "wait", "--strength", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(AwaitedFiles, FramesMustBeNamed) {
  const Outcome outcome = run({"s/f_%04d.exr", "-o", "clean/", "--missing", "wait"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("which frames will be written? Name them all: --frames 1-250"),
            std::string::npos)
      << outcome.err;
}

TEST_F(AwaitedFiles, AStillIsAwaited) {
  std::jthread renderer([&] {
    std::this_thread::sleep_for(200ms);
    writeSlowly(2);
  });
  const Outcome outcome = run({"s/f_0002.exr", "-o", "clean.exr", "--missing", "wait", "--strength", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(readPlane("exr", folder_.file("clean.exr"), "output"),
            readPlane("exr", frame("all", 2), "output"));
}

}  // namespace
}  // namespace lacuna::test
