// lacuna denoise --method cnn-unet: what networks make of random pictures.

#include <fmt/format.h>

#include <cmath>

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

}  // namespace
}  // namespace lacuna::test
