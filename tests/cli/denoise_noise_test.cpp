// The noise that `denoise` estimates, prints and takes, and parts of a photograph.

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr Extent whole{240, 160}, part{96, 80};
constexpr uint32_t left = 8, top = 40;

// Grass at the left, whose texture is as fine as noise, and a smooth sky at the right, both with noise.
std::vector<uint8_t> photograph() {
  std::vector<uint8_t> codes(size_t{4} * whole.width * whole.height, 255);
  std::normal_distribution<double> noise(0.0, 8.0), grass(0.0, 20.0);
  for (size_t i = 0; i < codes.size() / 4; ++i) {
    const size_t x = i % whole.width;
    const double texture = x < whole.width / 2 ? grass(testRandom()) : 0.0;
    for (size_t c = 0; c < 3; ++c)
      codes[4 * i + c] = static_cast<uint8_t>(
          std::clamp(90.0 + 20.0 * static_cast<double>(c) + texture + noise(testRandom()), 0.0, 255.0));
  }
  return codes;
}

std::vector<uint8_t> partOf(const std::vector<uint8_t>& codes) {
  std::vector<uint8_t> rows;
  for (uint32_t y = top; y < top + part.height; ++y) {
    const auto first = codes.begin() + std::ptrdiff_t{4} * (y * whole.width + left);
    rows.insert(rows.end(), first, first + std::ptrdiff_t{4} * part.width);
  }
  return rows;
}

class Noise : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    return runProgram(words, {folder_.path()});
  }

  void write(const std::string& name, Extent extent, const std::vector<uint8_t>& codes) const {
    writeImage("png", folder_.file(name),
               {{"input",
                 {Channels::rgba, Format::u8, ColourTag::rec709, extent},
                 std::as_bytes(std::span(codes))}});
  }

  std::vector<uint8_t> codesOf(const std::string& name) const {
    const std::vector<std::byte> bytes = readPlane("png", folder_.file(name), "output");
    std::vector<uint8_t> codes(bytes.size());
    std::memcpy(codes.data(), bytes.data(), bytes.size());
    return codes;
  }

  // What was taken away, in dB.
  static double strength(const std::vector<uint8_t>& before, const std::vector<uint8_t>& after) {
    double sum = 0;
    for (size_t i = 0; i < before.size(); ++i)
      sum += std::pow(before[i] - after[i], 2);
    return 10 * std::log10(sum / static_cast<double>(before.size()));
  }

  const Folder folder_;
};

TEST_F(Noise, RandomPartsAreDenoisedAsTheWhole) {
  const std::vector<uint8_t> codes = photograph();
  write("whole.png", whole, codes);
  write("part.png", part, partOf(codes));
  const Outcome outcome = run({"whole.png", "-o", "clean.png"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string line = "lacuna: whole.png: estimated noise, as --noise takes it: ";
  const size_t at = outcome.err.find(line);
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const size_t begin = at + line.size();
  const std::string noise = outcome.err.substr(begin, outcome.err.find('\n', begin) - begin);
  const std::vector<uint8_t> clean = partOf(codesOf("clean.png"));

  const Outcome again = run({"whole.png", "-o", "again.png", "--noise", noise});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err.find("warning"), std::string::npos) << again.err;
  EXPECT_EQ(again.err.find("estimated noise"), std::string::npos) << again.err;
  EXPECT_TRUE(codesOf("again.png") == codesOf("clean.png"));

  ASSERT_EQ(run({"part.png", "-o", "given.png", "--noise", noise}).code, 0);
  EXPECT_NEAR(strength(partOf(codes), codesOf("given.png")), strength(partOf(codes), clean), 1.0);

  const std::string crop = fmt::format("{},{},{},{}", left, top, part.width, part.height);
  ASSERT_EQ(run({"whole.png", "-o", "cropped.png", "--crop", crop}).code, 0);
  EXPECT_TRUE(codesOf("cropped.png") == clean);
}

}  // namespace
}  // namespace lacuna::test
