// lacuna compare on sequences: rows, means, flicker, and mistakes in names and files.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Comparisons : public testing::Test {
 protected:
  // Random colours times `scale`; with alpha where asked for.
  void write(const std::string& name, float scale, Extent extent = {19, 14}, bool alpha = false) const {
    std::uniform_real_distribution<float> values(0.0F, scale);
    std::mt19937_64 random = namedRandom(name);
    std::vector<float> pixels(size_t{4} * extent.width * extent.height);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = i % 4 == 3 ? (alpha ? 0.5F : 1.0F) : values(random);
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, extent, 0};
    writeImage("exr", folder_.file(name), {{"output", type, std::as_bytes(std::span(pixels))}});
  }

  // Frames 0 to 4 of `a`, 1 to 5 of `ref`, 0 to 4 of `noisy`.
  void writeSequences() const {
    for (int frame = 0; frame < 5; ++frame) {
      write(fmt::format("a_{:03}.exr", frame), 0.8F);
      write(fmt::format("ref_{}.exr", frame + 1), 0.9F);
      write(fmt::format("noisy_{:03}.exr", frame), 3.0F);
    }
  }

  ColourImage load(const std::string& name) const { return loadColour(folder_.file(name)); }

  // Flicker of frame `frame` of a sequence.
  double flicker(const std::string& name, int frame) const {
    const auto shown = [&](int f) { return onScreen(load(fmt::format("{}_{:03}.exr", name, f))); };
    const auto reference = [&](int f) { return onScreen(load(fmt::format("ref_{}.exr", f + 1))); };
    return temporalError(shown(frame), shown(frame - 1), reference(frame), reference(frame - 1));
  }

  Outcome run(const std::string& image, const std::string& reference,
              const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"compare", folder_.file(image), folder_.file(reference)};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words);
  }

  const Folder folder_;
};

TEST_F(Comparisons, OfSequencesHaveARowAFrameAndMeans) {
  writeSequences();
  const Outcome outcome = run("a_%03d.exr", "ref_%d.exr",
                              {"--first", "0:1:0", "--baseline", folder_.file("noisy_%03d.exr"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json json = readJson(outcome.out);
  ASSERT_EQ(json.at("frames").size(), 5U);
  double relMse = 0.0, temporal = 0.0, noisyRelMse = 0.0, noisyTemporal = 0.0;
  for (int frame = 0; frame < 5; ++frame) {
    const nlohmann::json& row = json.at("frames").at(static_cast<size_t>(frame));
    EXPECT_EQ(row.at("frame"), frame);
    const ColourImage reference = load(fmt::format("ref_{}.exr", frame + 1));
    const Metrics metrics = compare(load(fmt::format("a_{:03}.exr", frame)), reference);
    EXPECT_DOUBLE_EQ(row.at("relMSE"), metrics.relMse);
    EXPECT_DOUBLE_EQ(row.at("PSNR"), metrics.psnr);
    EXPECT_DOUBLE_EQ(row.at("SSIM"), metrics.ssim);
    relMse += metrics.relMse / 5;
    noisyRelMse += compare(load(fmt::format("noisy_{:03}.exr", frame)), reference).relMse / 5;
    if (frame == 0) {
      EXPECT_TRUE(row.at("temporalError").is_null());
      continue;
    }
    EXPECT_DOUBLE_EQ(row.at("temporalError"), flicker("a", frame));
    temporal += flicker("a", frame) / 4;
    noisyTemporal += flicker("noisy", frame) / 4;
  }
  const nlohmann::json& mean = json.at("mean");
  EXPECT_NEAR(mean.at("relMSE"), relMse, 1e-12);
  EXPECT_NEAR(mean.at("temporalError"), temporal, 1e-12);
  EXPECT_NEAR(mean.at("baseline").at("relMSETimesBelow"), noisyRelMse / relMse, 1e-9);
  EXPECT_NEAR(mean.at("baseline").at("temporalErrorTimesBelow"), noisyTemporal / temporal, 1e-9);
  EXPECT_GT(noisyRelMse, relMse);
}

TEST_F(Comparisons, OfPicturesTakeABaseline) {
  writeSequences();
  const Outcome outcome =
      run("a_000.exr", "ref_1.exr", {"--json", "--baseline", folder_.file("noisy_000.exr")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json json = readJson(outcome.out);
  const double noisy = compare(load("noisy_000.exr"), load("ref_1.exr")).relMse;
  EXPECT_DOUBLE_EQ(json.at("baseline").at("relMSE"), noisy);
  EXPECT_DOUBLE_EQ(json.at("baseline").at("relMSETimesBelow"), noisy / json.at("relMSE").get<double>());
}

class UnmeasurableComparisons : public Comparisons {
 protected:
  // NaN in some pixels, by default in all.
  void writeNan(const std::string& name, size_t count = size_t{19} * 14) const {
    const Extent extent{19, 14};
    std::vector<float> pixels(size_t{4} * extent.width * extent.height, 0.5F);
    std::fill_n(pixels.begin(), 4 * count, std::numeric_limits<float>::quiet_NaN());
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, extent, 0};
    writeImage("exr", folder_.file(name), {{"output", type, std::as_bytes(std::span(pixels))}});
  }
};

TEST_F(UnmeasurableComparisons, AreNullAndFail) {
  writeNan("nan.exr");
  write("ref_0.exr", 1.0F);
  const Outcome outcome = run("nan.exr", "ref_0.exr", {"--json"});
  EXPECT_EQ(outcome.code, 1);
  const nlohmann::json json = readJson(outcome.out);
  for (const char* metric : {"relMSE", "PSNR", "SSIM", "maxRelativeError", "meanRelativeError"})
    EXPECT_TRUE(json.at(metric).is_null()) << metric;
  EXPECT_EQ(json.at("notFinite"), 19 * 14 * 3);
  EXPECT_NE(outcome.out.find("\"message\": \"nothing can be measured"), std::string::npos) << outcome.out;
  ASSERT_FALSE(json.at("messages").empty());
  for (const char* part : {"hint", "file", "line", "column"})
    EXPECT_TRUE(json.at("messages").at(0).at(part).is_null()) << part;
  const Outcome text = run("nan.exr", "ref_0.exr");
  EXPECT_EQ(text.code, 1);
  EXPECT_NE(text.out.find("relMSE               -\n"), std::string::npos) << text.out;
}

// Also if only red isn't finite.
TEST_F(UnmeasurableComparisons, AreMagentaInTheDifference) {
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, {3, 2}, 0};
  std::vector<float> pixels(size_t{4} * 3 * 2, 1.0F);
  const auto write = [&](const char* name) {
    writeImage("exr", folder_.file(name), {{"output", type, std::as_bytes(std::span(pixels))}});
  };
  write("ref.exr");
  pixels[4] = std::numeric_limits<float>::quiet_NaN();
  write("a.exr");
  run("a.exr", "ref.exr", {"--difference", folder_.file("map.png")});
  const std::vector<std::byte> map = readPlane("png", folder_.file("map.png"), "output");
  ASSERT_EQ(map.size(), pixels.size());
  for (size_t i = 0; i < map.size(); ++i) {
    const bool isBright = i % 4 == 3 || i == 4 || i == 6;
    EXPECT_EQ(std::to_integer<int>(map[i]), isBright ? 255 : 0) << i;
  }
}

TEST_F(UnmeasurableComparisons, OfSomePixelsKeepNoLimitOnRelativeErrors) {
  writeNan("nan.exr", 1);
  write("ref_0.exr", 1.0F);
  for (const char* option : {"--max-relmse", "--max-error"}) {
    const Outcome outcome = run("nan.exr", "ref_0.exr", {option, "1e9"});
    EXPECT_EQ(outcome.code, 1) << option;
    EXPECT_NE(outcome.err.find(fmt::format("which relative errors leave out: {} can't hold", option)),
              std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(run("nan.exr", "ref_0.exr").code, 0);
}

TEST_F(UnmeasurableComparisons, OfAFrameMakeTheMeanSo) {
  writeSequences();
  writeNan("a_002.exr");
  const Outcome outcome = run("a_%03d.exr", "ref_%d.exr", {"--first", "0:1", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const nlohmann::json json = readJson(outcome.out);
  EXPECT_TRUE(json.at("frames").at(2).at("relMSE").is_null());
  EXPECT_FALSE(json.at("frames").at(1).at("relMSE").is_null());
  EXPECT_TRUE(json.at("mean").at("relMSE").is_null());
}

TEST_F(Comparisons, WriteWhereTheyDiffer) {
  write("a.exr", 0.8F);
  write("ref.exr", 0.9F);
  const std::string map = folder_.file("maps/difference.png");
  const Outcome outcome = run("a.exr", "ref.exr", {"--difference", map, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const ColourImage a = load("a.exr"), reference = load("ref.exr");
  EXPECT_DOUBLE_EQ(readJson(outcome.out).at("FLIP"), compare(a, reference).flip);
  const std::vector<double> first = onScreen(a), second = onScreen(reference);
  const ValueType type = probeImage("png", map, {"output"}).at("output");
  std::vector<std::byte> pixels(byteSize(type));
  readImage("png", map, "output", type, pixels, {.profile = false});
  for (size_t i = 0; i < first.size(); ++i) {
    const double expected = std::min(8 * std::abs(first[i] - second[i]), 1.0);
    EXPECT_NEAR(std::to_integer<int>(pixels[i / 3 * 4 + i % 3]), 255 * expected, 0.51) << i;
  }
  EXPECT_EQ(run("a.exr", "ref.exr", {"--max-flip", "1e-4"}).code, 1);
}

}  // namespace
}  // namespace lacuna::test
