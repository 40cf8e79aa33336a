// Parts of sequences with feedback: frames equal those of the whole sequence; and sequences with holes.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr Extent tinyExtent{17, 13};

class Parts : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"in", "whole", "out", "accumulate"}) {
      fs::create_directory(folder_.file(name));
    }
    // Half of the last result is added, by a `feedback:` line. Here it takes colour, like that of PFM files.
    const std::string accumulate = testFolder() + "/gpu/modules/accumulate/";
    std::string description = slurp(accumulate + "module.toml");
    for (size_t at = 0; (at = description.find("[\"y\"]", at)) != std::string::npos;) {
      description.replace(at, 5, "[\"rgba\"]");
    }
    spill(folder_.file("accumulate/module.toml"), description);
    fs::copy_file(accumulate + "sum.glsl", folder_.file("accumulate/sum.glsl"));
  }

  void writeInputs(int count) const {
    std::mt19937_64 random = namedRandom("inputs");
    std::uniform_real_distribution<float> values(0.1F, 4.0F);
    ValueType type{Channels::y, Format::f32, ColourTag::rec709, tinyExtent, 0};
    for (int frame = 0; frame < count; ++frame) {
      std::vector<float> pixels(size_t{tinyExtent.width} * tinyExtent.height);
      for (float& value : pixels) {
        value = values(random);
      }
      writeImage("pfm", input(frame), {{"output", type, std::as_bytes(std::span(pixels))}});
    }
  }

  // i-pfm:01 -> `module`:01 -> o-pfm:01, with `more` lines.
  void writeGraph(int frames, const std::string& module, const std::string& more) const {
    spill(folder_.file("graph.cfg"),
          fmt::format(
              "lacuna:1\nframes:{0}\nmodule:i-pfm:01\nmodule:{1}:01\nmodule:o-pfm:01\n"
              "connect:i-pfm:01:output:{1}:01:input\nconnect:{1}:01:output:o-pfm:01:input\n"
              "param:i-pfm:01:filename:\"in/%04d.pfm\"\nparam:o-pfm:01:filename:\"whole/%04d.pfm\"\n{2}",
              frames, module, more));
  }

  std::string input(int frame) const { return folder_.file(fmt::format("in/{:04}.pfm", frame)); }
  std::string output(const std::string& folder, int frame) const {
    return folder_.file(fmt::format("{}/{:04}.pfm", folder, frame));
  }
  std::vector<float> result(const std::string& folder, int frame) const {
    return asFloats(readPlane("pfm", output(folder, frame), "output"));
  }

  Outcome run(std::vector<std::string> options, const std::string& folder = "out") const {
    std::vector<std::string> words = {"run",       folder_.file("graph.cfg"),
                                      "--modules", folder_.path(),
                                      "-o",        "o-pfm:01=" + folder_.file(folder + "/%04d.pfm")};
    words.insert(words.end(), options.begin(), options.end());
    return runProgram(words, {.folder = folder_.path()});
  }

  // The largest difference, relative to the whole sequence's value.
  double difference(int frame) const {
    const std::vector<float> part = result("out", frame), whole = result("whole", frame);
    double most = part.size() == whole.size() ? 0.0 : 1e30;
    for (size_t i = 0; i < part.size(); ++i) {
      EXPECT_NE(whole[i], 0.0F);
      most = std::max(most, std::abs(double{part[i]} - whole[i]) / std::abs(whole[i]));
    }
    return most;
  }

  int written() const { return static_cast<int>(namesIn(folder_.file("out")).size()); }

  const Folder folder_;
};

TEST_F(Parts, OfAFadingMeanEqualTheWhole) {
  constexpr int frames = 60;
  writeInputs(frames);
  writeGraph(frames, "accum", "param:accum:01:window:3\n");
  ASSERT_EQ(run({}, "whole").code, 0);
  const Outcome outcome = run({"--frames", "55-57"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("3 frames and 48 of warm-up in "), std::string::npos) << outcome.err;
  EXPECT_NE(
      outcome.err.find("frame 55 has a history of 48 frames: it is the whole sequence's within rounding"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(written(), 3);
  for (int frame = 55; frame < 58; ++frame) {
    EXPECT_LT(difference(frame), 1e-6) << frame;
  }
  ASSERT_EQ(run({"--frames", "55", "--warm-up", "0"}).code, 0);
  EXPECT_GT(difference(55), 0.1);
  ASSERT_EQ(run({"--frames", "55", "--warm-up", "2"}).code, 0);
  EXPECT_GT(difference(55), 1e-3);
  // Nothing is computed before frame 0: the part is then the whole run.
  ASSERT_EQ(run({"--frames", "9"}).code, 0);
  EXPECT_EQ(difference(9), 0.0);
}

// Files 7 to 16 in two parts of equal cost.
TEST_F(Parts, AreChunksOfPlans) {
  writeInputs(1);
  for (int number = 7; number < 17; ++number) {
    fs::create_hard_link(input(0), input(number));
  }
  fs::remove(input(0));
  writeGraph(10, "accum", "param:accum:01:window:3\n");
  const std::vector<std::string> words = {"plan", folder_.file("graph.cfg"), "--chunks", "2", "--warm-up",
                                          "2"};
  const Outcome text = runProgram(words, {.folder = folder_.path()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out, "7-12\n13-16\n");
  EXPECT_NE(text.err.find("2 chunks: 10 frames and 2 of warm-up; the longest computes 6"), std::string::npos)
      << text.err;
  std::vector<std::string> asJson = words;
  asJson.emplace_back("--json");
  EXPECT_EQ(nlohmann::json::parse(runProgram(asJson, {.folder = folder_.path()}).out),
            nlohmann::json::parse(R"([{"frames": "7-12", "written": 6, "warmUp": 0},
                                      {"frames": "13-16", "written": 4, "warmUp": 2}])"));
}

TEST_F(Parts, OfAPlainMeanEqualTheWhole) {
  writeInputs(12);
  writeGraph(12, "accum", "");
  ASSERT_EQ(run({}, "whole").code, 0);
  const Outcome outcome = run({"--frames", "9-10", "--in-flight", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 frames and 9 of warm-up"), std::string::npos) << outcome.err;
  EXPECT_EQ(written(), 2);
  EXPECT_EQ(difference(9), 0.0);
  EXPECT_EQ(difference(10), 0.0);
  // The run before the timed ones has no effect on them.
  ASSERT_EQ(run({"--time"}).code, 0);
  for (const int frame : {0, 1, 11}) {
    EXPECT_EQ(difference(frame), 0.0) << frame;
  }
}

// svgf's anti-aliasing, which follows its other history, fades more slowly.
TEST_F(Parts, OfSvgfAndItsAntiAliasingResumeAsTheWhole) {
  constexpr int frames = 89;
  spill(folder_.file("graph.cfg"),
        fmt::format("lacuna:1\nframes:{}\nmodule:pathtrace:01\nmodule:svgf:01\nmodule:o-pfm:01\n"
                    "param:pathtrace:01:filename:\"{}/scenes/animated.scene\"\n"
                    "param:pathtrace:01:width:12\nparam:pathtrace:01:height:8\nparam:pathtrace:01:samples:1\n"
                    "param:pathtrace:01:filter:centre\nconnect:pathtrace:01:id:svgf:01:id\n"
                    "param:svgf:01:history:1\nparam:svgf:01:taa:true\nparam:svgf:01:taa_blend:0.4\nparam:"
                    "svgf:01:levels:1\n"
                    "connect:pathtrace:01:output:svgf:01:input\nconnect:pathtrace:01:albedo:svgf:01:albedo\n"
                    "connect:pathtrace:01:normal:svgf:01:normal\nconnect:pathtrace:01:depth:svgf:01:depth\n"
                    "connect:pathtrace:01:motion:svgf:01:motion\nconnect:svgf:01:output:o-pfm:01:input\n",
                    frames, exampleFolder()));
  ASSERT_EQ(run({"--schedule", "baseline"}, "whole").code, 0);
  fs::copy(folder_.file("whole"), folder_.file("out"), fs::copy_options::recursive);
  for (int frame = 87; frame < frames; ++frame) {
    fs::remove(output("out", frame));
  }
  const Outcome outcome = run({"--resume", "--schedule", "baseline"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 frames and 79 of warm-up in "), std::string::npos) << outcome.err;
  EXPECT_NE(
      outcome.err.find("frame 87 has a history of 79 frames: it is the whole sequence's within rounding"),
      std::string::npos)
      << outcome.err;
  EXPECT_LT(difference(87), 1e-3);
  EXPECT_LT(difference(88), 1e-3);
  const Outcome fewer = run({"--frames", "88", "--schedule", "baseline", "--warm-up", "4"});
  EXPECT_NE(fewer.err.find("history of 4 frames, less than it depends on (79 frames (svgf:01 79))"),
            std::string::npos)
      << fewer.err;
  EXPECT_GT(difference(88), 1e-3);
}

// `write:last` and --frames last; the file's name needs no number then.
TEST_F(Parts, OfOneFrameAreTheLastOne) {
  writeInputs(6);
  writeGraph(6, "accum", "");
  ASSERT_EQ(run({}, "whole").code, 0);
  Outcome outcome = run({"--frames", "last"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("1 frame and 5 of warm-up"), std::string::npos) << outcome.err;
  EXPECT_EQ(written(), 1);
  EXPECT_EQ(difference(5), 0.0);
  writeGraph(6, "accum", "write:last\n");
  const std::string file = folder_.file("out/single.pfm");
  ASSERT_EQ(run({"-o", "o-pfm:01=" + file}).code, 0);
  EXPECT_EQ(slurp(file), slurp(output("whole", 5)));
  EXPECT_EQ(runProgram({"check", folder_.file("graph.cfg")}, {.folder = folder_.path()}).code, 0);
  EXPECT_EQ(run({"--frames", "all"}).code, 0);
  EXPECT_EQ(written(), 7);
  // If the last files are missing, the last existing frame is written.
  fs::remove(input(5));
  fs::remove(file);
  EXPECT_EQ(run({"-o", "o-pfm:01=" + file}).code, 2);
  ASSERT_EQ(run({"-o", "o-pfm:01=" + file, "--missing", "skip"}).code, 0);
  EXPECT_EQ(slurp(file), slurp(output("whole", 4)));
}

// For a still, each frame would add the same sample again.
TEST_F(Parts, OfOneFrameNeedOneFileAFrame) {
  writeInputs(1);
  writeGraph(6, "accum", "write:last\nparam:i-pfm:01:filename:\"in/0000.pfm\"\n");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("i-pfm:01 would read one file, in/0000.pfm, in each of 6 frames"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Parts, OfALoopOfFeedbackLinesEqualTheWhole) {
  constexpr int frames = 50;
  const std::string loop = "feedback:accumulate:01:output:accumulate:01:back\n";
  writeInputs(frames);
  writeGraph(frames, "accumulate", loop);
  ASSERT_EQ(run({}, "whole").code, 0);
  Outcome outcome = run({"--frames", "46-47"});
  EXPECT_NE(outcome.err.find("2 frames and 46 of warm-up"), std::string::npos) << outcome.err;
  EXPECT_EQ(difference(46), 0.0);
  writeGraph(frames, "accumulate", loop + "warmup:30\n");
  outcome = run({"--frames", "46-47"});
  EXPECT_NE(outcome.err.find("2 frames and 30 of warm-up"), std::string::npos) << outcome.err;
  EXPECT_LT(difference(46), 1e-6);
  EXPECT_LT(difference(47), 1e-6);
  writeGraph(frames, "accumulate", loop + "warmup:2\n");
  run({"--frames", "46"});
  EXPECT_GT(difference(46), 1e-3);
}

TEST_F(Parts, ThatAreLeftOverResumeAsTheWhole) {
  writeInputs(9);
  writeGraph(9, "accum", "param:accum:01:window:2\n");
  ASSERT_EQ(run({}, "whole").code, 0);
  ASSERT_EQ(run({}).code, 0);
  std::vector<fs::file_time_type> times;
  for (const int frame : {3, 8}) {
    fs::remove(output("out", frame));
  }
  const auto untouched = fs::last_write_time(output("out", 5));
  const Outcome outcome = run({"--resume"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("7 of 9 frames already exist"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("2 frames and 7 of warm-up"), std::string::npos) << outcome.err;
  for (int frame = 0; frame < 9; ++frame) {
    EXPECT_EQ(difference(frame), 0.0) << frame;
  }
  EXPECT_EQ(fs::last_write_time(output("out", 5)), untouched);
}

TEST_F(Parts, BeginTheirWarmUpAfterAMissingInput) {
  writeInputs(9);
  writeGraph(9, "accum", "");
  fs::remove(input(3));
  const Outcome outcome = run({"--frames", "6-8"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("frame 3 has no input files"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("3 frames and 2 of warm-up"), std::string::npos) << outcome.err;
  ASSERT_EQ(run({"--frames", "4-8"}, "whole").code, 0);
  EXPECT_EQ(difference(7), 0.0);
}

TEST_F(Parts, MissingInputsAreToldAtOnceBeforeAnythingRuns) {
  writeInputs(9);
  writeGraph(9, "accum", "param:i-pfm:01:first:0\n");
  for (const int frame : {0, 3, 5, 6, 7}) {
    fs::remove(input(frame));
  }
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(written(), 0);
  EXPECT_NE(outcome.err.find("graph.cfg:8:16: error: i-pfm:01 has no files for 5 of 9 frames: "),
            std::string::npos)
      << outcome.err;
  for (const std::string& named :
       {input(0) + ", ", input(3) + ", ", input(5) + " to " + input(7), "there are 4 files from " + input(1),
        input(8) + "\n", std::string("--missing skip")}) {
    EXPECT_NE(outcome.err.find(named), std::string::npos) << named << "\n" << outcome.err;
  }
  EXPECT_EQ(runProgram({"check", folder_.file("graph.cfg")}).code, 2);
  EXPECT_EQ(run({"--frames", "1-2"}).code, 0);
  const Outcome held = run({"--missing", "hold"});
  EXPECT_EQ(held.code, 2);
  EXPECT_NE(held.err.find("there is no earlier file that could be repeated"), std::string::npos) << held.err;
}

TEST_F(Parts, MissingInputsAreSkipped) {
  writeInputs(8);
  writeGraph(8, "accum", "param:i-pfm:01:first:0\n");
  fs::remove(input(0));
  fs::remove(input(4));
  const Outcome outcome = run({"--missing", "skip"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: i-pfm:01 has no files for 2 of 8 frames"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(written(), 6);
  EXPECT_FALSE(fs::exists(output("out", 4)));
  const std::vector<float> six = result("out", 6), seven = result("out", 7);
  // A part equals the whole, because its warm-up leaves the same frames out.
  ASSERT_EQ(run({"--missing", "skip", "--frames", "6"}).code, 0);
  EXPECT_EQ(result("out", 6), six);
  // As if the other frames were numbered without gaps.
  int next = 0;
  for (const int frame : {1, 2, 3, 5, 6, 7}) {
    fs::rename(input(frame), input(next++));
  }
  ASSERT_EQ(run({"--frames", "0-5"}, "whole").code, 0);
  EXPECT_EQ(result("whole", 4), six);
  EXPECT_EQ(result("whole", 5), seven);
}

TEST_F(Parts, MissingInputsAreHeld) {
  writeInputs(6);
  writeGraph(6, "accum", "");
  fs::remove(input(2));
  fs::remove(input(3));
  const Outcome outcome = run({"--missing", "hold"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(input(2) + ", " + input(3)), std::string::npos) << outcome.err;
  EXPECT_EQ(written(), 6);
  ASSERT_EQ(run({"--missing", "hold", "--frames", "3"}, "out").code, 0) << "the first one is held, too";
  fs::copy_file(input(1), input(2));
  fs::copy_file(input(1), input(3));
  ASSERT_EQ(run({}, "whole").code, 0);
  for (int frame = 0; frame < 6; ++frame) {
    EXPECT_EQ(difference(frame), 0.0) << frame;
  }
}

TEST_F(Parts, AWarmUpThatNothingNeedsIsTold) {
  writeInputs(1);
  writeGraph(1, "exposure", "warmup:4\n");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("graph.cfg:10:1: warning: 'warmup' changes nothing"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace lacuna::test
