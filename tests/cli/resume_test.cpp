// `--resume`: outputs are made again if they would now be made from something else.

#include <fmt/format.h>

#include "tests/cli/denoise.h"
#include "tests/cli/sequences.h"

namespace lacuna::test {
namespace {

class Resumed : public Sequences {
 protected:
  void SetUp() override {
    Sequences::SetUp();
    ASSERT_EQ(run().code, 0);
    for (int frame = 0; frame < frames; ++frame) {
      before_.push_back(id(frame));
    }
  }

  // Resumes, and expects this number of frames to be up to date and only the named ones to be made again.
  void expectAgain(const std::vector<int>& again, const std::string& why,
                   const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"--resume"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string summary =
        fmt::format("{} of {} frames already exist", frames - static_cast<int>(again.size()), frames) +
        (why.empty() ? "\n" : fmt::format("; made again: {} {}\n", again.size(), why));
    EXPECT_NE(outcome.err.find(summary), std::string::npos) << outcome.err << "expected: " << summary;
    for (int frame = 0; frame < frames; ++frame) {
      const bool isAgain = std::find(again.begin(), again.end(), frame) != again.end();
      EXPECT_EQ(id(frame) != before_[static_cast<size_t>(frame)], isAgain) << frame;
      before_[static_cast<size_t>(frame)] = id(frame);
    }
    EXPECT_NE(run(words).err.find("6 of 6 frames already exist\n"), std::string::npos);
  }

  // Changes when the file is written again, even with equal content.
  std::string id(int frame) const {
    return fmt::format("{}", fs::last_write_time(output(frame)).time_since_epoch().count());
  }

  void replaceInput(int frame) const {
    fs::remove(input(frame));
    writeRandomPng(input(frame), frameExtent);
  }

  static constexpr const char* otherInputs = "of other inputs";
  static constexpr const char* otherSettings = "of another program, graph, module or parameter";
  std::vector<std::string> before_;
};

TEST_F(Resumed, NothingHasChanged) {
  expectAgain({}, "");
  // Files with the same content but another time or place.
  fs::last_write_time(input(2), fs::file_time_type::clock::now());
  expectAgain({}, "");
  fs::copy(folder_.file("in"), folder_.file("copy"));
  expectAgain({}, "", {"-i", folder_.file("copy/%04d.png")});
}

TEST_F(Resumed, AnInputHasChanged) {
  replaceInput(3);
  expectAgain({3}, otherInputs);
}

TEST_F(Resumed, AnInputIsGone) {
  fs::remove(input(5));
  expectAgain({}, "");
}

TEST_F(Resumed, AParameterHasChanged) {
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings, {"-p", "exposure:01:stops=1.5"});
  const std::string resumed = slurp(output(4));
  ASSERT_EQ(run({"-p", "exposure:01:stops=1.5"}).code, 0);
  EXPECT_EQ(slurp(output(4)), resumed) << "equal pictures are equal files";
}

TEST_F(Resumed, AKeyframeHasChanged) {
  const auto write = [&](const std::string& last) {
    fs::remove(folder_.file("graph.cfg"));
    spill(folder_.file("graph.cfg"),
          exposureGraph("in/%04d.png", "out/%04d.png",
                        "frames:6\nkeyframe:0:exposure:01:stops:0\nkeyframe:4:exposure:01:stops:0\n"
                        "keyframe:5:exposure:01:stops:" +
                            last + "\n"));
  };
  write("1");
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings);
  write("2");
  expectAgain({5}, otherInputs);
}

TEST_F(Resumed, RecordsAreGoneOrDamaged) {
  fs::remove(folder_.file("out/.lacuna/0001.png.json"));
  spill(folder_.file("out/.lacuna/0004.png.json"), "{\"lacuna\":2}");
  expectAgain({1, 4}, "without a record of what they were made from");
}

TEST_F(Resumed, RecordsCantBeReadOrKept) {
  spill(folder_.file("out/.lacuna/0004.png.json"), std::string(size_t{2} << 20U, '['));
  const Outcome damaged = run({"--resume"});
  EXPECT_EQ(damaged.code, 0);
  EXPECT_NE(damaged.err.find("warning: out/.lacuna/0004.png.json: it is larger than 1 MiB"),
            std::string::npos)
      << damaged.err;
  fs::remove_all(folder_.file("out/.lacuna"));
  spill(folder_.file("out/.lacuna"), "a file");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("; --resume will make such files again"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(folder_.file("out/.lacuna")), "a file");
}

TEST_F(Resumed, RecordsAreOfAnotherVersion) {
  spill(folder_.file("out/.lacuna/0004.png.json"), "{\"lacuna\":1}");
  expectAgain({4}, "recorded by another version");
}

// Neither a run of one frame nor another command keeps a record: what they write has none.
TEST_F(Resumed, AnOutputIsOfAnotherRun) {
  ASSERT_EQ(run({"--frames", "5", "-p", "exposure:01:stops=1.5"}).code, 0);
  ASSERT_EQ(runProgram({"denoise", "one.png", "-o", "out/0002.png"}, {folder_.path()}).code, 0);
  before_[2] = id(2);
  before_[5] = id(5);
  expectAgain({2, 5}, "without a record of what they were made from");
}

TEST_F(Resumed, AnOutputOfTheSameSizeIsAnother) {
  std::string bytes = slurp(output(2));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  spill(output(2), bytes);
  const auto time = fs::last_write_time(output(3));
  fs::last_write_time(output(3), time + std::chrono::seconds(1));  // copied, perhaps
  before_[2] = id(2);
  before_[3] = id(3);
  expectAgain({2}, "incomplete");
}

TEST_F(Resumed, TheModeHasChanged) {
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings, {"--missing", "skip"});
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings, {"--missing", "skip", "--skip-damaged"});
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings, {"--warm-up", "0", "--missing", "skip", "--skip-damaged"});
}

TEST_F(Resumed, AnOutputIsShorterThanItWas) {
  const std::string whole = slurp(output(2));
  spill(output(2), whole.substr(0, whole.size() - 1));
  expectAgain({2}, "incomplete");
  EXPECT_EQ(slurp(output(2)), whole);
}

TEST_F(Resumed, AStillHasChanged) {
  spill(folder_.file("graph.cfg"),
        exposureGraph("one.png", "out/%04d.png", "frames:6\nparam:i-png:01:still:true\n"));
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings);
  writeRandomPng(folder_.file("two.png"), frameExtent);
  fs::rename(folder_.file("two.png"), folder_.file("one.png"));
  expectAgain({0, 1, 2, 3, 4, 5}, otherInputs);
}

// Frames whose history contains the input also run again: half of a frame's value stays in the next two.
TEST_F(Resumed, AnInputOfAHistoryHasChanged) {
  spill(folder_.file("graph.cfg"),
        "lacuna:1\nframes:6\nwarmup:2\nmodule:i-png:01\nmodule:accum:01\nmodule:o-png:01\n"
        "connect:i-png:01:output:accum:01:input\nconnect:accum:01:output:o-png:01:input\n"
        "param:i-png:01:filename:\"in/%04d.png\"\nparam:o-png:01:filename:\"out/%04d.png\"\n"
        "param:accum:01:window:2\n");
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings);
  replaceInput(1);
  expectAgain({1, 2, 3}, otherInputs);
}

// A missing frame that shows the one before is made of its file.
TEST_F(Resumed, AHeldInputHasChanged) {
  fs::remove(input(3));
  const std::vector<std::string> words = {"--missing", "hold", "--resume"};
  EXPECT_EQ(run(words).code, 0);
  const std::vector<std::string> before = {id(1), id(2), id(3), id(4)};
  replaceInput(2);
  EXPECT_EQ(run(words).code, 0);
  EXPECT_EQ(id(1), before[0]);
  EXPECT_NE(id(2), before[1]);
  EXPECT_NE(id(3), before[2]);
  EXPECT_EQ(id(4), before[3]);
}

// Without motion vectors a gap doesn't end a history.
TEST_F(Resumed, AHistoryGoesOnAfterAGap) {
  spill(folder_.file("graph.cfg"),
        "lacuna:1\nframes:6\nwarmup:2\nmodule:i-png:01\nmodule:accum:01\nmodule:o-png:01\n"
        "connect:i-png:01:output:accum:01:input\nconnect:accum:01:output:o-png:01:input\n"
        "param:i-png:01:filename:\"in/%04d.png\"\nparam:o-png:01:filename:\"out/%04d.png\"\n"
        "param:accum:01:window:2\n");
  fs::remove(input(3));
  const std::vector<std::string> words = {"--missing", "skip", "--resume"};
  EXPECT_EQ(run(words).code, 0);
  const std::string before = id(4) + id(5);
  EXPECT_EQ(run(words).code, 0);
  EXPECT_EQ(id(4) + id(5), before);
  replaceInput(2);
  EXPECT_EQ(run(words).code, 0);
  EXPECT_NE(id(4) + id(5), before);
}

// Weights by another name.
TEST_F(Resumed, ANamedFileIsAnother) {
  const auto write = [&](const std::string& still) {
    spill(folder_.file("graph.cfg"),
          exposureGraph(still, "out/%04d.png", "frames:6\nparam:i-png:01:still:true\n"));
  };
  writeRandomPng(folder_.file("two.png"), frameExtent);
  fs::copy(folder_.file("one.png"), folder_.file("same.png"));
  write("one.png");
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings);
  write("two.png");
  expectAgain({0, 1, 2, 3, 4, 5}, otherInputs);
  write("one.png");
  expectAgain({0, 1, 2, 3, 4, 5}, otherInputs);
  write("same.png");
  expectAgain({}, "");
}

TEST_F(Resumed, AModuleHasChanged) {
  // Folders whose paths sort in either order: where equal modules are doesn't count.
  const auto copied = [&](const char* root, const char* module) {
    fs::create_directories(folder_.file(root));
    fs::copy(std::string(LACUNA_MODULE_FOLDER "/") + module, fs::path(folder_.file(root)) / module,
             fs::copy_options::recursive);
  };
  copied("b", "exposure");
  copied("a", "shared");
  const std::vector<std::string> with = {"--modules", folder_.file("b"), "--modules", folder_.file("a")};
  expectAgain({}, "", with);
  std::ofstream(folder_.file("b/exposure/exposure.glsl"), std::ios::app) << "// another\n";
  expectAgain({0, 1, 2, 3, 4, 5}, otherSettings, with);
}

TEST_F(Denoise, ResumesFolders) {
  fs::create_directory(folder_.file("in"));
  for (const char* name : {"in/a.png", "in/b.png"}) {
    writeRandomPng(folder_.file(name), extent);
  }
  const auto again = [&] {
    const auto time = [&](const char* name) { return fs::last_write_time(folder_.file(name)); };
    const auto a = time("out/a.png"), b = time("out/b.png");
    const Outcome outcome = run({"in", "-o", "out/", "--resume"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::pair(time("out/a.png") != a, time("out/b.png") != b);
  };
  ASSERT_EQ(run({"in", "-o", "out/"}).code, 0);
  EXPECT_EQ(again(), std::pair(false, false));
  writeRandomPng(folder_.file("c.png"), extent);
  fs::rename(folder_.file("c.png"), folder_.file("in/b.png"));
  EXPECT_EQ(again(), std::pair(false, true));
}

TEST_F(Denoise, ResumesFramesAfterAGap) {
  for (const int frame : {1, 2, 4, 5}) {
    writeMovingFrame(folder_.file(fmt::format("f_{}.exr", frame)), frame, -3, 2);
  }
  const auto again = [&] {
    const auto time = [&](int frame) {
      return fs::last_write_time(folder_.file(fmt::format("out/f_{}.exr", frame)));
    };
    const std::vector<fs::file_time_type> before = {time(1), time(2), time(4), time(5)};
    const Outcome outcome = run({"f_%d.exr", "-o", "out/", "--frames", "1-5", "--missing", "skip", "--method",
                                 "svgf", "--no-tune", "--resume"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::vector<bool>{time(1) != before[0], time(2) != before[1], time(4) != before[2],
                             time(5) != before[3]};
  };
  ASSERT_EQ(
      run({"f_%d.exr", "-o", "out/", "--frames", "1-5", "--missing", "skip", "--method", "svgf", "--no-tune"})
          .code,
      0);
  EXPECT_EQ(again(), (std::vector<bool>{false, false, false, false}));
  writeMovingFrame(folder_.file("f_1.exr"), 7, -3, 2);
  EXPECT_EQ(again(), (std::vector<bool>{true, true, false, false}));
  writeMovingFrame(folder_.file("f_5.exr"), 9, -3, 2);
  EXPECT_EQ(again(), (std::vector<bool>{false, false, false, true}));
}

// A single picture is made again faster than its record could be checked.
TEST_F(Denoise, KeepsNoRecordOfOnePicture) {
  writeRandomPng(folder_.file("a.png"), extent);
  ASSERT_EQ(run({"a.png", "-o", "clean.png"}).code, 0);
  EXPECT_FALSE(exists(".lacuna"));
}

}  // namespace
}  // namespace lacuna::test
