// lacuna denoise --method rhf: which histograms it filters by. A module of this test replaces rhf and shows
// its inputs: red, the number of samples, the threshold.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr Extent histogramExtent{13, 9};
constexpr size_t histogramPixels = size_t{13} * 9;

constexpr const char* moduleText = R"(
name = "rhf"
summary = "shows what comes in"
[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]
[[connector]]
name = "histogram"
direction = "input"
channels = ["y"]
planes = true
[[connector]]
name = "output"
direction = "output"
[[parameter]]
name = "threshold"
type = "float"
default = 0.8
range = [0.0, 100.0]
[[node]]
name = "main"
kind = "kernel"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }, { name = "histogram", source = "histogram" }]
outputs = [{ name = "output", format = "f32", connector = "output" }]
)";

constexpr const char* shaderText = R"(
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float n = at_histogram(planes_histogram - 1, p.position.y * p.extent.x + p.position.x);
  store_output(p.position, vec4(load_input(p.position).r, n, param.threshold, 1.0));
}
)";

class DenoiseHistogram : public testing::Test {
 protected:
  DenoiseHistogram() {
    fs::create_directories(folder_.file("modules/rhf"));
    spill(folder_.file("modules/rhf/module.toml"), moduleText);
    spill(folder_.file("modules/rhf/main.glsl"), shaderText);
  }

  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    words.insert(words.end(), {"--modules", "modules"});
    return runProgram(words, {folder_.path()});
  }

  static NamedImage plane(const char* name, Channels channels, const std::vector<float>& values) {
    const ColourTag tag = name == std::string("output") ? ColourTag::rec709 : ColourTag::data;
    return {name, {channels, Format::f32, tag, histogramExtent}, std::as_bytes(std::span(values))};
  }
  // Ray histograms with this many channels, and this number of samples in the last one.
  static NamedImage histogram(const std::vector<float>& values) {
    const ValueType type{Channels::y, Format::f32, ColourTag::data, {}, static_cast<uint32_t>(values.size())};
    return {"histogram", type, std::as_bytes(std::span(values))};
  }
  static std::vector<float> numbers(int channels, float samples) {
    std::vector<float> values(histogramPixels * static_cast<size_t>(channels), 0.0F);
    std::fill(values.end() - static_cast<std::ptrdiff_t>(histogramPixels), values.end(), samples);
    return values;
  }
  static std::vector<float> colour(float red) {
    std::vector<float> values(4 * histogramPixels, 1.0F);
    for (size_t i = 0; i < histogramPixels; ++i)
      values[4 * i] = red;
    return values;
  }

  // noisy_0003.exr to noisy_0007.exr: red is 3 to 7.
  void writeFrames() const {
    for (int i = 3; i <= 7; ++i) {
      const std::vector<float> image = colour(static_cast<float>(i));
      writeImage("exr", folder_.file(fmt::format("noisy_{:04}.exr", i)),
                 {plane("output", Channels::rgba, image)});
    }
  }

  // The one colour of a picture.
  std::vector<float> seen(const std::string& file) const {
    const std::vector<float> all = asFloats(readPlane("exr", folder_.file(file), "output"));
    EXPECT_EQ(all.size(), 4 * histogramPixels);
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(all[i], all[i % 4]);
    return {all[0], all[1], all[2]};
  }
  bool exists(const std::string& name) const { return fs::exists(folder_.file(name)); }

  const Folder folder_;
};

using Seen = std::vector<float>;

TEST_F(DenoiseHistogram, FramesOfOneSampleBecomeOnePicture) {
  writeFrames();
  const Outcome outcome =
      run({"noisy_%04d.exr", "-o", "a.exr", "--method", "rhf", "--save-graph", "made.cfg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("noisy_%04d.exr: render, 5 frames, by ray histogram fusion (rhf)"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(seen("a.exr"), (Seen{5.0F, 5.0F, 0.8F}));
  ASSERT_EQ(run({"noisy_*.exr", "-o", "b.exr", "--method", "rhf", "--strength", "0.5"}).code, 0);
  EXPECT_EQ(seen("b.exr"), (Seen{5.0F, 5.0F, 0.4F}));
  ASSERT_EQ(run({"noisy_####.exr", "-o", "out/", "--method", "rhf"}).code, 0);
  EXPECT_EQ(seen("out/noisy_0007.exr"), (Seen{5.0F, 5.0F, 0.8F}));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file("out")), {}), 1);
  ASSERT_EQ(run({"noisy_%04d.exr", "-o", "c.exr", "--method", "rhf", "--frames", "5"}).code, 0);
  EXPECT_EQ(seen("c.exr"), (Seen{4.0F, 3.0F, 0.8F}));
  const std::string before = slurp(folder_.file("a.exr"));
  fs::remove(folder_.file("a.exr"));
  const Outcome again = runProgram({"run", "made.cfg", "--modules", "modules"}, {folder_.path()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(slurp(folder_.file("a.exr")), before);
}

TEST_F(DenoiseHistogram, SumsNeedAllFramesBefore) {
  writeFrames();
  fs::remove(folder_.file("noisy_0004.exr"));
  const Outcome outcome = run({"noisy_%04d.exr", "-o", "a.exr", "--method", "rhf", "--frames", "5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("noisy_0004.exr"), std::string::npos) << outcome.err;
}

TEST_F(DenoiseHistogram, NoStrengthIsTheMean) {
  writeFrames();
  const Outcome outcome = run({"noisy_%04d.exr", "-o", "a.exr", "--method", "rhf", "--strength", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen("a.exr"), (Seen{5.0F, 1.0F, 1.0F}));
}

TEST_F(DenoiseHistogram, TheFramesThatAreNamedAndThere) {
  writeFrames();
  ASSERT_EQ(run({"noisy_0004.exr", "noisy_0005.exr", "-o", "a.exr", "--method", "rhf"}).code, 0);
  EXPECT_EQ(seen("a.exr"), (Seen{4.5F, 2.0F, 0.8F}));
  const Outcome apart = run({"noisy_0004.exr", "noisy_0006.exr", "-o", "b.exr", "--method", "rhf"});
  EXPECT_EQ(apart.code, 2);
  EXPECT_NE(apart.err.find("noisy_0005.exr: is between noisy_0004.exr and noisy_0006.exr"), std::string::npos)
      << apart.err;
  fs::remove(folder_.file("noisy_0004.exr"));
  EXPECT_EQ(run({"noisy_%04d.exr", "-o", "c.exr", "--method", "rhf"}).code, 2) << "it has a hole";
  ASSERT_EQ(run({"noisy_%04d.exr", "-o", "c.exr", "--method", "rhf", "--missing", "skip"}).code, 0);
  EXPECT_EQ(seen("c.exr"), (Seen{5.25F, 4.0F, 0.8F}));
}

TEST_F(DenoiseHistogram, OfTheFileOrOfAnother) {
  const std::vector<float> image = colour(2.0F), own = numbers(25, 32.0F), other = numbers(10, 7.0F);
  writeImage("exr", folder_.file("both.exr"), {plane("output", Channels::rgba, image), histogram(own)});
  writeImage("exr", folder_.file("plain.exr"), {plane("output", Channels::rgba, image)});
  writeImage("exr", folder_.file("bins.exr"), {plane("output", Channels::rgba, image), histogram(other)});
  const Outcome outcome = run({"both.exr", "-o", "a.exr"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("both.exr: render, by ray histogram fusion (rhf)"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(seen("a.exr"), (Seen{2.0F, 32.0F, 0.8F}));
  // The noisy picture's histograms don't belong to the result.
  EXPECT_EQ(jsonOf({"info", folder_.file("a.exr"), "--json"})[0].at("planes").count("histogram"), 0U);
  const Outcome pair =
      run({"plain.exr", "--histogram", "bins.exr", "-o", "b.exr", "--save-graph", "graphs.cfg"});
  EXPECT_EQ(pair.code, 0) << pair.err;
  EXPECT_EQ(seen("b.exr"), (Seen{2.0F, 7.0F, 0.8F}));
  ASSERT_EQ(run({"plain.exr", "--histogram", "bins.exr", "-o", "d.exr", "--strength", "0"}).code, 0);
  EXPECT_EQ(seen("d.exr"), (Seen{2.0F, 1.0F, 1.0F}));
  ASSERT_EQ(run({"both.exr", "--histogram", "bins.exr", "-o", "c.exr"}).code, 0);
  EXPECT_EQ(seen("c.exr")[1], 7.0F);
  const nlohmann::json info = jsonOf({"info", folder_.file("both.exr"), "--json"});
  EXPECT_EQ(info[0].at("histogramBins"), 8);
  EXPECT_NE(runProgram({"info", folder_.file("both.exr")}).out.find("ray histograms, 8 bins a colour"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
