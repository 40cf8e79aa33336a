// Sequences of numbered files: --frames and outputs count by the files' numbers.

#include <fmt/format.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class FileNumbers : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.file("graph"));
    fs::create_directory(folder_.file("here"));
  }

  void writeInputs(const std::string& pattern, int first, int last) const {
    for (int number = first; number <= last; ++number) {
      const std::string name = framePath(pattern, number);
      writeRandomPng(folder_.file("graph/" + name), {9, 7});
    }
  }

  void writeGraph(const std::string& source, const std::string& more = {}) const {
    spill(folder_.file("graph/graph.cfg"), exposureGraph(source, "out_%04d.png", more));
  }

  Outcome run(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words = {"run", "../graph/graph.cfg", "-q"};
    words.insert(words.end(), options.begin(), options.end());
    return runProgram(words, {.folder = folder_.file("here")});
  }

  // Names of the written files, "out_0005.png out_0006.png"; clears the list.
  std::string written() const {
    const std::vector<std::string> names = namesIn(folder_.file("here"));
    for (const std::string& name : names) {
      fs::remove(folder_.file("here/" + name));
    }
    return fmt::format("{}", fmt::join(names, " "));
  }

  void expectError(const Outcome& outcome, const std::string& message) const {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << message << "\n" << outcome.err;
    EXPECT_EQ(written(), "");
  }

  std::vector<std::byte> pixels(const std::string& name) const {
    return readPlane("png", folder_.file(name), "output");
  }

  const Folder folder_;
};

TEST_F(FileNumbers, AreThoseOfTheOutputsToo) {
  writeInputs("shot_%04d.png", 5, 9);
  for (const char* pattern : {"shot_%04d.png", "shot_####.png"}) {
    writeGraph(pattern);
    EXPECT_EQ(run().code, 0);
    for (int number = 5; number < 10; ++number) {
      EXPECT_EQ(pixels(fmt::format("here/out_{:04}.png", number)),
                pixels(fmt::format("graph/shot_{:04}.png", number)));
    }
    EXPECT_EQ(written(), "out_0005.png out_0006.png out_0007.png out_0008.png out_0009.png");
  }
  EXPECT_EQ(run({"--frames", "5-9"}).code, 0);
  EXPECT_EQ(written(), "out_0005.png out_0006.png out_0007.png out_0008.png out_0009.png");
  EXPECT_EQ(run({"--frames", "6", "-o", "o-png:01=one.png"}).code, 0);
  EXPECT_EQ(written(), "one.png");
  EXPECT_EQ(run({"-o", "o-png:01=out_##.png", "-p", "o-png:01:first=100", "--frames", "7-8"}).code, 0);
  EXPECT_EQ(written(), "out_102.png out_103.png");
  expectError(run({"--frames", "4-6"}), "has no files for 1 of 3 frames: ../graph/shot_0004.png");
  expectError(run({"--frames", "0"}), "there are 5 files from ../graph/shot_0005.png");
  EXPECT_EQ(run({"--frames", "3-6", "--missing", "skip"}).code, 0);
  EXPECT_EQ(written(), "out_0005.png out_0006.png");
}

TEST_F(FileNumbers, FramesOfTheGraphLimitThem) {
  writeInputs("shot_%04d.png", 5, 9);
  writeGraph("shot_%04d.png", "frames:2\n");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(written(), "out_0005.png out_0006.png");
  writeGraph("shot_%04d.png", "frames:2\nparam:i-png:01:first:7\n");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(written(), "out_0007.png out_0008.png");
  writeGraph("shot_%04d.png", "param:i-png:01:first:7\n");
  EXPECT_EQ(run().code, 0) << "all from 7 on";
  EXPECT_EQ(written(), "out_0007.png out_0008.png out_0009.png");
}

TEST_F(FileNumbers, AHoleIsAnError) {
  writeInputs("shot_%d.png", 1, 2);
  writeInputs("shot_%d.png", 4, 5);
  writeGraph("shot_%d.png");
  expectError(run(), "has no files for 1 of 5 frames: ../graph/shot_3.png");
}

TEST_F(FileNumbers, MayBeThoseOfFolders) {
  for (int number = 3; number < 5; ++number) {
    fs::create_directory(folder_.file(fmt::format("graph/take {}", number)));
  }
  writeInputs("take %d/in.png", 3, 4);
  writeGraph("take %d/in.png");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(written(), "out_0003.png out_0004.png");
}

TEST_F(FileNumbers, MayBeNegative) {
  writeInputs("shot_%04d.png", -2, 2);
  for (const char* pattern : {"shot_%04d.png", "shot_####.png"}) {
    writeGraph(pattern);
    EXPECT_EQ(run().code, 0);
    for (int number = -2; number <= 2; ++number) {
      EXPECT_EQ(pixels("here/" + framePath("out_%04d.png", number)),
                pixels("graph/" + framePath("shot_%04d.png", number)));
    }
    EXPECT_EQ(written(), "out_-001.png out_-002.png out_0000.png out_0001.png out_0002.png");
  }
  const Outcome compared =
      runProgram({"compare", "shot_%04d.png", "shot_####.png"}, {.folder = folder_.file("graph")});
  EXPECT_EQ(compared.code, 0);
  EXPECT_NE(compared.out.find("\n    -2 "), std::string::npos) << compared.out;
  EXPECT_EQ(run({"--frames", "-2:-1"}).code, 0);
  EXPECT_EQ(run({"--resume", "--frames", "-2-0"}).code, 0);
  EXPECT_EQ(written(), "out_-001.png out_-002.png out_0000.png");
  expectError(run({"--frames", "-4--1"}),
              "files for 2 of 4 frames: ../graph/shot_-004.png, ../graph/shot_-003.png");
  fs::remove(folder_.file("graph/shot_-001.png"));
  expectError(run(), "has no files for 1 of 5 frames: ../graph/shot_-001.png");
  EXPECT_EQ(run({"--missing", "skip", "-o", "%d.png"}).code, 0);
  EXPECT_EQ(written(), "-2.png 0.png 1.png 2.png");
  EXPECT_EQ(run({"-p", "i-png:01:first=-2", "--frames", "-2", "-o", "x%.3d.png"}).code, 0);
  EXPECT_EQ(written(), "x-002.png");
  writeGraph("shot_0001.png");
  expectError(run({"--frames", "-1"}), "frame -1 is asked for, but the first one is 0");
}

// As Blender writes them; without any other way to know where the number begins, frame 0 does.
TEST_F(FileNumbers, MinusSignsMayAddToTheDigits) {
  writeInputs("shot%.4d.png", -2, 1);
  writeGraph("shot####.png");
  EXPECT_EQ(run({"--frames", "-2-1"}).code, 0);
  EXPECT_EQ(written(), "out_-001.png out_-002.png out_0000.png out_0001.png");
  EXPECT_EQ(pixels("graph/shot-0002.png").size(), 4U * 9 * 7);
}

// Frames as modules and keyframes see them begin with 0.
TEST_F(FileNumbers, KeyframesCountFromZero) {
  writeInputs("shot_%d.png", 5, 7);
  writeGraph("shot_%d.png", "keyframe:0:exposure:01:stops:0\nkeyframe:2:exposure:01:stops:-32:step\n");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(pixels("here/out_0005.png"), pixels("graph/shot_5.png"));
  EXPECT_NE(pixels("here/out_0007.png"), pixels("graph/shot_7.png"));
}

TEST_F(FileNumbers, ListsAndSteps) {
  writeInputs("shot_%d.png", 1, 9);
  writeGraph("shot_%d.png");
  EXPECT_EQ(run({"--frames", "1-9x4"}).code, 0);
  EXPECT_EQ(written(), "out_0001.png out_0005.png out_0009.png");
  EXPECT_EQ(run({"--frames", "7,1,2-3,3"}).code, 0);
  EXPECT_EQ(written(), "out_0001.png out_0002.png out_0003.png out_0007.png");
}

TEST_F(FileNumbers, MustAgree) {
  writeInputs("shot_%d.png", 1, 3);
  writeInputs("ref_%d.png", 101, 103);
  const std::string second =
      "module:i-png:02\nmodule:blend:01\nmodule:o-png:02\nparam:i-png:02:filename:\"ref_%d.png\"\n"
      "connect:i-png:01:output:blend:01:input\nconnect:i-png:02:output:blend:01:back\n"
      "connect:blend:01:output:o-png:02:input\nparam:o-png:02:filename:\"two_%d.png\"\n";
  writeGraph("shot_%d.png", second);
  expectError(run(),
              "the numbers of files differ: those of i-png:01 begin with 1 (shot_%d.png), those of i-png:02");
  expectError(run({"--frames", "1-3"}), "param:i-png:01:first:1 and param:i-png:02:first:101");
  writeGraph("shot_%d.png", second + "param:i-png:02:first:101\n");
  expectError(run(), "the numbers of files differ");
  writeGraph("shot_%d.png", second + "param:i-png:02:first:101\nparam:i-png:01:first:1\n");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(written(), "out_0001.png out_0002.png out_0003.png two_1.png two_2.png two_3.png");
}

TEST_F(FileNumbers, OnePictureIsFrame0) {
  writeInputs("one.png", 0, 0);
  writeGraph("one.png");
  expectError(run({"--frames", "5"}),
              "there is no frame 5: i-png:01 reads one file, one.png, so the graph has one frame, number 0");
  EXPECT_EQ(written(), "");
  EXPECT_EQ(run({"--frames", "0"}).code, 0);
  EXPECT_EQ(run({"--frames", "5", "-p", "i-png:01:still=true"}).code, 0);
  EXPECT_EQ(written(), "out_0000.png out_0005.png");
}

// Without a number one file would be read again and again.
TEST_F(FileNumbers, AStillMustBeMeant) {
  writeInputs("one.png", 0, 0);
  writeInputs("shot_%d.png", 1, 2);
  writeGraph("one.png", "frames:3\n");
  expectError(run(), "i-png:01 would read one file, one.png, in each of 3 frames");
  EXPECT_EQ(run({"-p", "i-png:01:still=true"}).code, 0);
  EXPECT_EQ(written(), "out_0000.png out_0001.png out_0002.png");
  EXPECT_EQ(run({"--frames", "1"}).code, 0) << "one frame is not a sequence";
  EXPECT_EQ(written(), "out_0001.png");
  writeGraph("shot_%d.png", "param:i-png:01:still:true\n");
  expectError(run(), "'still' set, but a number in its file name");
}

}  // namespace
}  // namespace lacuna::test
