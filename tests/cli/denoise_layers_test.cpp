// lacuna denoise of OpenEXR files: the layers that it uses, and the effect of alpha on colour.

#include <fmt/format.h>

#include <functional>
#include <set>
#include <thread>

#include "tests/io/exr_parts.h"
#include "tests/support/environment.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class DenoiseLayers : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"denoise", "render.exr", "-o", "clean.exr"});
    return runProgram(words, {folder_.path()});
  }

  void write(const std::vector<std::string>& channels) const {
    writeParts(folder_.file("render.exr"), {{"", channels}});
  }

  std::vector<float> colourOf(const std::string& file, const std::string& layer) const {
    ReadOptions options;
    options.layers["output"] = layer;
    return pixel(folder_.file(file), "output", 0, 0, options);
  }

  // Changes when the file is written again.
  auto writtenAt(const std::string& file) const { return fs::last_write_time(folder_.file(file)); }

  const std::vector<std::string> two_ = {"ViewLayer.Combined.R",
                                         "ViewLayer.Combined.G",
                                         "ViewLayer.Combined.B",
                                         "ViewLayer.Denoising Albedo.R",
                                         "ViewLayer.Denoising Albedo.G",
                                         "ViewLayer.Denoising Albedo.B",
                                         "ViewLayer.Denoising Normal.X",
                                         "ViewLayer.Denoising Normal.Y",
                                         "ViewLayer.Denoising Normal.Z",
                                         "ViewLayer.Denoising Depth.Z",
                                         "Second.Combined.R",
                                         "Second.Combined.G",
                                         "Second.Combined.B",
                                         "crypto.r"};
  const Folder folder_;
};

TEST_F(DenoiseLayers, OneViewLayerIsDenoisedWithItsOwnPlanes) {
  write(two_);
  const std::vector<float> first = colourOf("render.exr", "ViewLayer"),
                           second = colourOf("render.exr", "Second");
  const Outcome outcome =
      run({"--weights", LACUNA_TEST_FOLDER "/../modules/cnn-unet/weights/rgb-and.safetensors", "--save-graph",
           "a.cfg", "-p", "i-file:in:output=ViewLayer.Combined"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("denoises the view layer ViewLayer.Combined, not Second.Combined; -p "
                             "\"i-file:in:output=Second.Combined\""),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(colourOf("clean.exr", "ViewLayer"), first);
  EXPECT_EQ(colourOf("clean.exr", "Second"), second);
  EXPECT_NE(slurp(folder_.file("a.cfg")).find("i-file:in:depth:cnn-unet:01:depth"), std::string::npos);
}

// The first layer of both may be the same picture, which doesn't show which one was denoised.
TEST_F(DenoiseLayers, ComparedIsTheLayerThatIsNamed) {
  write(two_);
  ASSERT_EQ(run({"--strength", ".5", "-p", "i-file:in:output=ViewLayer.Combined"}).code, 0);
  const auto compared = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", "clean.exr", "render.exr", "--max-error", "0"});
    return runProgram(more, {folder_.path()});
  };
  const Outcome first = compared({});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("clean.exr: compares the view layer Second.Combined, not ViewLayer.Combined; "
                           "--layer ViewLayer.Combined chooses another one"),
            std::string::npos)
      << first.err;
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--blocks", "2x2"}}) {
    std::vector<std::string> words = {"compare", "clean.exr", "render.exr", "--layer", "ViewLayer.Combined"};
    words.insert(words.end(), how.begin(), how.end());
    const Outcome named = runProgram(words, {folder_.path()});
    EXPECT_EQ(named.code, 0) << named.err;
    EXPECT_EQ(named.err.find("view layer "), std::string::npos) << named.err;
  }
  EXPECT_EQ(compared({"--layer", "ViewLayer.Combined"}).code, 1);
  EXPECT_EQ(compared({"--layer", "Third"}).code, 2);
}

TEST_F(DenoiseLayers, EachViewLayerIntoAFileOfItsOwn) {
  write(two_);
  const Outcome outcome = runProgram({"denoise", "render.exr", "-o", "out/{layer}.exr"}, {folder_.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  for (const std::string layer : {"ViewLayer", "Second"})
    for (const std::string file : {"ViewLayer", "Second"})
      EXPECT_EQ(colourOf("out/" + file + ".Combined.exr", layer) == colourOf("render.exr", layer),
                file != layer)
          << layer << " of " << file;
}

// A file from somebody else, whose layer's name is a path to one of our files.
TEST_F(DenoiseLayers, NamesOfLayersStayInTheFolder) {
  writeRandomPng(folder_.file("mine.exr"), Extent{5, 3});
  const std::string mine = slurp(folder_.file("mine.exr"));
  write({"../mine.R", "../mine.G", "../mine.B", "...R", "...G", "...B"});
  const Outcome outcome = runProgram(
      {"denoise", "render.exr", "-o", "out/{layer}.exr", "--layers", "../mine,..", "--method", "eaw"},
      {folder_.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(slurp(folder_.file("mine.exr")), mine);
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_.file("out")))
    names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{".._mine.exr", "__.exr", ".lacuna"}));
}

TEST_F(DenoiseLayers, SeveralLayersInOneFile) {
  std::vector<std::string> channels = two_;
  for (const char* layer : {"ViewLayer.DiffDir", "ViewLayer.GlossDir"})
    for (const char* component : {".R", ".G", ".B"})
      channels.push_back(std::string(layer) + component);
  write(channels);
  const auto isChanged = [&](const std::string& layer) {
    return colourOf("clean.exr", layer) != colourOf("render.exr", layer);
  };
  const Outcome all = run({"--layers", "all"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.err.find("render.exr: layers that stay as they are: ViewLayer.DiffDir, ViewLayer.GlossDir; "
                         "--layers \"Second.Combined,ViewLayer.DiffDir\" denoises several"),
            std::string::npos)
      << all.err;
  EXPECT_TRUE(isChanged("ViewLayer.Combined"));
  EXPECT_TRUE(isChanged("Second.Combined"));
  EXPECT_FALSE(isChanged("ViewLayer.DiffDir"));
  const Outcome some = run({"--layers", "ViewLayer.DiffDir,ViewLayer.GlossDir", "--json"});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_FALSE(isChanged("ViewLayer.Combined"));
  EXPECT_TRUE(isChanged("ViewLayer.DiffDir"));
  EXPECT_TRUE(isChanged("ViewLayer.GlossDir"));
  EXPECT_FALSE(fs::exists(folder_.file(".lacuna")));
  // The same result as denoising one after the other.
  ASSERT_EQ(run({"-p", "i-file:in:output=ViewLayer.DiffDir", "--method", "cnn-unet"}).code, 0);
  const std::vector<float> alone = colourOf("clean.exr", "ViewLayer.DiffDir");
  const Outcome both = run({"--layers", "ViewLayer.GlossDir,ViewLayer.DiffDir"});
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(both.err.find(".lacuna"), std::string::npos) << "a step on the way: " << both.err;
  EXPECT_EQ(colourOf("clean.exr", "ViewLayer.DiffDir"), alone);
}

// As renderers write light groups: the sum has no layer.
TEST_F(DenoiseLayers, RgbaIsThePictureOutsideOfLayers) {
  write(
      {"R", "G", "B", "A", "diffuse.R", "diffuse.G", "diffuse.B", "specular.R", "specular.G", "specular.B"});
  const std::vector<float> colour = pixel(folder_.file("render.exr"), "output", 3, 2);
  EXPECT_NE(run({"--method", "eaw"})
                .err.find("layers that stay as they are: diffuse, specular; --layers \"RGBA,diffuse\" "),
            std::string::npos);
  const Outcome outcome = run({"--layers", "RGBA,diffuse"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("layers that stay as they are: specular;"), std::string::npos) << outcome.err;
  EXPECT_NE(pixel(folder_.file("clean.exr"), "output", 3, 2), colour);
  EXPECT_NE(colourOf("clean.exr", "diffuse"), colourOf("render.exr", "diffuse"));
  EXPECT_EQ(colourOf("clean.exr", "specular"), colourOf("render.exr", "specular"));
}

TEST_F(DenoiseLayers, ProcessesMayShareAFolderAndAFile) {
  write({"R", "G", "B", "diffuse.R", "diffuse.G", "diffuse.B", "specular.R", "specular.G", "specular.B"});
  const auto denoise = [&](const std::string& output) {
    const Outcome outcome =
        runProgram({"denoise", "render.exr", "-o", output, "--layers", "RGBA,diffuse", "--strength", "0"},
                   {folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  denoise("clean.exr");
  const std::vector<std::string> names = {"out/a.exr", "out/a.exr", "out/b.exr"};
  {
    std::vector<std::jthread> threads;
    for (const std::string& name : names)
      threads.emplace_back([&] { denoise(name); });
  }
  for (const std::string& name : names)
    EXPECT_EQ(slurp(folder_.file(name)), slurp(folder_.file("clean.exr"))) << name;
  std::error_code failed;  // the folder itself is left, empty, if who made it ended before another
  fs::remove(folder_.file("out/.lacuna"), failed);
  EXPECT_FALSE(failed) << failed.message();
}

TEST_F(DenoiseLayers, ResumeHeedsLayersAndTheirNames) {
  write({"R", "G", "B", "paint.R", "paint.G", "paint.B", "diffuse.R", "diffuse.G", "diffuse.B"});
  const auto name = [&](const char* text) { spill(folder_.file("my.toml"), text); };
  name("[[renderer]]\nname = \"ours\"\nalbedo = [\"skin\"]\n");
  fs::create_directory(folder_.file("in"));
  for (const char* frame : {"in/1.exr", "in/2.exr"})
    fs::copy(folder_.file("render.exr"), folder_.file(frame));
  const auto again = [&](const std::string& layers) {
    const auto before = fs::exists(folder_.file("out/1.exr")) ? writtenAt("out/1.exr") : fs::file_time_type();
    const Outcome outcome =
        runProgram({"denoise", "in/%d.exr", "-o", "out/", "--method", "eaw", "--resume", "--layers", layers},
                   {folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return writtenAt("out/1.exr") != before;
  };
  EXPECT_TRUE(again("RGBA"));
  EXPECT_FALSE(again("RGBA"));
  EXPECT_TRUE(again("diffuse"));
  EXPECT_TRUE(again("RGBA,diffuse"));
  EXPECT_FALSE(again("RGBA,diffuse"));
  {
    const Environment layers("LACUNA_LAYERS", folder_.file("my.toml"));
    EXPECT_TRUE(again("RGBA,diffuse"));
    EXPECT_FALSE(again("RGBA,diffuse"));
    name("[[renderer]]\nname = \"ours\"\nalbedo = [\"paint\"]\n");
    EXPECT_TRUE(again("RGBA,diffuse"));
    EXPECT_FALSE(again("RGBA,diffuse"));
  }
  EXPECT_TRUE(again("RGBA,diffuse"));
}

constexpr Extent alphaExtent{40, 30};

void writeAlpha(const std::string& path, const std::function<float(size_t x, size_t y)>& alphaAt) {
  std::vector<float> values(size_t{4} * alphaExtent.width * alphaExtent.height);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i % 4 == 3 ? alphaAt(i / 4 % alphaExtent.width, i / 4 / alphaExtent.width)
                           : static_cast<float>(uniform(testRandom(), 0.1, 4.0));
  writeImage("exr", path,
             {{"output",
               {Channels::rgba, Format::f32, ColourTag::rec709, alphaExtent},
               std::as_bytes(std::span(values))}});
}

TEST_F(DenoiseLayers, RandomColourIsNeverDividedByAlpha) {
  const float alphas[] = {0.0F, 1e-20F, 1e-4F, 0.0099F, 0.25F, 1.0F, -0.5F};
  writeAlpha(folder_.file("render.exr"), [&](size_t x, size_t) { return alphas[x % 7]; });
  const auto colours = [&](const char* file) {
    return asFloats(readPlane("exr", folder_.file(file), "output"));
  };
  ASSERT_EQ(run({"--strength", "0"}).code, 0);
  EXPECT_EQ(colours("clean.exr"), colours("render.exr"));
  ASSERT_EQ(run({"--method", "eaw", "--strength", "0.01"}).code, 0);
  const std::vector<float> mixed = colours("clean.exr"), input = colours("render.exr");
  for (size_t i = 0; i < mixed.size(); ++i)
    ASSERT_NEAR(mixed[i], input[i], 0.2) << "alpha " << input[i | 3U];
}

// Fog as Cycles renders it with a transparent film: a sample has 0, 6e-8 or 1 of alpha, and light where it
// has none, too. Every method brings colour and alpha nearer to the reference.
TEST_F(DenoiseLayers, RandomFogIsNeverWorseThanItWas) {
  constexpr int samples = 4;
  const auto cover = [](size_t x, size_t y) {
    return std::clamp(1.2F - std::hypot(static_cast<float>(x) - 20, static_cast<float>(y) - 15) / 16, 0.0F,
                      1.0F);
  };
  std::vector<float> exact, noisy;
  for (size_t i = 0; i < size_t{alphaExtent.width} * alphaExtent.height; ++i) {
    const float alpha = cover(i % alphaExtent.width, i / alphaExtent.width);
    float sums[4] = {};
    for (int s = 0; s < samples; ++s) {
      const bool hits = uniform(testRandom(), 0, 1) < alpha, glows = uniform(testRandom(), 0, 1) < 0.2;
      for (int c = 0; c < 3; ++c)
        sums[c] += (hits ? 0.5F : 0.0F) + (glows ? 0.4F : 0.0F);
      sums[3] += hits ? 1.0F : pick(testRandom(), 0, 1) == 0 ? 0x1p-24F : 0.0F;
    }
    for (int c = 0; c < 4; ++c) {
      exact.push_back(c == 3 ? alpha : 0.5F * alpha + 0.08F);
      noisy.push_back(sums[c] / samples);
    }
  }
  writeImage("exr", folder_.file("render.exr"),
             {{"output",
               {Channels::rgba, Format::f32, ColourTag::rec709, alphaExtent},
               std::as_bytes(std::span(noisy))}});
  const auto errorOf = [&](const std::vector<float>& values, bool ofAlpha) {
    double sum = 0;
    for (size_t i = 0; i < exact.size(); ++i)
      sum += (i % 4 == 3) == ofAlpha ? std::pow(double{values[i]} - exact[i], 2) : 0.0;
    return sum;
  };
  for (const std::string method : {"cnn-unet", "svgf", "eaw"}) {
    const Outcome outcome = run({"--method", method, "--overwrite-input"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    const std::vector<float> clean = asFloats(readPlane("exr", folder_.file("clean.exr"), "output"));
    EXPECT_LT(errorOf(clean, false), errorOf(noisy, false)) << method;
    EXPECT_LT(errorOf(clean, true), 0.25 * errorOf(noisy, true)) << method << ", of squares";
  }
}

}  // namespace
}  // namespace lacuna::test
