// lacuna denoise: how it recognises inputs, where the pictures go, and that nothing is lost.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/cli/denoise.h"
#include "tests/support/own_weights.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

constexpr Extent extent = Denoise::extent;

TEST_F(Denoise, APhotograph) {
  writeRandomPng(folder_.file("photo.png"), extent);
  const Outcome outcome = run({"photo.png", "-o", "clean.png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("photo.png: photograph, by edge-avoiding wavelets (eaw)"), std::string::npos)
      << outcome.err;
  EXPECT_NE(readPlane("png", folder_.file("clean.png"), "output"),
            readPlane("png", folder_.file("photo.png"), "output"));
}

// As numpy.save writes pictures: one, three or four components come back as many.
TEST_F(Denoise, NumPyFiles) {
  for (const Channels channels : {Channels::y, Channels::rgb, Channels::rgba}) {
    const ValueType type{channels, Format::f32, ColourTag::data, {24, 20}};
    const size_t stride = bytesPerPixel(channels, type.format) / sizeof(float);
    std::vector<float> numbers(stride * pixelCount(type.extent), 0.25F);
    numbers[stride * 100] = 1000.0F;
    for (size_t i = 3; channels == Channels::rgba && i < numbers.size(); i += 4)
      numbers[i] = 1.0F;
    writeImage("npy", folder_.file("a.npy"), {{"input", type, std::as_bytes(std::span(numbers))}});
    const Outcome outcome =
        run({"a.npy", "-o", "b.npy", "--strength", channels == Channels::rgb ? ".5" : "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(probeImage("npy", folder_.file("b.npy"), {}).at("output").channels, channels);
  }
  const ValueType bytes{Channels::rgb, Format::u8, ColourTag::data, {5, 3}};
  writeImage("npy", folder_.file("a.npy"), {{"input", bytes, std::vector<std::byte>(byteSize(bytes))}});
  const Outcome outcome = run({"a.npy", "-o", "b.npy"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("a.npy: its numbers have 8 bits; expected floats, as of (a / 255).astype(\"<f4\")"),
      std::string::npos)
      << outcome.err;
}

TEST_F(Denoise, StrengthNoneKeepsEveryValue) {
  writeRandomPng(folder_.file("photo.png"), extent);
  EXPECT_EQ(run({"photo.png", "-o", "same.png", "--strength", "0", "-q"}).err, "");
  EXPECT_EQ(readPlane("png", folder_.file("same.png"), "output"),
            readPlane("png", folder_.file("photo.png"), "output"));
}

TEST_F(Denoise, ManyPhotographsGoToAFolderOrByAName) {
  fs::create_directory(folder_.file("in"));
  writeRandomPng(folder_.file("in/a_0001.png"), extent);
  writeRandomPng(folder_.file("in/a_0002.png"), Extent{17, 9});
  EXPECT_EQ(run({"in", "-o", "out/"}).code, 0);
  EXPECT_TRUE(exists("out/a_0001.png") && exists("out/a_0002.png"));
  EXPECT_EQ(run({"in/a_0001.png", "in/*2.png", "-o", "new/{stem}-clean.{ext}"}).code, 0);
  EXPECT_TRUE(exists("new/a_0001-clean.png") && exists("new/a_0002-clean.png"));
}

TEST_F(Denoise, OfManyPicturesTheEndTellsHowManyAndHowFast) {
  for (const char* name : {"in/a.png", "in/b.png", "in/c.png"}) {
    fs::create_directories(folder_.file("in"));
    writeRandomPng(folder_.file(name), Extent{9, 7});
  }
  const Outcome outcome = run({"in", "-o", "out/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string begin =
      "in/a.png and 2 more: photograph, by edge-avoiding wavelets (eaw)\nin/a.png: 0 of 3 done\n";
  EXPECT_EQ(outcome.err.find(begin), 0U) << outcome.err;
  EXPECT_EQ(outcome.err.find("3 of 3 inputs in "), begin.size()) << outcome.err;
  EXPECT_NE(outcome.err.find(" a second\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
  EXPECT_EQ(run({"in", "-o", "out/", "-q"}).err, "");
  const Outcome shown =
      runProgram({"denoise", "in", "-o", "out/"}, {.folder = folder_.path(), .terminal = true});
  EXPECT_NE(shown.err.find("\rin/a.png: 0 of 3 done\x1b[K"), std::string::npos) << shown.err;
}

TEST_F(Denoise, Json) {
  writeRandomPng(folder_.file("a.png"), Extent{9, 7});
  writeRandomPng(folder_.file("b.png"), Extent{7, 9});
  const Outcome outcome = run({"a.png", "b.png", "-o", "out/", "--json"});
  EXPECT_EQ(outcome.err, "a.png: 0 of 2 done\n") << "progress alone, as of `lacuna run --json`";
  const auto json = readJson(outcome.out);
  EXPECT_EQ(json.at("exitCode"), 0);
  ASSERT_EQ(json.at("inputs").size(), 2U);
  EXPECT_EQ(json["inputs"][1]["input"], "b.png");
  EXPECT_EQ(json["inputs"][1]["method"], "eaw");
  EXPECT_EQ(json["inputs"][1]["files"][0], "out/b.png");
  EXPECT_GE(json.at("seconds"), json["inputs"][0]["seconds"]);
  const Outcome wrong = run({"gone.png", "-o", "out/", "--json"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(readJson(wrong.out)["messages"][0]["message"], "gone.png: no such file");
  const Outcome both = run({"a.png", "-o", "-", "--json"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.out.find("--json and -o - would both write standard output"), std::string::npos) << both.out;
}

TEST_F(Denoise, ASequenceFromAnyWordForIt) {
  writeMoving("shot_%04d.exr", 5, 3, -3, 2);
  const Outcome pattern = run({"shot_%04d.exr", "-o", "a_%04d.exr", "--save-graph", "made.cfg"});
  EXPECT_EQ(pattern.code, 0) << pattern.err;
  EXPECT_NE(pattern.err.find("shot_%04d.exr: render, 3 frames, by a trained U-Net (cnn-unet), guided by "
                             "albedo, normal and depth, "
                             "over time, mixed with svgf"),
            std::string::npos)
      << pattern.err;
  EXPECT_TRUE(exists("a_0005.exr") && exists("a_0006.exr") && exists("a_0007.exr"));
  // By a filter, of which a CPU driver compiles less than of a network.
  EXPECT_EQ(run({"shot_%04d.exr", "-o", "b_%04d.exr", "--method", "svgf"}).code, 0);
  EXPECT_EQ(run({"shot_####.exr", "-o", "c_####.exr", "--method", "svgf"}).code, 0);
  EXPECT_EQ(run({"shot_*.exr", "-o", "d_%04d.exr", "--method", "svgf"}).code, 0);
  EXPECT_EQ(slurp(folder_.file("b_0007.exr")), slurp(folder_.file("c_0007.exr")));
  EXPECT_EQ(slurp(folder_.file("b_0007.exr")), slurp(folder_.file("d_0007.exr")));
  const auto first = slurp(folder_.file("a_0006.exr"));
  fs::remove(folder_.file("a_0006.exr"));
  const Outcome again = runProgram({"run", "made.cfg"}, {folder_.path()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(slurp(folder_.file("a_0006.exr")), first);
}

TEST_F(Denoise, WithoutADeviceNothingIsLeftBehind) {
  writeRandomPng(folder_.file("photo.png"), extent);
  const std::string before = listing(folder_.path());
  const Outcome outcome =
      run({"photo.png", "-o", "new/deep/", "--save-graph", "made.cfg", "--device", "no such"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_EQ(listing(folder_.path()), before);
}

TEST_F(Denoise, DryRunsWriteTheGraphAlone) {
  writeRandomPng(folder_.file("photo.png"), extent);
  const Outcome dry = run({"photo.png", "-o", "out.png", "--dry-run", "--save-graph", "made.cfg"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_NE(dry.err.find("photograph, by edge-avoiding wavelets (eaw)"), std::string::npos) << dry.err;
  EXPECT_EQ(namesIn(folder_.path()), (std::vector<std::string>{"made.cfg", "photo.png"}));
  EXPECT_EQ(runProgram({"run", "made.cfg"}, {folder_.path()}).code, 0);
  EXPECT_TRUE(exists("out.png"));
  writeRandomPng(folder_.file("shot_7.png"), extent);
  const Outcome frame = run({"shot_%d.png", "-o", "out_%d.png", "--dry-run"});
  EXPECT_NE(frame.err.find("photograph, 1 frame, by"), std::string::npos) << frame.err;
}

TEST_F(Denoise, OnlyTheFramesThatAreNamed) {
  writeMoving("shot_%04d.exr", 5, 3, -3, 2);
  EXPECT_EQ(run({"shot_0005.exr", "shot_0006.exr", "-o", "out/", "--method", "svgf"}).code, 0);
  EXPECT_TRUE(exists("out/shot_0005.exr") && exists("out/shot_0006.exr"));
  EXPECT_FALSE(exists("out/shot_0007.exr"));
}

TEST_F(Denoise, DamagedFilesAreLeftOutOnRequest) {
  writeMoving("shot_%04d.exr", 1, 3, -3, 2);
  fs::resize_file(folder_.file("shot_0002.exr"), fs::file_size(folder_.file("shot_0002.exr")) / 2);
  const Outcome frames = run({"shot_%04d.exr", "-o", "out/", "--method", "svgf", "--skip-damaged"});
  EXPECT_EQ(frames.code, 4) << frames.err;
  EXPECT_TRUE(exists("out/shot_0001.exr") && exists("out/shot_0003.exr"));
  EXPECT_FALSE(exists("out/shot_0002.exr"));
  fs::create_directory(folder_.file("photos"));
  writeRandomPng(folder_.file("photos/a.png"), extent);
  spill(folder_.file("photos/b.png"), "no picture");
  const Outcome refused = run({"photos", "-o", "clean/"});
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_FALSE(exists("clean"));
  const Outcome left = run({"photos", "-o", "clean/", "--skip-damaged"});
  EXPECT_EQ(left.code, 4) << left.err;
  EXPECT_NE(left.err.find("photos/b.png: its first bytes"), std::string::npos) << left.err;
  EXPECT_TRUE(exists("clean/a.png"));
}

// Motion leads to the frame before, so the frames behind a gap are those of a sequence of their own.
TEST_F(Denoise, AGapCutsTheHistory) {
  // Frame 3 repeats frame 2, so the motion of 4 leads to 2 as well. Without 3, only a cut keeps 2 out of 4.
  for (const int frame : {1, 2, 3, 4, 5})
    writeMovingFrame(folder_.file(framePath("shot_%04d.exr", frame)), frame < 3 ? frame : frame - 1, -3, 2);
  fs::create_directory(folder_.file("rest"));
  for (const char* name : {"shot_0004.exr", "shot_0005.exr"})
    fs::copy_file(folder_.file(name), folder_.file(std::string("rest/") + name));
  const std::vector<std::string> words = {"shot_####.exr", "-o", "out/", "--method", "svgf"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more);
    return run(all);
  };
  const auto outputIn = [&](const std::string& folder, int frame) {
    return readPlane("exr", folder_.file(fmt::format("{}/shot_{:04}.exr", folder, frame)), "output");
  };
  ASSERT_EQ(run({"rest/shot_####.exr", "-o", "alone/", "--method", "svgf"}).code, 0);
  ASSERT_EQ(with({}).code, 0);
  ASSERT_NE(outputIn("out", 5), outputIn("alone", 5)) << "there is a history";
  fs::resize_file(folder_.file("shot_0003.exr"), fs::file_size(folder_.file("shot_0003.exr")) / 2);
  const Outcome damaged = with({"--skip-damaged"});
  EXPECT_EQ(damaged.code, 4);
  EXPECT_NE(damaged.err.find("frame 3 is left out: "), std::string::npos) << damaged.err;
  EXPECT_NE(damaged.err.find("; history begins again after it"), std::string::npos) << damaged.err;
  EXPECT_EQ(outputIn("out", 4), outputIn("alone", 4));
  EXPECT_EQ(outputIn("out", 5), outputIn("alone", 5));
  fs::remove(folder_.file("shot_0003.exr"));
  fs::remove_all(folder_.file("out"));
  const Outcome skipped = with({"--missing", "skip"});
  EXPECT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_NE(skipped.err.find("frame 3 has no input files: history begins again after it"), std::string::npos)
      << skipped.err;
  EXPECT_EQ(outputIn("out", 4), outputIn("alone", 4));
  EXPECT_EQ(outputIn("out", 5), outputIn("alone", 5));
  fs::remove(folder_.file("out/shot_0005.exr"));
  EXPECT_EQ(with({"--missing", "skip", "--resume"}).code, 0);
  EXPECT_EQ(outputIn("out", 5), outputIn("alone", 5));
  const Outcome nothing = with({"--missing", "skip", "--resume"});
  EXPECT_EQ(nothing.code, 0);
  EXPECT_NE(nothing.err.find("4 of 5 frames already exist"), std::string::npos) << nothing.err;
  // Neither the repeated frame nor the next one continues history.
  const Outcome held = with({"--missing", "hold"});
  EXPECT_NE(held.err.find("i-file:in has no file for frame 3: history begins again in it and after it"),
            std::string::npos)
      << held.err;
  EXPECT_EQ(outputIn("out", 5), outputIn("alone", 5));
}

TEST_F(Denoise, QualityIsOfJpegs) {
  writeRandomPng(folder_.file("a.png"), extent);
  EXPECT_EQ(run({"a.png", "-o", "fine.jpg"}).code, 0);
  EXPECT_EQ(run({"a.png", "-o", "small.jpg", "--quality", "30", "--save-graph", "a.cfg"}).code, 0);
  EXPECT_LT(fs::file_size(folder_.file("small.jpg")), fs::file_size(folder_.file("fine.jpg")));
  EXPECT_NE(slurp(folder_.file("a.cfg")).find("param:o-file:out:quality:30"), std::string::npos);
  const Outcome none = run({"a.png", "-o", "b.png", "--quality", "30"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--quality 30: no output is a JPEG file"), std::string::npos) << none.err;
  EXPECT_EQ(run({"a.png", "-o", "b.jpg", "--quality", "101"}).code, 2);
}

TEST_F(Denoise, TheMotionsConventionIsMeasured) {
  // Back to the frame before by (-3, 2), y down, which is (-3, -2) with y up.
  struct Case {
    float x, y;
    const char* text;
  };
  const Case cases[] = {{-3, 2, ""},
                        {-3, -2, "measured motion:blender, not motion:pixels"},
                        {3, -2, "measured motion:pixels and motion_scale:-1:-1, not motion:pixels"},
                        {-3.0F / 48, 2.0F / 40, "measured motion:uv"},
                        {-6.0F / 48, -4.0F / 40, "measured motion:ndc"},
                        {-3.0F / 48, -2.0F / 40, "measured motion:uv and motion_scale:1:-1, not"},
                        {3.0F / 48, 2.0F / 40, "measured motion:uv and motion_scale:-1:1, not"},
                        {-1.5F, 1, "measured motion:pixels and motion_scale:2:2, not"},
                        {-3.0F / 48, 1 / -20.0F, " of what moves doesn't fit, with "}};
  for (const Case& one : cases) {
    writeMoving("m_%04d.exr", 1, 2, one.x, one.y);
    const Outcome outcome = run({"m_%04d.exr", "-o", "out_%04d.exr", "--strength", "0"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("measured") != std::string::npos, *one.text != '\0') << outcome.err;
    EXPECT_NE(outcome.err.find(one.text), std::string::npos) << outcome.err;
  }
  // Only x moves, so y's sign remains open.
  for (const auto& [x, text] : {std::pair(-3.0F, "whether the motion is motion:pixels or motion:blender"),
                                std::pair(-3.0F / 48, "takes motion:uv, not motion:pixels")}) {
    for (const int frame : {0, 1})
      writeMovingFrame(folder_.file(framePath("m_%04d.exr", 1 + frame)), frame, x, 0, 0);
    const Outcome outcome = run({"m_%04d.exr", "-o", "out_%04d.exr", "--strength", "0"});
    EXPECT_NE(outcome.err.find("can't tell whether "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
  // More than half of the picture comes from outside.
  writeMovingFrame(folder_.file("m_0001.exr"), 0, -21, 14);
  writeMovingFrame(folder_.file("m_0002.exr"), 7, -21, 14);
  const Outcome far = run({"m_%04d.exr", "-o", "out_%04d.exr", "--strength", "0"});
  EXPECT_EQ(far.err.find("motion:"), std::string::npos) << far.err;
  EXPECT_EQ(far.err.find("convention"), std::string::npos) << far.err;
  writeMoving("m_%04d.exr", 1, 2, 9, 9);
  EXPECT_NE(run({"m_%04d.exr", "-o", "out_%04d.exr", "--strength", "0"}).err.find("in no convention"),
            std::string::npos);
}

TEST_F(Denoise, RunsWarnOfMotionInAWrongConvention) {
  writeMoving("m_%04d.exr", 1, 2, -3, 2);
  EXPECT_EQ(
      run({"m_%04d.exr", "-o", "out_%04d.exr", "--method", "svgf", "--save-graph", "made.cfg", "-q"}).err,
      "");
  const Outcome right = runProgram({"run", "made.cfg", "-q"}, {folder_.path()});
  EXPECT_EQ(right.code, 0);
  EXPECT_EQ(right.err, "");
  const Outcome wrong =
      runProgram({"run", "made.cfg", "-q", "-p", "i-file:in:motion=blender"}, {folder_.path()});
  EXPECT_NE(wrong.err.find("the motion of i-file:in has another convention"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("set motion:pixels"), std::string::npos) << wrong.err;
  // If a frame is a copy of the one before, as in animation on twos, its motion shows no convention.
  fs::copy_file(folder_.file("m_0001.exr"), folder_.file("m_0002.exr"), fs::copy_options::overwrite_existing);
  EXPECT_EQ(runProgram({"run", "made.cfg", "-q"}, {folder_.path()}).err.find("wrong convention"),
            std::string::npos);
}

// With a small network, since a CPU's driver takes a while to compile the one that ships.
TEST_F(Denoise, AStillIsGuidedByItsPlanesWithRandomWeights) {
  using unet::Plane;
  writeMovingFrame(folder_.file("still.exr"), 0, 0, 0);
  const OwnWeights own(folder_.path());
  own.write("small.safetensors",
            weightsFile(
                randomNetwork(testRandom(), {Plane::colour, Plane::albedo, Plane::normal, Plane::depth}, 4)));
  const Outcome outcome = run({"still.exr", "-o", "clean.exr", "--modules", own.folder()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("(cnn-unet), guided by albedo, normal and depth\n"), std::string::npos)
      << outcome.err;
  const Outcome chosen = run({"still.exr", "-o", "other.exr", "--method", "eaw", "--dry-run"});
  EXPECT_NE(chosen.err.find("(eaw)"), std::string::npos) << chosen.err;
}

struct Wrong {
  std::vector<std::string> words;
  const char* text;
};

TEST_F(Denoise, MistakesAreReportedTogetherAndNothingIsWritten) {
  writeRandomPng(folder_.file("photo.png"), extent);
  writeRandomPng(folder_.file("other.png"), extent);
  writeMoving("shot_%04d.exr", 1, 2, -3, 2);
  fs::create_directory(folder_.file("empty"));
  spill(folder_.file("text.png"), "no picture");
  const Wrong wrong[] = {
      {{"photo.png"}, "`lacuna denoise` needs -o,--output FILE"},
      {{"-o", "out.png"}, "`lacuna denoise` needs IMAGE"},
      {{"phto.png", "-o", "out.png"}, "phto.png: no such file"},
      {{"text.png", "-o", "out.png"}, "text.png: its first bytes are not those of a known image file"},
      {{"empty", "-o", "out/"}, "empty: the folder has no images"},
      {{"x_%04d.exr", "-o", "out_%04d.exr"}, "x_%04d.exr: no file has this name"},
      {{"no*.png", "-o", "out/"}, "no*.png: no file has this name"},
      {{"photo.png", "other.png", "-o", "out.png"}, "one name for 2 pictures"},
      {{"shot_%04d.exr", "-o", "out.exr"}, "one name for 2 frames"},
      {{"photo.png", "-o", "out_%04d.png"}, "a name for frames, but photo.png is a single picture"},
      {{"photo.png", "-o", "out/{name"}, "'{name'"},
      {{"photo.png", "-o", "{stm}.png"}, "'{stm}' is unknown"},
      {{"photo.png", "other.png", "-o", "{ext}.png"}, "would both be written to png.png"},
      {{"photo.png", "-o", "out.gif"}, ".gif"},
      {{"photo.png", "-o", "photo.png"}, "photo.png"},
      {{"photo.png", "other.png", "-o", "./"}, "photo.png"},
      {{"photo.png", "-o", "out.png", "--strength", "5"}, "5"},
      {{"photo.png", "-o", "out.png", "--strength", "-1"}, "-1"},
      {{"photo.png", "-o", "out.png", "--strength", "much"}, "much"},
      {{"photo.png", "-o", "out.png", "--method", "svg"}, "did you mean 'svgf'"},
      {{"photo.png", "-o", "out.png", "--method", "guided"}, "--method guided: photo.png has no"},
      {{"photo.png", "other.png", "-o", "out/", "--save-graph", "g.cfg"},
       "one file for the graphs of 2 inputs"},
      {{"photo.png", "-o", "out.png", "--save-graph", "photo.png"},
       "the saved graph would overwrite photo.png"},
      {{"photo.png", "-o", "out.png", "--save-graph", "photo.png/g.cfg"},
       "photo.png/g.cfg: 'photo.png' is not a folder"},
  };
  const std::string before = listing(folder_.path());
  for (const Wrong& one : wrong) {
    const Outcome outcome = run(one.words);
    EXPECT_EQ(outcome.code, 2) << fmt::format("{}\n{}", one.text, outcome.err);
    EXPECT_NE(outcome.err.find(one.text), std::string::npos) << one.text << "\n" << outcome.err;
    EXPECT_EQ(listing(folder_.path()), before) << one.text;
  }
  const Outcome both = run({"phto.png", "text.png", "-o", "out/"});
  EXPECT_NE(both.err.find("phto.png: no such file"), std::string::npos) << both.err;
  EXPECT_NE(both.err.find("text.png: its first bytes"), std::string::npos) << both.err;
}

}  // namespace
}  // namespace lacuna::test
