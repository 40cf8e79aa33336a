// lacuna compare --blocks: numbers, ratios, limits, false colours, and mistakes in words and files.

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "modules/codecs/image_file.h"
#include "tests/support/program.h"
#include "tools/metrics/block_rms.h"

namespace lacuna::test {
namespace {

using Colour = std::array<uint8_t, 3>;

class ComparedBlocks : public testing::Test {
 protected:
  // Colours that the name decides, up to `scale`; `change` edits the RGBA values.
  template <class Change>
  void write(const std::string& name, float scale, Extent extent, const Change& change) const {
    std::mt19937_64 random = namedRandom(name);
    std::vector<float> pixels(size_t{4} * extent.width * extent.height);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = i % 4 == 3 ? 1.0F : static_cast<float>(uniform(random, 0.0, scale));
    change(pixels);
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, extent, 0};
    writeImage("exr", folder_.file(name), {{"output", type, std::as_bytes(std::span(pixels))}});
  }
  void write(const std::string& name, float scale = 1.0F, Extent extent = {37, 23}) const {
    write(name, scale, extent, [](std::vector<float>&) {});
  }

  void writeThree() const {
    write("rhf.exr", 1.0F);
    write("noisy.exr", 3.0F);
    write("ref.exr", 1.0F);
  }

  BlockRms expected(const std::string& name, Blocks blocks) const {
    return blockRms(loadColour(folder_.file(name)), loadColour(folder_.file("ref.exr")), blocks);
  }

  // In the folder, so that names need none.
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "compare");
    return runProgram(words, {folder_.path()});
  }

  nlohmann::json json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return readJson(outcome.out);
  }

  // The colour of a block of a false-colour picture, which must be in all of its pixels.
  Colour colourOf(const std::string& name, Blocks blocks, size_t block) const {
    const ValueType type = probeImage("png", folder_.file(name), {}).at("output");
    const std::vector<std::byte> pixels = readPlane("png", folder_.file(name), "output");
    const PixelArea area = areaOfBlock(blocks, type.extent, block);
    const auto at = [&](uint32_t x, uint32_t y) {
      const std::byte* pixel = pixels.data() + 4 * (size_t{y} * type.extent.width + x);
      return Colour{std::to_integer<uint8_t>(pixel[0]), std::to_integer<uint8_t>(pixel[1]),
                    std::to_integer<uint8_t>(pixel[2])};
    };
    for (uint32_t y = area.top; y < area.bottom; ++y)
      for (uint32_t x = area.left; x < area.right; ++x)
        EXPECT_EQ(at(x, y), at(area.left, area.top)) << name << " at " << x << ", " << y;
    return at(area.left, area.top);
  }

  const Folder folder_;
};

TEST_F(ComparedBlocks, HaveTheRmsOfTheLibrary) {
  writeThree();
  const nlohmann::json all = json({"rhf.exr", "noisy.exr", "ref.exr", "--blocks", "5x4"});
  EXPECT_EQ(all.at("reference"), "ref.exr");
  EXPECT_EQ(all.at("width"), 37);
  EXPECT_EQ(all.at("height"), 23);
  EXPECT_EQ(all.at("columns"), 5);
  EXPECT_EQ(all.at("rows"), 4);
  EXPECT_EQ(all.at("baseline"), "rhf.exr") << "the first one";
  const BlockRms rhf = expected("rhf.exr", {5, 4}), noisy = expected("noisy.exr", {5, 4});
  const nlohmann::json &first = all.at("pictures").at(0), &second = all.at("pictures").at(1);
  EXPECT_EQ(first.at("rms").get<std::vector<double>>(), rhf.rms);
  EXPECT_EQ(second.at("rms").get<std::vector<double>>(), noisy.rms);
  EXPECT_EQ(second.at("mean"), noisy.mean);
  EXPECT_EQ(second.at("median"), noisy.median);
  const auto worst = std::max_element(noisy.rms.begin(), noisy.rms.end()) - noisy.rms.begin();
  EXPECT_EQ(second.at("worstBlock"), worst);
  EXPECT_EQ(all.at("smallest"), *std::min_element(rhf.rms.begin(), rhf.rms.end()));
  EXPECT_EQ(all.at("largest"), *std::max_element(noisy.rms.begin(), noisy.rms.end()));
  EXPECT_EQ(second.at("byBaseline").at("mean"), noisy.mean / rhf.mean);
  EXPECT_EQ(second.at("byBaseline").at("worseBlocks"), 20);
  EXPECT_EQ(first.at("byBaseline").at("worseBlocks"), 0) << "as large as its own";
}

TEST_F(ComparedBlocks, OfOnePictureHaveNoRatios) {
  writeThree();
  const nlohmann::json one = json({"rhf.exr", "ref.exr", "--blocks", "1x1"});
  EXPECT_TRUE(one.at("baseline").is_null());
  EXPECT_FALSE(one.at("pictures").at(0).contains("byBaseline"));
  EXPECT_EQ(one.at("pictures").at(0).at("rms").size(), 1U);
  const Outcome text = run({"rhf.exr", "ref.exr", "--blocks", "5x4"});
  EXPECT_EQ(text.out.find('|'), std::string::npos) << text.out;
}

TEST_F(ComparedBlocks, AreDividedByTheBaseline) {
  writeThree();
  const BlockRms rhf = expected("rhf.exr", {5, 4}), noisy = expected("noisy.exr", {5, 4});
  size_t worst = 0;
  for (size_t i = 0; i < rhf.rms.size(); ++i)
    worst = rhf.rms[i] / noisy.rms[i] > rhf.rms[worst] / noisy.rms[worst] ? i : worst;
  for (const bool isNamedTwice : {false, true}) {
    std::vector<std::string> words = {"rhf.exr", "ref.exr", "--blocks", "5x4", "--baseline", "noisy.exr"};
    if (isNamedTwice)
      words.insert(words.begin() + 1, "./noisy.exr");
    const nlohmann::json all = json(words);
    ASSERT_EQ(all.at("pictures").size(), 2U) << "each picture once";
    const nlohmann::json& picture = all.at("pictures").at(isNamedTwice ? 0 : 1);
    ASSERT_EQ(picture.at("image"), "rhf.exr");
    EXPECT_EQ(picture.at("byBaseline").at("mean"), rhf.mean / noisy.mean);
    EXPECT_EQ(picture.at("byBaseline").at("worst"), rhf.rms[worst] / noisy.rms[worst]);
    EXPECT_EQ(picture.at("byBaseline").at("worstBlock"), worst);
    EXPECT_EQ(picture.at("byBaseline").at("worseBlocks"), 0);
  }
}

TEST_F(ComparedBlocks, PrintATable) {
  writeThree();
  const Outcome outcome = run({"rhf.exr", "noisy.exr", "ref.exr", "--blocks", "5x4"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 6) << outcome.out;
  for (const std::string& text :
       {std::string("5 x 4 blocks of 37 x 23 pixels, against ref.exr; 0 is at the bottom left, 4 at the"),
        fmt::format("{:.6g}", expected("noisy.exr", {5, 4}).mean),
        fmt::format("{:.6g}", expected("rhf.exr", {5, 4}).median), std::string("divided by rhf.exr"),
        std::string("(green) to ")})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << "\n" << outcome.out;
}

TEST_F(ComparedBlocks, KeepALimitOnRatios) {
  writeThree();
  const std::vector<std::string> words = {"rhf.exr", "ref.exr", "--blocks", "5x4", "--baseline", "noisy.exr"};
  const auto limited = [&](std::vector<std::string> all, double most) {
    all.push_back(fmt::format("--max-block-ratio={:.17g}", most));
    return run(all);
  };
  const double worst = json(words).at("pictures").at(1).at("byBaseline").at("worst");
  EXPECT_EQ(limited(words, worst).code, 0);
  const Outcome above = limited(words, worst * 0.999999);
  EXPECT_EQ(above.code, 1);
  for (const std::string& text :
       {fmt::format("is {:.6g} times that of noisy.exr, but must be at most", worst),
        std::string("(--max-block-ratio); 1 of 20 blocks are above")})
    EXPECT_NE(above.err.find(text), std::string::npos) << above.err;
  EXPECT_NE(above.out.find("rhf.exr"), std::string::npos) << "the numbers are printed all the same";
  // An error where the baseline has none is infinitely worse.
  const std::vector<std::string> exact = {"rhf.exr", "ref.exr", "--blocks", "5x4", "--baseline", "ref.exr"};
  EXPECT_EQ(limited(exact, 1e300).code, 1);
  EXPECT_TRUE(json(exact).at("pictures").at(1).at("byBaseline").at("worst").is_null());
}

TEST_F(ComparedBlocks, WithNanAreNullAndKeepNoLimit) {
  writeThree();
  write("nan.exr", 1.0F, {37, 23},
        [](std::vector<float>& pixels) { pixels[0] = std::numeric_limits<float>::quiet_NaN(); });
  const Outcome outcome = run({"nan.exr", "ref.exr", "--blocks", "5x4", "--json", "-o", "nan.png"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("nan.exr: 1 values are NaN or infinite"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 of 20 blocks have no RMS (the first: 15)"), std::string::npos) << outcome.out;
  const nlohmann::json picture = readJson(outcome.out).at("pictures").at(0);
  EXPECT_TRUE(picture.at("rms").at(15).is_null()) << "top left";
  EXPECT_EQ(picture.at("rms").at(14), expected("nan.exr", {5, 4}).rms[14]);
  EXPECT_TRUE(picture.at("mean").is_null());
  EXPECT_TRUE(picture.at("median").is_null());
  EXPECT_EQ(picture.at("notFinite"), 1);
  EXPECT_EQ(colourOf("nan.png", {5, 4}, 15), (Colour{0, 0, 0}));
  EXPECT_NE(colourOf("nan.png", {5, 4}, 14), (Colour{0, 0, 0}));
  const Outcome limited =
      run({"nan.exr", "ref.exr", "--blocks", "5x4", "--baseline", "noisy.exr", "--max-block-ratio", "1000"});
  EXPECT_EQ(limited.code, 1);
  EXPECT_NE(limited.err.find("--max-block-ratio can't hold"), std::string::npos) << limited.err;
  const Outcome nothing = run({"nan.exr", "ref.exr", "--blocks", "1x1"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.err.find("nan.exr: nothing can be measured"), std::string::npos) << nothing.err;
}

// The error grows with the block's number in one picture and is constant in the other; green is the smallest
// in both.
TEST_F(ComparedBlocks, AreColouredOnOneScale) {
  const Extent extent{30, 20};
  const Blocks blocks{3, 2};
  const auto fill = [&](const std::string& name, const auto& errorOf) {
    write(name, 1.0F, extent, [&](std::vector<float>& pixels) {
      for (size_t block = 0; block < blocks.count(); ++block) {
        const PixelArea area = areaOfBlock(blocks, extent, block);
        for (uint32_t y = area.top; y < area.bottom; ++y)
          std::fill_n(pixels.data() + 4 * (size_t{y} * extent.width + area.left),
                      4 * (area.right - area.left), 1.0F + errorOf(block));
      }
    });
  };
  fill("ref.exr", [](size_t) { return 0.0F; });
  fill("some.exr", [](size_t block) { return 1.0F + static_cast<float>(block); });
  fill("much.exr", [](size_t) { return 9.0F; });
  const nlohmann::json all =
      json({"some.exr", "much.exr", "ref.exr", "--blocks", "3x2", "-o", "new/errors/"});
  EXPECT_EQ(all.at("smallest"), 1.0);
  EXPECT_EQ(all.at("largest"), 9.0);
  EXPECT_EQ(all.at("pictures").at(0).at("falseColours"), "new/errors/some.png");
  EXPECT_EQ(colourOf("new/errors/some.png", blocks, 0), (Colour{0, 255, 0}));
  EXPECT_EQ(colourOf("new/errors/some.png", blocks, 2), (Colour{128, 255, 0}))
      << "a quarter: 1 + 2 of 1 to 9";
  EXPECT_EQ(colourOf("new/errors/some.png", blocks, 4), (Colour{255, 255, 0}));
  EXPECT_EQ(colourOf("new/errors/much.png", blocks, 0), (Colour{255, 0, 0}));
  EXPECT_EQ(run({"some.exr", "much.exr", "ref.exr", "--blocks", "3x2", "-o", "{stem}-blocks.png"}).code, 0);
  EXPECT_EQ(slurp(folder_.file("some-blocks.png")), slurp(folder_.file("new/errors/some.png")));
}

TEST_F(ComparedBlocks, OfPngFilesAreLinear) {
  writeRandomPng(folder_.file("a.png"), {16, 12});
  writeRandomPng(folder_.file("ref.exr.png"), {16, 12});
  const nlohmann::json all = json({"a.png", "ref.exr.png", "--blocks", "2x2"});
  const BlockRms rms =
      blockRms(loadColour(folder_.file("a.png")), loadColour(folder_.file("ref.exr.png")), {2, 2});
  EXPECT_EQ(all.at("pictures").at(0).at("rms").get<std::vector<double>>(), rms.rms);
}

}  // namespace
}  // namespace lacuna::test
