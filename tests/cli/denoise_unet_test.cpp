// lacuna denoise --method cnn-unet: what networks make of random pictures.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/support/graph_text.h"
#include "tests/support/own_weights.h"
#include "tests/support/program.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

constexpr Extent renderExtent{24, 17};

NamedImage randomPlane(const std::string& name, std::vector<float>& values) {
  const Channels channels = name == "normal"   ? Channels::normal
                            : name == "depth"  ? Channels::depth
                            : name == "output" ? Channels::rgba
                                               : Channels::rgb;
  const size_t stored = channels == Channels::depth ? 1 : 4;
  values.resize(stored * renderExtent.width * renderExtent.height);
  const bool isSmooth = name == "normal" || name == "depth";  // noisy ones aren't taken
  float at = 0.1F;
  for (float& value : values)
    value = isSmooth ? at += 0.001F : static_cast<float>(uniform(testRandom(), 0.1, 1.0));
  for (size_t alpha = 3; name == "output" && alpha < values.size(); alpha += 4)
    values[alpha] = 1.0F;
  return {name,
          {channels, Format::f32, name == "output" ? ColourTag::rec709 : ColourTag::data, renderExtent},
          std::as_bytes(std::span(values))};
}

class UnetPictures : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    words.insert(words.end(), {"--modules", own_.folder()});
    return runProgram(words, {folder_.path()});
  }
  // The messages about `file`, denoised into clean.exr.
  std::string said(const std::string& file, std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {file, "-o", "clean.exr", "--method", "cnn-unet"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  void writeRender(const std::string& name, const std::vector<std::string>& guides) const {
    std::vector<std::vector<float>> values(guides.size() + 1);
    std::vector<NamedImage> planes = {randomPlane("output", values[0])};
    for (size_t i = 0; i < guides.size(); ++i)
      planes.push_back(randomPlane(guides[i], values[i + 1]));
    writeImage("exr", folder_.file(name), planes);
  }
  static std::string weightsFor(const std::vector<Plane>& planes) {
    return weightsFile(randomNetwork(testRandom(), planes, 4));
  }
  std::vector<float> colours(const std::string& name) const {
    return asFloats(readPlane("exr", folder_.file(name), "output"));
  }

  const Folder folder_;
  const OwnWeights own_{folder_.path()};
};

void expectIn(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

double largestChange(const std::vector<float>& a, const std::vector<float>& b) {
  double most = a.size() == b.size() && !a.empty() ? 0.0 : 1e30;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    most = std::max(most, std::abs(double{a[i]} - b[i]));
  return most;
}

// Differences of colours of neighbours in a row.
double roughness(const std::vector<float>& rgba) {
  double sum = 0;
  for (size_t i = 4; i < rgba.size(); ++i)
    sum += std::abs(double{rgba[i]} - double{rgba[i - 4]});
  return sum;
}

TEST_F(UnetPictures, RandomNoisyGuidesAreNotUsedEachByItself) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  writeRender("render.exr", {});
  said("render.exr");
  const std::vector<float> fromColour = colours("clean.exr");
  std::vector<NamedImage> planes(4);
  std::vector<std::vector<float>> values(4);
  const char* const nothing = ", from colour alone, without albedo, normal and depth, which are noisy\n";
  struct Case {
    std::vector<size_t> noisy;
    float length;  // of normals
    const char* words;
    bool hasSky = false;  // no normals in the upper half
  };
  const Case cases[] = {{{2}, 1.0F, ", guided by albedo and depth, without normal, which is noisy\n"},
                        {{3}, 1.0F, ", guided by albedo and normal, without depth, which is noisy\n"},
                        {{3}, 1.0F, ", guided by albedo and normal, without depth, which is noisy\n", true},
                        {{3}, 0.7F, nothing},
                        {{2, 3}, 1.0F, nothing}};
  for (const auto& [noisy, length, words, hasSky] : cases) {
    const char* const names[] = {"output", "albedo", "normal", "depth"};
    for (size_t i = 0; i < 4; ++i)
      planes[i] = randomPlane(names[i], values[i]);
    values[0] = asFloats(readPlane("exr", folder_.file("render.exr"), "output"));
    planes[0].pixels = std::as_bytes(std::span(values[0]));
    for (size_t i = 0; i < values[2].size(); i += 3) {
      const float own = std::hypot(values[2][i], values[2][i + 1], values[2][i + 2]);
      for (size_t c = 0; c < 3; ++c)
        values[2][i + c] *= hasSky && i < values[2].size() / 2 ? 0.0F : length / own;
    }
    for (const size_t i : noisy)
      for (float& value : values[i])
        value = static_cast<float>(uniform(testRandom(), 0.1, 1.0));
    writeImage("exr", folder_.file("guided.exr"), planes);
    expectIn(words, said("guided.exr"));
    EXPECT_EQ(colours("clean.exr") == fromColour, words == nothing);
  }
}

// Alpha that is 1 everywhere costs nothing.
TEST_F(UnetPictures, RandomAlphaIsDenoisedWhereItIsNotOpaque) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  for (const bool isOpaque : {true, false}) {
    std::vector<float> values;
    NamedImage plane = randomPlane("output", values);
    for (size_t i = 3; !isOpaque && i < values.size(); i += 4)
      values[i] = static_cast<float>(uniform(testRandom(), 0.1, 1.0));
    writeImage("exr", folder_.file("render.exr"), {plane});
    said("render.exr", {"--save-graph", isOpaque ? "opaque.cfg" : "cover.cfg"});
    const std::vector<float> made = colours("clean.exr");
    for (size_t i = 3; i < made.size(); i += 4)
      EXPECT_EQ(made[i] == values[i], isOpaque) << i;
  }
  EXPECT_EQ(slurp(folder_.file("opaque.cfg")).find("alpha"), std::string::npos);
  expectIn("module:alpha-join:01\n", slurp(folder_.file("cover.cfg")));
}

TEST_F(UnetPictures, RandomWeightsOfOnesOwn) {
  writeRender("render.exr", {"albedo", "normal", "depth"});
  fs::create_directory(folder_.file("mine"));
  spill(folder_.file("mine/albedo.safetensors"), weightsFor({Plane::colour, Plane::albedo}));
  expectIn("render.exr: render, by a trained U-Net (cnn-unet), guided by albedo, without normal and depth\n",
           said("render.exr", {"--weights", "mine/albedo.safetensors", "--save-graph", "mine/saved.cfg"}));
  const std::vector<float> made = colours("clean.exr");
  fs::remove(folder_.file("clean.exr"));
  EXPECT_EQ(runProgram({"run", "mine/saved.cfg"}, {folder_.path()}).code, 0);
  EXPECT_EQ(colours("clean.exr"), made) << "the name is relative to the saved graph";
  said("render.exr", {"--weights", "mine/albedo.safetensors", "--strength", "0"});
  EXPECT_LT(largestChange(colours("clean.exr"), colours("render.exr")), 1e-6);
  said("render.exr", {"--weights", "mine/albedo.safetensors", "--strength", "0.5"});
  const std::vector<float> input = colours("render.exr"), mixed = colours("clean.exr");
  for (size_t i = 0; i < mixed.size(); ++i)
    EXPECT_NEAR(mixed[i], (input[i] + made[i]) / 2, 2e-3 * (1.0F + input[i] + made[i]));
}

// Missing planes beside albedo are neutral: no normals, and one depth everywhere.
TEST_F(UnetPictures, RandomGuidesWithoutDepthAreUsed) {
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  std::vector<float> colour, albedo, depth(size_t{renderExtent.width} * renderExtent.height, 1.0F);
  std::vector<float> normal(4 * depth.size());
  const std::vector<NamedImage> planes = {randomPlane("output", colour), randomPlane("albedo", albedo)};
  const auto plane = [](const char* name, Channels channels, const std::vector<float>& values) {
    return NamedImage{
        name, {channels, Format::f32, ColourTag::data, renderExtent}, std::as_bytes(std::span(values))};
  };
  writeImage("exr", folder_.file("render.exr"), planes);
  expectIn("guided by albedo\n", said("render.exr"));
  const std::vector<float> without = colours("clean.exr");
  writeImage("exr", folder_.file("render.exr"),
             {planes[0], planes[1], plane("normal", Channels::normal, normal),
              plane("depth", Channels::depth, depth)});
  expectIn("guided by albedo, normal and depth\n", said("render.exr"));
  EXPECT_EQ(colours("clean.exr"), without);
}

// Above 1 the network's result is smoothed, more with a higher strength.
TEST_F(UnetPictures, RandomStrengthsAboveOneSmoothWhatTheNetworkMade) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  writeRender("render.exr", {});
  const auto made = [&](const char* strength) {
    expectIn("render.exr: render, by a trained U-Net (cnn-unet), from colour alone",
             said("render.exr", {"--strength", strength}));
    return colours("clean.exr");
  };
  const std::vector<float> one = made("1");
  // No step at 1, but svgf mixes what differs by .1%.
  EXPECT_NEAR(roughness(made("1.01")), roughness(one), 0.04 * roughness(one));
  EXPECT_LT(roughness(made("3")), 0.9 * roughness(one));
}

// A raw photograph of one colour, and the pictures that networks make of it.
class UnetPhotographs : public UnetPictures {
 protected:
  static constexpr float colour[] = {0.2F, 0.4F, 0.1F};  // Rec. 2020
  static constexpr Extent extent{64, 48};
  static constexpr size_t numbers = size_t{4} * extent.width * extent.height;

  void writeRaw(const std::string& pattern) const {
    std::vector<float> values(numbers, 1.0F);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i % 4 < 3 ? colour[i % 4] : 1.0F;
    writeImage("exr", folder_.file("in.exr"),
               {{"output",
                 {Channels::rgba, Format::f32, ColourTag::rec2020, extent},
                 std::as_bytes(std::span(values))}});
    spill(folder_.file("make.cfg"),
          graphText("in.exr mosaic a.dng\nmosaic:01:camera camera=o-dng\nparam:mosaic:01:a:0.001\n"
                    "param:mosaic:01:pattern:" +
                    pattern + "\n"));
    EXPECT_EQ(runProgram({"run", "make.cfg", "-q"}, {folder_.path()}).code, 0);
  }
  // With `isNothing` the network corrects nothing.
  void writeWeights(Plane plane, bool isNothing) const {
    unet::Network network = randomNetwork(testRandom(), {plane, Plane::sigma}, 4);
    unet::Layer& last = network.layers.back();
    std::ranges::fill(last.biases, 0.0F);
    if (isNothing)
      std::ranges::fill(last.weights, 0.0F);
    spill(folder_.file("w.safetensors"), weightsFile(network));
  }
  Outcome denoised(const std::string& file, const std::vector<std::string>& more,
                   const std::string& output = "clean.exr") const {
    std::vector<std::string> words = {file, "-o", output, "--method", "cnn-unet"};
    words.insert(words.end(), {"--weights", "w.safetensors"});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(UnetPhotographs, RandomMosaicsBecomeColours) {
  writeWeights(Plane::mosaic, true);
  for (const char* pattern : {"rggb", "bggr"}) {
    writeRaw(pattern);
    expectIn("a.dng: photograph, by a trained U-Net (cnn-unet)\n", denoised("a.dng", {}).err);
    const std::vector<float> made = colours("clean.exr");
    double sums[4] = {};
    for (size_t i = 0; i < made.size(); ++i)
      sums[i % 4] += made[i] / (static_cast<double>(made.size()) / 4);
    for (size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(sums[c], colour[c], 0.02) << pattern << c;
  }
  denoised("a.dng", {}, "clean.dng");
  expectIn("rgb, demosaiced", runProgram({"info", "clean.dng"}, {folder_.path()}).out);
}

TEST_F(UnetPhotographs, RandomStrengthIsAFactorOfTheNoise) {
  writeWeights(Plane::mosaic, false);
  writeRaw("grbg");
  std::vector<std::vector<float>> made;
  for (const char* strength : {"0", "0.5", "1", "2"}) {
    denoised("a.dng", {"--strength", strength, "--save-graph", "saved.cfg", "--overwrite-input"});
    made.push_back(colours("clean.exr"));
    EXPECT_EQ(slurp(folder_.file("saved.cfg")).find("module:demosaic:01") != std::string::npos,
              made.size() == 1);
  }
  for (size_t i = 1; i < made.size(); ++i)
    EXPECT_NE(made[i], made[i - 1]) << i;
  expectIn("param:cnn-unet:01:strength:1.5\n", slurp(folder_.file("saved.cfg")));
}

TEST_F(UnetPhotographs, OfOtherPatternsAreFiltered) {
  writeRaw("x-trans");
  expectIn(
      "a.dng: photograph, by wavelets and a collaborative Wiener filter (wiener, fast): networks are for "
      "Bayer patterns\n",
      said("a.dng"));
}

TEST_F(UnetPhotographs, RandomDevelopedOnesByTheEstimatedNoise) {
  writeWeights(Plane::colour, true);
  std::vector<std::byte> codes(numbers);
  for (std::byte& code : codes)
    code = static_cast<std::byte>(pick(testRandom(), 100, 110));
  writeImage("png", folder_.file("a.png"),
             {{"output", {Channels::rgba, Format::u8, ColourTag::rec709, extent}, codes}});
  expectIn("a.png: photograph, by a trained U-Net (cnn-unet)\n",
           denoised("a.png", {"--save-graph", "saved.cfg", "--overwrite-input"}, "clean.png").err);
  expectIn("connect:eaw:01:noise:cnn-unet:01:noise\n", slurp(folder_.file("saved.cfg")));
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, extent};
  std::vector<std::byte> made(codes.size());
  readImage("png", folder_.file("clean.png"), "output", type, made);
  EXPECT_EQ(made, codes);
  denoised("a.png", {"--save-graph", "saved.cfg", "--overwrite-input", "--noise", "0.02,0,0.01,0,1,1,1,1"},
           "clean.png");
  expectIn("param:eaw:01:noise:0.02\n", slurp(folder_.file("saved.cfg")));
}

TEST_F(UnetPhotographs, RandomWeightsForOtherPicturesAreRefused) {
  writeRaw("rggb");
  writeWeights(Plane::colour, true);
  expectIn(
      "--weights w.safetensors: they are for developed photographs, such as PNG and JPEG, which a.dng is not",
      denoised("a.dng", {}).err);
  writeWeights(Plane::mosaic, true);
  expectIn(
      "--weights w.safetensors: they are for raw photographs with a sensor's mosaic, which in.exr is not",
      denoised("in.exr", {}).err);
  spill(folder_.file("w.safetensors"), weightsFor({Plane::colour}));
  expectIn("--weights w.safetensors: they are for renders and other developed pictures, which a.dng is not",
           denoised("a.dng", {}).err);
}

}  // namespace
}  // namespace lacuna::test
