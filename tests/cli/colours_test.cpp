// The denoised picture keeps the input's statements about colours, and if nothing is to be changed, its
// values to the last bit.

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include "modules/codecs/codec.h"
#include "tests/io/tagged_files.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr io::Chromaticities displayP3 = {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
constexpr io::Chromaticities adobeRgb = {0.3127, 0.3290, 0.640, 0.330, 0.210, 0.710, 0.150, 0.060};
constexpr io::Chromaticities proPhoto = {0.3457,   0.3585,   0.734699, 0.265301,
                                         0.159597, 0.840403, 0.036598, 0.000105};
constexpr io::Chromaticities acesCg = {0.32168, 0.33767, 0.713, 0.293, 0.165, 0.830, 0.128, 0.044};
constexpr io::Chromaticities aces2065 = {0.32168, 0.33767, 0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.0770};

class Colours : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  static Picture opaque(Format format, bool grey = false) {
    Picture picture = randomPicture(format, {31, 22});
    picture.grey = grey;
    const size_t word = format == Format::u16 ? 2 : 1;
    for (size_t alpha = 3 * word; alpha < picture.pixels.size(); alpha += 4 * word)
      std::memset(&picture.pixels[alpha], 0xff, word);
    return picture;
  }

  Outcome program(const std::vector<std::string>& words) const {
    return runProgram(words, {.folder = folder_.path()});
  }

  void expectSame(const std::string& before, const std::string& after) const {
    const ReadOptions stored{.profile = false};
    const Delivered a = deliver("png", path(before), stored), b = deliver("png", path(after), stored);
    EXPECT_EQ(print(a.type), print(b.type)) << before;
    EXPECT_EQ(a.pixels, b.pixels) << before;
    EXPECT_EQ(io::codecOfWord("png")->metadata(path(before)).colour,
              io::codecOfWord("png")->metadata(path(after)).colour)
        << before;
  }

  // Red, green and blue of floats; chromaticities where given.
  void writeExrOf(const std::string& name, const std::optional<io::Chromaticities>& c) const {
    Imf::Header header(7, 5);
    if (c) {
      const auto point = [&](size_t i) {
        return Imath::V2f(static_cast<float>((*c)[i]), static_cast<float>((*c)[i + 1]));
      };
      Imf::addChromaticities(header, {point(2), point(4), point(6), point(0)});
    }
    std::vector<float> values(size_t{3} * 7 * 5);
    std::mt19937_64 random = namedRandom(name);
    for (float& value : values)
      value = std::uniform_real_distribution<float>(-0.5F, 30.0F)(random);
    Imf::FrameBuffer frame;
    for (const size_t i : {0, 1, 2}) {
      const char* channel = i == 0 ? "R" : i == 1 ? "G" : "B";
      header.channels().insert(channel, Imf::Channel(Imf::FLOAT));
      frame.insert(channel,
                   Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data() + i), 12, size_t{12} * 7));
    }
    Imf::OutputFile file(path(name).c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(5);
  }

  std::optional<io::Chromaticities> chromaticities(const std::string& name) const {
    return io::codecOfWord("exr")->metadata(path(name)).colour.whiteAndPrimaries;
  }

  const Folder folder_;
};

TEST_F(Colours, RandomPicturesOfAnyProfileComeBackAtStrengthZero) {
  const std::pair<const char*, std::vector<std::byte>> profiles[] = {
      {"p3", rgbProfile(displayP3, 0.0)},
      {"adobe", rgbProfile(adobeRgb, 2.19921875)},
      {"prophoto", rgbProfile(proPhoto, 1.8)},
      {"linear", rgbProfile(acesCg, 1.0)},
      {"tables", tableProfile()}};
  std::vector<std::string> words = {"denoise"};
  for (const Format format : {Format::u8, Format::u16}) {
    const char* bits = format == Format::u8 ? "8" : "16";
    for (const auto& [name, profile] : profiles) {
      words.push_back(fmt::format("{}-{}.png", name, bits));
      writeTaggedPng(path(words.back()), opaque(format), {.profile = profile});
    }
    words.push_back(fmt::format("grey-{}.png", bits));
    writeTaggedPng(path(words.back()), opaque(format, true), {.profile = greyProfile(1.8)});
    words.push_back(fmt::format("chunks-{}.png", bits));
    writeTaggedPng(path(words.back()), opaque(format), {.gamma = 0.7, .whiteAndPrimaries = displayP3});
  }
  const std::vector<std::string> names(words.begin() + 1, words.end());
  words.insert(words.end(), {"-o", "out/", "--strength", "0"});
  const Outcome outcome = program(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string& name : names)
    expectSame(name, "out/" + name);
}

TEST_F(Colours, RandomPicturesWithCodePointsComeBackAndAreWhatTheySay) {
  using namespace std::string_literals;
  // cICP takes precedence: gAMA states something else.
  const auto write = [&](const char* name, const std::string& points) {
    writeTaggedPng(path(name), opaque(Format::u16), {.gamma = 0.3});
    insertChunk(path(name), "cICP", points, "IDAT");
  };
  write("p3.png", "\x0c\x0d\x00\x01"s);
  write("linear.png", "\x09\x08\x00\x01"s);
  for (const char* name : {"p3.png", "linear.png"}) {
    const Outcome outcome = program({"denoise", name, "-o", "out/", "--strength", "0"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("cICP"), std::string::npos) << outcome.err;
    expectSame(name, "out/"s + name);
  }
  io::ColourDescription p3, linear;
  p3.whiteAndPrimaries = displayP3;
  linear.whiteAndPrimaries = io::rec2020WhiteAndPrimaries;
  linear.gamma = 1.0;
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("out/p3.png")).colour, p3);
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("out/linear.png")).colour, linear);
  // PQ isn't decoded: only a PNG file can say what the values are.
  write("pq.png", "\x09\x10\x00\x01"s);
  const Outcome kept = program({"denoise", "pq.png", "-o", "out/", "--strength", "0"});
  EXPECT_EQ(kept.code, 0) << kept.err;
  expectSame("pq.png", "out/pq.png");
  for (const char* other : {"pq.jpg", "pq.exr"}) {
    const Outcome refused = program({"denoise", "pq.png", "-o", other});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("pq.png are PQ (cICP 9 16 0 1), which only PNG files can state"),
              std::string::npos)
        << refused.err;
  }
}

// A sequence is decoded by one curve; primaries may differ, since each file keeps its own.
TEST_F(Colours, RandomFramesOfOtherCurvesAreRefused) {
  const auto write = [&](int frame, double gamma, const io::Chromaticities& primaries) {
    writeTaggedPng(path(fmt::format("in{}.png", frame)), opaque(Format::u16),
                   {.gamma = gamma, .whiteAndPrimaries = primaries});
  };
  spill(path("graph.cfg"), exposureGraph("in%d.png", "out%d.png", "param:exposure:01:stops:0\n"));
  write(1, 1 / 2.2, displayP3);
  write(2, 1 / 2.2, adobeRgb);
  const Outcome same = program({"run", "graph.cfg"});
  ASSERT_EQ(same.code, 0) << same.err;
  for (const int frame : {1, 2})
    expectSame(fmt::format("in{}.png", frame), fmt::format("out{}.png", frame));
  write(2, 1.0, displayP3);
  const Outcome other = program({"run", "graph.cfg"});
  EXPECT_EQ(other.code, 4) << other.err;
  EXPECT_NE(
      other.err.find("in2.png: its values have gamma 1, but those of the first file that was read gamma 2.2"),
      std::string::npos)
      << other.err;
  EXPECT_EQ(program({"run", "graph.cfg", "-p", "i-png:01:profile=convert"}).code, 0);
}

TEST_F(Colours, RandomPhotographsKeepTheirProfileThroughAnyGraph) {
  const std::vector<std::byte> profile = rgbProfile(displayP3, 0.0);
  writeTaggedJpeg(path("in.jpg"), opaque(Format::u8), {.profile = profile});
  spill(path("graph.cfg"), exposureGraph("in.png", "out.png", "param:exposure:01:stops:-1\n"));
  writeTaggedPng(path("in.png"), opaque(Format::u8), {.profile = profile});
  ASSERT_EQ(program({"run", "graph.cfg"}).code, 0);
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("out.png")).colour.profile, profile);
  EXPECT_EQ(io::codecOfWord("png")->kind(path("out.png"), "output", {}).bits, 8);
  ASSERT_EQ(program({"denoise", "in.jpg", "-o", "out.jpg"}).code, 0);
  EXPECT_EQ(io::codecOfWord("jpg")->metadata(path("out.jpg")).colour.profile, profile);
  // Even if everything else is dropped, the values are still in that space.
  ASSERT_EQ(program({"run", "graph.cfg", "-p", "o-png:01:keep=none", "-o", "none.png"}).code, 0);
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("none.png")).colour.profile, profile);
  ASSERT_EQ(program({"run", "graph.cfg", "-p", "i-png:01:profile=convert", "-o", "wide.png"}).code, 0);
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("wide.png")).colour.profile,
            io::profileFor(ColourTag::rec2020, false));
}

TEST_F(Colours, RandomProfilesBecomeChromaticitiesOfOpenExrFiles) {
  writeTaggedPng(path("p3.png"), opaque(Format::u8), {.profile = rgbProfile(displayP3, 0.0)});
  writeTaggedPng(path("tables.png"), opaque(Format::u8), {.profile = tableProfile()});
  ASSERT_EQ(program({"denoise", "p3.png", "-o", "p3.exr"}).code, 0);
  ASSERT_TRUE(chromaticities("p3.exr"));
  EXPECT_TRUE(io::close(*chromaticities("p3.exr"), displayP3));
  ASSERT_EQ(program({"denoise", "p3.exr", "-o", "back.png", "--method", "eaw", "--strength", "0"}).code, 0);
  const auto primaries = io::primariesOf(io::codecOfWord("png")->metadata(path("back.png")).colour);
  ASSERT_TRUE(primaries);
  EXPECT_TRUE(io::close(*primaries, displayP3));
  const Outcome outcome = program({"denoise", "tables.png", "-o", "tables.exr"});
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("no chromaticities"), std::string::npos) << outcome.err;
}

// No display has the spaces that renders are computed in.
TEST_F(Colours, OfRendersBecomeSrgbInFilesForViewing) {
  for (const auto& [name, c] : {std::pair("cg.exr", acesCg), std::pair("aces.exr", aces2065)}) {
    writeExrOf(name, c);
    ASSERT_EQ(program({"denoise", name, "-o", "out.png", "--strength", "0"}).code, 0);
    const Outcome info = program({"info", "out.png"});
    EXPECT_NE(info.out.find("sRGB"), std::string::npos) << info.out;
    EXPECT_EQ(info.out.find("as the input file"), std::string::npos) << info.out;
    ASSERT_EQ(
        program({"denoise", name, "-o", "own.png", "--strength", "0", "-p", "i-file:in:profile=as-file"})
            .code,
        0);
    const auto primaries = io::primariesOf(io::codecOfWord("png")->metadata(path("own.png")).colour);
    ASSERT_TRUE(primaries);
    EXPECT_TRUE(io::close(*primaries, c));
  }
}

TEST_F(Colours, ChromaticitiesOfOpenExrFilesStay) {
  const std::pair<const char*, std::optional<io::Chromaticities>> files[] = {
      {"none.exr", std::nullopt},
      {"cg.exr", acesCg},
      {"aces.exr", aces2065},
      {"p3.exr", displayP3},
      {"wide.exr", io::rec2020WhiteAndPrimaries}};
  std::vector<std::string> words = {"denoise"};
  for (const auto& [name, c] : files) {
    writeExrOf(name, c);
    words.emplace_back(name);
  }
  words.insert(words.end(), {"-o", "out/", "--strength", "0", "--method", "eaw"});
  const Outcome outcome = program(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& [name, c] : files) {
    const std::string to = std::string("out/") + name;
    EXPECT_EQ(chromaticities(to), chromaticities(name)) << name;
    EXPECT_EQ(chromaticities(to).has_value(), c.has_value()) << name;
    EXPECT_EQ(readPlane("exr", path(to), "output"), readPlane("exr", path(name), "output")) << name;
  }
}

TEST_F(Colours, RandomPicturesOfTwoSpacesAreNotMixed) {
  for (const char* name : {"a.png", "b.png"})
    writeTaggedPng(path(name), opaque(Format::u8), {.profile = rgbProfile(displayP3, 0.0)});
  spill(path("graph.cfg"),
        "lacuna:1\nmodule:i-png:a\nmodule:i-png:b\nmodule:mix:01\nmodule:o-png:01\n"
        "param:i-png:a:filename:a.png\nparam:i-png:b:filename:b.png\nparam:o-png:01:filename:out.png\n"
        "connect:i-png:a:output:mix:01:input\nconnect:i-png:b:output:mix:01:other\n"
        "connect:mix:01:output:o-png:01:input\n");
  const Outcome outcome = program({"check", "graph.cfg"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("mixes colours"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("profile:convert"), std::string::npos) << outcome.err;
  EXPECT_EQ(
      program({"check", "graph.cfg", "-p", "i-png:a:profile=convert", "-p", "i-png:b:profile=convert"}).code,
      0);
}

}  // namespace
}  // namespace lacuna::test
