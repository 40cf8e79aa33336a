// Colour profiles: files in other colour spaces against plain arithmetic in double precision, which profiles
// count as sRGB, which are refused, and what our own files state.

#include <fmt/format.h>
#include <png.h>

#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

using io::Chromaticities;
using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Chromaticities displayP3 = {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
constexpr Chromaticities adobeRgb = {0.3127, 0.3290, 0.640, 0.330, 0.210, 0.710, 0.150, 0.060};
constexpr Chromaticities proPhoto = {0.3457,   0.3585,   0.734699, 0.265301,
                                     0.159597, 0.840403, 0.036598, 0.000105};

Vector times(const Matrix& m, const Vector& v) {
  Vector result{};
  for (size_t row = 0; row < 3; ++row)
    for (size_t k = 0; k < 3; ++k)
      result[row] += m[row][k] * v[k];
  return result;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column)
      for (size_t k = 0; k < 3; ++k)
        result[row][column] += a[row][k] * b[k][column];
  return result;
}

Matrix inverse(const Matrix& m) {
  const auto minorAt = [&](size_t r, size_t c) {
    const size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const double determinant = m[0][0] * minorAt(0, 0) + m[0][1] * minorAt(0, 1) + m[0][2] * minorAt(0, 2);
  Matrix result{};
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c)
      result[c][r] = minorAt(r, c) / determinant;
  return result;
}

Vector whiteOf(const Chromaticities& c) {
  return {c[0] / c[1], 1.0, (1.0 - c[0] - c[1]) / c[1]};
}

// Linear RGB to XYZ: the columns are the primaries, scaled to add up to white.
Matrix toXyz(const Chromaticities& c) {
  Matrix m{};
  for (size_t i = 0; i < 3; ++i) {
    const double x = c[2 + 2 * i], y = c[3 + 2 * i];
    m[0][i] = x;
    m[1][i] = y;
    m[2][i] = 1.0 - x - y;
  }
  const Vector lengths = times(inverse(m), whiteOf(c));
  for (Vector& row : m)
    for (size_t i = 0; i < 3; ++i)
      row[i] *= lengths[i];
  return m;
}

// From one white to another by Bradford's cone responses, as ICC profiles do.
Matrix adaptation(const Vector& from, const Vector& to) {
  const Matrix cones = {{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
  const Vector a = times(cones, from), b = times(cones, to);
  Matrix scale{};
  for (size_t i = 0; i < 3; ++i)
    scale[i][i] = b[i] / a[i];
  return times(inverse(cones), times(scale, cones));
}

double srgbEncoded(double v) {
  v = std::clamp(v, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

double srgbDecoded(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

// Each file value as Rec. 2020 with the sRGB curve.
Vector expected(const Vector& value, const Chromaticities& primaries, double gamma) {
  Vector linear{};
  for (size_t c = 0; c < 3; ++c)
    linear[c] = gamma == 0.0 ? srgbDecoded(value[c]) : std::pow(value[c], gamma);
  const Vector xyz = times(adaptation(whiteOf(primaries), whiteOf(io::rec2020WhiteAndPrimaries)),
                           times(toXyz(primaries), linear));
  Vector result = times(inverse(toXyz(io::rec2020WhiteAndPrimaries)), xyz);
  for (double& v : result)
    v = srgbEncoded(v);
  return result;
}

std::vector<double> valuesOf(const std::vector<std::byte>& pixels, Format format) {
  std::vector<double> values;
  for (size_t i = 0; i < pixels.size(); i += format == Format::u16 ? 2 : 1) {
    uint16_t value = 0;
    std::memcpy(&value, &pixels[i], format == Format::u16 ? 2 : 1);
    values.push_back(value / (format == Format::u16 ? 65535.0 : 255.0));
  }
  return values;
}

// `stored`: the file's own values, which readers without profiles get.
void expectConverted(const Delivered& delivered, const Delivered& stored, const Chromaticities& primaries,
                     double gamma) {
  ASSERT_EQ(print(delivered.type),
            print(ValueType{Channels::rgba, Format::u16, ColourTag::rec2020, stored.type.extent}));
  EXPECT_EQ(delivered.warnings, "");
  // lcms2 computes 8 bit in fixed point of 14 bits: half a step of 8 bit where the curve is steep.
  const double bound = stored.type.format == Format::u8 ? 0.5 / 255 : 3e-4;
  const auto values = valuesOf(delivered.pixels, Format::u16),
             before = valuesOf(stored.pixels, stored.type.format);
  for (size_t i = 0; i < values.size(); i += 4) {
    const Vector want = expected({before[i], before[i + 1], before[i + 2]}, primaries, gamma);
    for (size_t c = 0; c < 3; ++c)
      ASSERT_NEAR(values[i + c], want[c], bound)
          << fmt::format("{} {} {}", before[i], before[i + 1], before[i + 2]) << ", component " << c;
    ASSERT_EQ(values[i + 3], before[i + 3]);
  }
}

struct Space {
  const char* name;
  Chromaticities primaries;
  double gamma;
};

class Profile : public testing::TestWithParam<Space> {};

TEST_P(Profile, OfAnotherSpaceIsConverted) {
  Folder folder;
  const auto [name, primaries, gamma] = GetParam();
  const Tags tags{.profile = rgbProfile(primaries, gamma)};
  const Extent extent{31, 70};
  for (const Format format : {Format::u8, Format::u16}) {
    const Picture picture = randomPicture(format, extent);
    writeTaggedPng(folder.file("a.png"), picture, tags);
    expectConverted(deliver("png", folder.file("a.png")), {picture.type, picture.pixels, ""}, primaries,
                    gamma);
  }
  writeTaggedJpeg(folder.file("a.jpg"), randomPicture(Format::u8, extent), tags);
  const Delivered stored = deliver("jpg", folder.file("a.jpg"), {.profile = false});
  EXPECT_EQ(stored.type.colour, ColourTag::rec709);
  expectConverted(deliver("jpg", folder.file("a.jpg")), stored, primaries, gamma);
}

INSTANTIATE_TEST_SUITE_P(RandomSpaces, Profile,
                         testing::Values(Space{"DisplayP3", displayP3, 0.0},
                                         Space{"AdobeRgb", adobeRgb, 563.0 / 256},
                                         Space{"ProPhoto", proPhoto, 1.8},
                                         Space{"Linear", io::rec709WhiteAndPrimaries, 1.0},
                                         Space{"Gamma22", io::rec709WhiteAndPrimaries, 2.2}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Profile, RandomOfGreyIsConverted) {
  Folder folder;
  for (const Format format : {Format::u8, Format::u16}) {
    Picture picture = randomPicture(format, {40, 9});
    picture.grey = true;
    writeTaggedPng(folder.file("a.png"), picture, {.profile = greyProfile(1.8)});
    expectConverted(deliver("png", folder.file("a.png")),
                    deliver("png", folder.file("a.png"), {.profile = false}), io::rec709WhiteAndPrimaries,
                    1.8);
  }
}

TEST(Profile, RandomGammaAndChromaticitiesOfPngAreOne) {
  Folder folder;
  const Picture picture = randomPicture(Format::u16, {33, 5});
  const Delivered stored{picture.type, picture.pixels, ""};
  writeTaggedPng(folder.file("a.png"), picture, {.gamma = 1.0 / 1.7, .whiteAndPrimaries = displayP3});
  expectConverted(deliver("png", folder.file("a.png")), stored, displayP3, 1.7);
  writeTaggedPng(folder.file("a.png"), picture, {.gamma = 1.0});
  expectConverted(deliver("png", folder.file("a.png")), stored, io::rec709WhiteAndPrimaries, 1.0);
  writeTaggedPng(folder.file("a.png"), picture, {.whiteAndPrimaries = adobeRgb});
  expectConverted(deliver("png", folder.file("a.png")), stored, adobeRgb, 0.0);
}

void expectUntouched(const std::string& path, const Picture& picture, ColourTag colour) {
  const Delivered delivered = deliver("png", path);
  EXPECT_EQ(print(delivered.type),
            print(ValueType{Channels::rgba, picture.type.format, colour, picture.type.extent}));
  EXPECT_EQ(delivered.pixels, picture.pixels);
  EXPECT_EQ(delivered.warnings, "");
}

TEST(Profile, RandomWhatMeansSrgbIsLeftAlone) {
  Folder folder;
  const std::string path = folder.file("a.png");
  const double approximately = 0.45455;
  for (const Tags& tags : {Tags{.profile = rgbProfile(io::rec709WhiteAndPrimaries, 0.0)}, Tags{.srgb = true},
                           Tags{.gamma = approximately},
                           Tags{.gamma = approximately, .whiteAndPrimaries = io::rec709WhiteAndPrimaries},
                           Tags{.whiteAndPrimaries = io::rec709WhiteAndPrimaries}}) {
    const Picture picture = randomPicture(Format::u16, {9, 7});
    writeTaggedPng(path, picture, tags);
    expectUntouched(path, picture, ColourTag::rec709);
  }
  const Picture picture = randomPicture(Format::u8, {9, 7});
  writeTaggedPng(path, picture, {.profile = rgbProfile(io::rec2020WhiteAndPrimaries, 0.0)});
  expectUntouched(path, picture, ColourTag::rec2020);
}

TEST(Profile, RandomOfCmykIsRefused) {
  Folder folder;
  const Picture picture = randomPicture(Format::u8, {9, 7});
  writeTaggedJpeg(folder.file("a.jpg"), picture, {.profile = cmykProfile()});
  EXPECT_EQ(probeError("jpg", folder.file("a.jpg")),
            folder.file("a.jpg") + ": a colour profile of CMYK; expected one of RGB or grey");
  EXPECT_EQ(deliver("jpg", folder.file("a.jpg"), {.profile = false}).warnings, "");
  writeTaggedPng(folder.file("a.png"), picture, {});
  insertChunk(folder.file("a.png"), "iCCP", iccpData(cmykProfile()), "IDAT");
  EXPECT_EQ(probeError("png", folder.file("a.png")),
            folder.file("a.png") + ": a colour profile of CMYK; expected one of RGB or grey");
}

TEST(Profile, RandomWhatCannotBeUsedIsTold) {
  Folder folder;
  const Picture picture = randomPicture(Format::u8, {9, 7});
  const std::string path = folder.file("a.jpg");
  const auto warnings = [&](const std::vector<std::byte>& profile) {
    writeTaggedJpeg(path, picture, {.profile = profile});
    const Delivered delivered = deliver("jpg", path);
    EXPECT_EQ(delivered.pixels, deliver("jpg", path, {.profile = false}).pixels);
    EXPECT_EQ(delivered.type.colour, ColourTag::rec709);
    return delivered.warnings;
  };
  EXPECT_NE(warnings(labProfile()).find("it is for 'Lab', not for RGB or grey; the file is taken as sRGB"),
            std::string::npos);
  EXPECT_NE(warnings(greyProfile(2.2)).find("it is for grey, but the image has colour"), std::string::npos);
  EXPECT_NE(warnings(randomBytes(500)).find("can't be used"), std::string::npos);
  std::vector<std::byte> unknown = rgbProfile(displayP3, 2.2);
  std::fill_n(unknown.begin() + 16, 4, std::byte{0xff});  // its colour space
  EXPECT_NE(warnings(unknown).find("it is for '" + std::string(4, '?') + "', not for RGB or grey"),
            std::string::npos)
      << warnings(unknown);
  auto cut = rgbProfile(displayP3, 0.0);
  cut.resize(200);
  EXPECT_NE(warnings(cut).find("can't be used"), std::string::npos);
}

TEST(Profile, RandomMissingPartsAndPngsOwnRulesAreTold) {
  Folder folder;
  const Picture picture = randomPicture(Format::u8, {9, 7});
  for (const auto& profile : {randomBytes(500), labProfile(), greyProfile(2.2)}) {
    writeTaggedPng(folder.file("a.png"), picture, {});
    insertChunk(folder.file("a.png"), "iCCP", iccpData(profile), "IDAT");
    const Delivered delivered = deliver("png", folder.file("a.png"));
    EXPECT_EQ(delivered.pixels, picture.pixels);
    EXPECT_NE(delivered.warnings.find("iCCP: profile 'test': "), std::string::npos) << delivered.warnings;
  }
  auto profile = rgbProfile(displayP3, 0.0);
  profile.resize(70000);  // two markers
  writeTaggedJpeg(folder.file("a.jpg"), randomPicture(Format::u8, {9, 7}), {.profile = profile});
  std::string bytes = slurp(folder.file("a.jpg"));
  const size_t second = bytes.find(std::string("ICC_PROFILE\0\2", 13));
  ASSERT_NE(second, std::string::npos);
  bytes[second] = 'X';
  spill(folder.file("a.jpg"), bytes);
  EXPECT_NE(deliver("jpg", folder.file("a.jpg")).warnings.find("parts of it are missing"), std::string::npos);
}

// Our files describe the written values: read with their profile, the tag and the curve are
// right.
TEST(Profile, RandomOurFilesHaveOneThatFits) {
  Folder folder;
  for (const ColourTag colour : {ColourTag::rec709, ColourTag::rec2020}) {
    Picture picture = randomPicture(Format::u8, {64, 16});
    picture.type.colour = colour;
    for (const char* codec : {"png", "jpg"}) {
      writeImage(codec, folder.file(codec), {{"x", picture.type, picture.pixels}});
      EXPECT_EQ(deliver(codec, folder.file(codec)).type, picture.type) << codec;
      const std::string once = slurp(folder.file(codec));
      writeImage(codec, folder.file(codec), {{"x", picture.type, picture.pixels}});
      EXPECT_EQ(slurp(folder.file(codec)), once);
      writeImage(codec, folder.file(codec), {{"x", picture.type, picture.pixels}}, {.linear = true});
      const bool wide = colour == ColourTag::rec2020;
      expectConverted(deliver(codec, folder.file(codec)),
                      deliver(codec, folder.file(codec), {.profile = false}),
                      wide ? io::rec2020WhiteAndPrimaries : io::rec709WhiteAndPrimaries, 1.0);
    }
  }
  EXPECT_TRUE(io::profileFor(ColourTag::data, false).empty());
}

bool hasColourChunk(const std::string& file) {
  return file.find("iCCP") != std::string::npos || file.find("sRGB") != std::string::npos ||
         file.find("gAMA") != std::string::npos || file.find("ICC_PROFILE") != std::string::npos;
}

TEST(Profile, RandomDataHasNone) {
  Folder folder;
  Picture picture = randomPicture(Format::u8, {9, 7});
  for (const bool linear : {false, true})
    for (const char* codec : {"png", "jpg"}) {
      picture.type.colour = ColourTag::data;
      writeImage(codec, folder.file(codec), {{"x", picture.type, picture.pixels}}, {.linear = linear});
      EXPECT_FALSE(hasColourChunk(slurp(folder.file(codec)))) << codec;
      picture.type.colour = ColourTag::rec709;
      writeImage(codec, folder.file(codec), {{"x", picture.type, picture.pixels}}, {.linear = linear});
      EXPECT_TRUE(hasColourChunk(slurp(folder.file(codec)))) << codec;
    }
}

}  // namespace
}  // namespace lacuna::test
