// lacuna denoise: planes of renders in files of their own.

#include <fmt/format.h>

#include "tests/cli/denoise.h"

namespace lacuna::test {
namespace {

// A file for each plane gives what one file with all of them does, and none of them is a picture.
class DenoiseGuides : public Denoise {
 protected:
  void SetUp() override {
    writeMoving("whole_%04d.exr", 1, 2, -3, 2);
    takeApart();
  }

  // Each plane of whole_%04d.exr into a file in the folder `sep`.
  void takeApart() const {
    fs::create_directories(folder_.file("sep"));
    for (const int frame : {1, 2}) {
      const std::string whole = folder_.file(fmt::format("whole_{:04}.exr", frame));
      for (const auto& [plane, name] :
           {std::pair("output", "beauty"), std::pair("albedo", "albedo"), std::pair("normal", "Normal"),
            std::pair("depth", "Z"), std::pair("motion", "motionvector")}) {
        ValueType type = probeImage("exr", whole, {plane}).at(plane);
        std::vector<std::byte> pixels(byteSize(type));
        readImage("exr", whole, plane, type, pixels);
        // Three components are written as R G B, as a renderer's AOV is.
        const bool isColour = type.channels == Channels::rgb || type.channels == Channels::normal;
        if (isColour) {
          type.channels = Channels::rgb;
          type.colour = ColourTag::rec709;
        }
        writeImage("exr", folder_.file(fmt::format("sep/{}.{:04}.exr", name, frame)),
                   {{isColour ? "output" : plane, type, pixels}});
      }
    }
  }

  std::vector<std::byte> colourOf(const std::string& name) const {
    return readPlane("exr", folder_.file(name), "output");
  }
};

TEST_F(DenoiseGuides, AreRecognisedInAFolder) {
  ASSERT_EQ(run({"whole_%04d.exr", "-o", "whole/"}).code, 0);
  const Outcome outcome = run({"sep", "-o", "out/"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("albedo from sep/albedo.%04d.exr, depth from sep/Z.%04d.exr, motion from "
                             "sep/motionvector.%04d.exr, normal from sep/Normal.%04d.exr"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(namesIn(folder_.file("out")).size(), 2U);
  for (const int frame : {1, 2})
    EXPECT_EQ(colourOf(fmt::format("out/beauty.{:04}.exr", frame)),
              colourOf(fmt::format("whole/whole_{:04}.exr", frame)));
}

// It is another picture's.
TEST_F(DenoiseGuides, OfAnotherSizeIsAPicture) {
  fs::create_directories(folder_.file("odd"));
  for (const auto& [name, extent] :
       {std::pair("beauty", Extent{24, 20}), std::pair("albedo", Extent{20, 24})}) {
    const std::vector<float> pixels(size_t{4} * 24 * 20, 0.5F);
    writeImage("exr", folder_.file(fmt::format("odd/{}.exr", name)),
               {{"output",
                 {Channels::rgba, Format::f32, ColourTag::rec709, extent},
                 std::as_bytes(std::span(pixels))}});
  }
  const Outcome outcome = run({"odd", "-o", "out/", "--strength", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("out/beauty.exr") && exists("out/albedo.exr")) << outcome.err;
}

TEST_F(DenoiseGuides, AreNamedByOptions) {
  ASSERT_EQ(run({"whole_0002.exr", "-o", "whole.exr", "--method", "svgf"}).code, 0);
  const std::vector<std::string> still = {"sep/beauty.0002.exr", "-o", "out.exr", "--method", "svgf"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> words = still;
    words.insert(words.end(), more);
    return run(words);
  };
  const Outcome outcome = with(
      {"--albedo", "sep/albedo.0002.exr", "--normal", "sep/Normal.0002.exr", "--depth", "sep/Z.0002.exr"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(colourOf("out.exr"), colourOf("whole.exr"));
  EXPECT_NE(with({"--depth", "sep/motionvector.0001.exr"}).err.find("motionvector.0001.exr has no depth"),
            std::string::npos);
  EXPECT_NE(with({"--albedo", "sep/albedo.####.exr"}).err.find("expected one file"), std::string::npos);
}

// As oidnDenoise takes them.
TEST_F(DenoiseGuides, MayBePfmOrNumPyFiles) {
  const std::vector<std::string> guided = {"--method", "guided", "-o"};
  const auto with = [&](std::vector<std::string> words, const std::string& output) {
    words.insert(words.end(), guided.begin(), guided.end());
    words.push_back(output);
    return run(words);
  };
  ASSERT_EQ(with({"whole_0002.exr"}, "whole.exr").code, 0);
  const std::string whole = folder_.file("whole_0002.exr");
  for (const std::string format : {"pfm", "npy"}) {
    fs::create_directory(folder_.file(format));
    for (const char* plane : {"output", "albedo", "normal", "depth"}) {
      const ValueType type = probeImage("exr", whole, {plane}).at(plane);
      const std::string name = plane == std::string("output") ? "beauty" : plane;
      writeImage(format, folder_.file(fmt::format("{0}/{1}.{0}", format, name)),
                 {{plane, type, readPlane("exr", whole, plane)}});
    }
    const auto file = [&](const char* name) { return fmt::format("{0}/{1}.{0}", format, name); };
    const Outcome outcome =
        with({"sep/beauty.0002.exr", "--normal", file("normal"), "--depth", file("depth")}, format + ".exr");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(colourOf(format + ".exr"), colourOf("whole.exr")) << format;
    const Outcome swapped = run({"sep/beauty.0002.exr", "-o", "x.exr", "--normal", file("depth")});
    EXPECT_EQ(swapped.code, 2);
    EXPECT_NE(swapped.err.find("--normal: " + file("depth") + ": it"), std::string::npos) << swapped.err;
  }
  const Outcome folder = with({"pfm"}, "out/");
  ASSERT_EQ(folder.code, 0) << folder.err;
  EXPECT_NE(
      folder.err.find("pfm/beauty.pfm: albedo from pfm/albedo.pfm, depth from pfm/depth.pfm, normal from"),
      std::string::npos)
      << folder.err;
  EXPECT_EQ(namesIn(folder_.file("out")), std::vector<std::string>{"beauty.pfm"});
}

TEST_F(DenoiseGuides, MotionOfTheirOwnFilesIsMeasured) {
  writeMoving("whole_%04d.exr", 1, 2, 3, -2);  // from the frame before to this one
  takeApart();
  const Outcome outcome =
      run({"sep", "-o", "out/", "--method", "svgf", "--dry-run", "--save-graph", "g.cfg"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string graph = slurp(folder_.file("g.cfg"));
  EXPECT_NE(graph.find("param:i-file:motion:motion_scale:-1:-1\n"), std::string::npos) << graph;
  EXPECT_EQ(graph.find("param:i-file:in:motion"), std::string::npos) << graph;
}

TEST_F(DenoiseGuides, RandomNoisyOnesOfTheirOwnFilesAreLeftOut) {
  const std::string file = folder_.file("sep/Normal.0002.exr");
  ValueType type = probeImage("exr", file, {"output"}).at("output");
  std::vector<float> values(4 * pixelCount(type.extent));
  for (float& value : values)
    value = std::uniform_real_distribution<float>(-1, 1)(testRandom());
  type.channels = Channels::rgba;
  type.format = Format::f32;
  writeImage("exr", file, {{"output", type, std::as_bytes(std::span(values))}});
  const Outcome outcome = run({"sep/beauty.0002.exr", "-o", "out.exr", "--normal", "sep/Normal.0002.exr",
                               "--depth", "sep/Z.0002.exr", "--albedo", "sep/albedo.0002.exr", "--dry-run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE((outcome.err + outcome.out).find("without normal, which is noisy"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace lacuna::test
