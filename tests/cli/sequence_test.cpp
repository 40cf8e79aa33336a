// Sequences: signals and errors leave only whole files, and the remaining frames can be run later.

#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/sequences.h"
#include "tests/support/environment.h"

namespace lacuna::test {
namespace {

TEST_F(Sequences, SayHowFarTheyAre) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("6 frames in "), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos) << outcome.err;
  EXPECT_EQ(wholeFiles(), frames);
  EXPECT_EQ(run({"-q"}).err, "");
  EXPECT_NE(outcome.err.find("a second: 6 files\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"--no-progress"}).err.find("6 frames in "), 0U) << "the summary is not progress";
  EXPECT_EQ(run({"--frames", "3"}).err.find("out/0003.png written in "), 0U);
}

TEST_F(Sequences, RewriteOneLineOnATerminal) {
  const Outcome outcome = run({"--in-flight", "1"}, {.terminal = true});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("\rframe 0: 1 of 6 done"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST_F(Sequences, FilesDoNotDependOnTheNumberInFlight) {
  writeRandomPng(folder_.file("one.png"), frameExtent);
  spill(folder_.file("graph.cfg"),
        exposureGraph("in/%04d.png", "out/%04d.png",
                      "frames:6\nkeyframe:0:exposure:01:stops:-3\nkeyframe:5:exposure:01:stops:2\n"));
  std::vector<std::string> expected;
  for (const char* inFlight : {"1", "4"}) {
    EXPECT_EQ(run({"--in-flight", inFlight}).code, 0);
    std::vector<std::string> files;
    for (int frame = 0; frame < frames; ++frame) {
      files.push_back(slurp(output(frame)));
    }
    EXPECT_NE(files[0], files[5]);
    EXPECT_TRUE(expected.empty() || files == expected) << inFlight;
    expected = files;
  }
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
         {"device lost while it computed ", "exposure:01:main", "exposure.glsl", "never ends"}) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
    }
    const int whole = wholeFiles();
    EXPECT_GE(whole, 1);
    EXPECT_LT(whole, frames);
  }
}

// It is damaged, which the check of all files beforehand doesn't find.
TEST_F(Sequences, AnUnreadableFileLeavesWholeFilesOnly) {
  spill(input(3), "no picture");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("in/0003.png"), std::string::npos) << outcome.err;
  for (int frame = 0; frame < 3; ++frame) {
    EXPECT_TRUE(fs::exists(output(frame))) << frame;
  }
  EXPECT_FALSE(fs::exists(output(3)));
  EXPECT_LE(wholeFiles(), frames - 1);
}

TEST_F(Sequences, AnUnreadableFileNamesTheWaysOut) {
  spill(input(3), "no picture");
  const Outcome outcome = run({"--in-flight", "1"});
  EXPECT_EQ(outcome.code, 4);
  for (const char* text : {"graph.cfg:7:16: error: ", "--resume", "--skip-damaged", "3 of 6 frames in "}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
  }
}

TEST_F(Sequences, DamagedFramesAreLeftOutWhereThatIsAskedFor) {
  spill(input(0), "no picture");  // whose header determines the others' types
  spill(input(3), slurp(input(2)).substr(0, 900));
  for (const char* inFlight : {"1", "4"}) {
    const Outcome outcome = run({"--skip-damaged", "--in-flight", inFlight});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    for (const char* text :
         {"frame 0 is left out: ", "frame 3 is left out: ", "in/0003.png", "4 of 6 frames in ",
          ": 4 files\n2 frames left out because of files that can't be read: 0, 3\n"}) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
    }
    EXPECT_EQ(wholeFiles(), 4);
    for (const int frame : {1, 2, 4, 5}) {
      fs::remove(output(frame));
    }
  }
}

TEST_F(Sequences, NoPaceIsToldBeforeAFrameIsDone) {
  spill(input(0), slurp(input(0)).substr(0, 900));
  const Outcome outcome = run({"--skip-damaged", "--in-flight", "1"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(outcome.err.find("frame 0: 0 of 6 done\n"), 0U) << outcome.err;
}

TEST_F(Sequences, OfTwoSizesNameBoth) {
  fs::remove(input(3));
  writeRandomPng(input(3), {frameExtent.width + 7, 5});
  const Outcome outcome = run({"--in-flight", "1"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const std::string text = fmt::format(
      "in/0003.png: {} x 5 pixels, but the first file that was read had {} x {}; all frames must be of one "
      "size",
      frameExtent.width + 7, frameExtent.width, frameExtent.height);
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
}

// The result is as if the frame didn't exist.
TEST_F(Sequences, FeedbackGoesOverDamagedFrames) {
  for (int frame = 0; frame < frames; ++frame) {
    fs::remove(input(frame));
    writeRandomPng(input(frame), frameExtent);
  }
  const std::string accumulate =
      "lacuna:1\nmodule:i-png:01\nmodule:accum:01\nmodule:o-png:01\nparam:i-png:01:first:0\n"
      "connect:i-png:01:output:accum:01:input\nconnect:accum:01:output:o-png:01:input\nframes:6\n"
      "param:i-png:01:filename:\"in/%04d.png\"\nparam:o-png:01:filename:\"out/%04d.png\"\n";
  spill(folder_.file("graph.cfg"), accumulate);
  for (const int damaged : {0, 2}) {
    const std::string whole = slurp(input(damaged));
    fs::remove(input(damaged));
    ASSERT_EQ(run({"--missing", "skip"}).code, 0);
    const std::string expected = slurp(output(5));
    spill(input(damaged), whole.substr(0, whole.size() / 2));
    ASSERT_EQ(run({"--skip-damaged"}).code, 4);
    EXPECT_EQ(slurp(output(5)), expected) << damaged;
    spill(input(damaged), whole);
  }
}

// The first frame that runs determines the sources' types.
TEST_F(Sequences, StartWhereTheirFilesDo) {
  for (int frame = 0; frame < 4; ++frame) {
    fs::remove(input(frame));
  }
  EXPECT_EQ(run().code, 2);
  const Outcome outcome = run({"--frames", "4-5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(wholeFiles(), 2);
}

TEST_F(Sequences, AnInterruptLeavesWholeFilesOnlyAndResumes) {
  constexpr int many = 3000;
  for (int frame = 0; frame < frames; ++frame) {
    fs::remove(input(frame));
  }
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
  for (int frame = 3; frame < 10; ++frame) {
    before.push_back(fs::exists(output(frame)) ? fs::last_write_time(output(frame)) : fs::file_time_type{});
  }
  const Outcome resumed = run({"--resume", "--frames", "0-" + std::to_string(written + 4)});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(" frames already exist"), std::string::npos) << resumed.err;
  for (int frame = 0; frame < written + 5; ++frame) {
    EXPECT_TRUE(fs::exists(output(frame))) << frame;
  }
  for (int frame = 3; frame < 10; ++frame) {
    const fs::file_time_type was = before[static_cast<size_t>(frame - 3)];
    EXPECT_TRUE(was == fs::file_time_type{} || was == fs::last_write_time(output(frame))) << frame;
  }
  const std::string all = listing(folder_.path());
  EXPECT_EQ(run({"--resume", "--frames", "0-9"}).code, 0);
  EXPECT_EQ(listing(folder_.path()), all) << "nothing is left to do";
}

// A `feedback:` line that leads forward is a delay of a frame, and needs one before.
TEST_F(Sequences, WithADelayTakeTheFrameBefore) {
  spill(folder_.file("graph.cfg"), exposureGraph("in/%04d.png", "out/%04d.png",
                                                 "frames:6\nmodule:exposure:02\nmodule:o-png:02\n"
                                                 "feedback:exposure:01:output:exposure:02:input\n"
                                                 "connect:exposure:02:output:o-png:02:input\n"
                                                 "param:o-png:02:filename:\"out/back_%04d.png\"\n"));
  const std::vector<std::byte> image = readPlane("png", input(2), "output");
  const auto back = [&](int frame) {
    return readPlane("png", folder_.file(fmt::format("out/back_{:04}.png", frame)), "output");
  };
  const Outcome outcome = run({"--frames", "2-3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 frames and 1 of warm-up"), std::string::npos) << outcome.err;
  EXPECT_EQ(back(2), image);
  EXPECT_EQ(back(3), image);
  // History begins with zeros at the first requested frame.
  ASSERT_EQ(run({"--frames", "2-3", "--warm-up", "0"}).code, 0);
  EXPECT_EQ(back(3), image);
  const std::vector<std::byte> first = back(2);
  for (size_t i = 0; i < first.size(); i += 4) {
    ASSERT_EQ(first[i], std::byte{0}) << i;
  }
}

TEST_F(Sequences, AreProfiledAndTimed) {
  const std::string path = folder_.file("trace.json");
  const Outcome outcome = run({"--profile", path});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json trace = readJson(slurp(path));
  std::map<std::string, int> names;
  for (const nlohmann::json& event : trace.at("traceEvents")) {
    ++names[event.at("name")];
  }
  EXPECT_EQ(names["read i-png:01:pixels"], frames);
  EXPECT_EQ(names["write o-png:01:file8"], frames);
  EXPECT_EQ(names["load"], 1);
  EXPECT_EQ(run({"--profile", folder_.file("one.png/trace.json")}).code, 2);
  const Outcome timed = run({"--time"});
  EXPECT_NE(timed.out.find("medians of 6 frames, after a run that is not timed"), std::string::npos)
      << timed.out;
  EXPECT_NE(timed.out.find("x floor"), std::string::npos) << timed.out;
}

TEST(Resume, OfOneFrameSaysSo) {
  const Folder folder;
  writeRandomPng(folder.file("in.png"), {7, 5});
  spill(folder.file("graph.cfg"), exposureGraph("in.png", "out.png"));
  EXPECT_EQ(runProgram({"run", "graph.cfg", "--resume"}, {.folder = folder.path()}).code, 0);
  const Outcome again = runProgram({"run", "graph.cfg", "--resume"}, {.folder = folder.path()});
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("the frame already exists"), std::string::npos) << again.err;
}

}  // namespace
}  // namespace lacuna::test
