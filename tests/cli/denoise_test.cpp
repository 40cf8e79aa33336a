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

}  // namespace
}  // namespace lacuna::test
