// Netpbm files: every kind is read, against values by hand and OpenCV; files are written; a format is one
// file and one line.

#include "tests/support/python.h"

#include <set>

#include "graph/config/regex.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/image_info.h"
#include "tests/io/support.h"

namespace lacuna::test {
namespace {

class Pnm : public testing::Test {
 protected:
  std::string file(const std::string& bytes) const {
    spill(folder_.file("a"), bytes);
    return folder_.file("a");
  }
  std::vector<int> valuesOf(const std::string& bytes) const {
    const std::string path = file(bytes);
    const bool isWide = probeImage("pnm", path, {"output"}).at("output").format == Format::u16;
    const std::vector<std::byte> pixels = readPlane("pnm", path, "output");
    std::vector<int> values;
    for (size_t i = 0; i < pixels.size(); i += isWide ? 2 : 1) {
      uint16_t word = std::to_integer<uint8_t>(pixels[i]);
      if (isWide)
        std::memcpy(&word, pixels.data() + i, 2);
      values.push_back(word);
    }
    return values;
  }
  std::string refusal(const std::string& bytes) const {
    const std::string path = file(bytes);
    return errorOf([&] { readPlane("pnm", path, "output"); });
  }

  const Folder folder_;
};

using Values = std::vector<int>;

TEST_F(Pnm, EachKindIsRead) {
  EXPECT_EQ(valuesOf("P1\n# a comment\n2 1\n10"), (Values{0, 0, 0, 255, 255, 255, 255, 255}));
  EXPECT_EQ(valuesOf("P2 2 1 15 15 5"), (Values{255, 255, 255, 255, 85, 85, 85, 255}));
  EXPECT_EQ(valuesOf("P3\n1 1\n255\n1 2 3\n"), (Values{1, 2, 3, 255}));
  EXPECT_EQ(valuesOf(std::string("P4\n2 1\n\x40")), (Values{255, 255, 255, 255, 0, 0, 0, 255}));
  EXPECT_EQ(valuesOf(std::string("P5\n1 1\n1000\n\x01\xf4", 15)), (Values{32768, 32768, 32768, 65535}));
  EXPECT_EQ(valuesOf("P6 1 1 255\nabc"), (Values{97, 98, 99, 255}));
  EXPECT_EQ(valuesOf("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd"),
            (Values{97, 98, 99, 100}));
  EXPECT_EQ(valuesOf("P7\nHEIGHT 1\nWIDTH 1\nMAXVAL 65535\nDEPTH 2\nENDHDR\nabcd"),
            (Values{0x6162, 0x6162, 0x6162, 0x6364}));
}

TEST_F(Pnm, DamageIsNamed) {
  const auto expectRefused = [&](const std::string& bytes, const std::string& text) {
    const std::string error = refusal(bytes);
    EXPECT_TRUE(error.starts_with(folder_.file("a") + ": ")) << error;
    EXPECT_NE(error.find(text), std::string::npos) << error;
  };
  expectRefused("P6 2 2 255\nabc", "2 x 2 pixels need 12 bytes behind its header, but it has 3");
  expectRefused("P6 2 x 255\nabc", "the height is 'x'");
  expectRefused("P5 1 1 65536\nab", "the largest value is '65536', but must be 1 to 65535");
  expectRefused("P5 1 1 10\nz", "a value is 122, but 10 is the largest");
  expectRefused("P2 1 1 10 11", "a value is '11'");
  expectRefused("P1 1 1 7", "expected 0 or 1");
  expectRefused("P7\nWIDTH 1\nHEIGHT 1\nENDHDR\n", "no DEPTH or no MAXVAL");
  expectRefused("P7\nWIDTH 1\n", "breaks off in its header");
  expectRefused("P5 0 4 255\n", "no pixels");
  expectRefused("P5 65535 65535 255\n", "may have");
}

TEST_F(Pnm, RandomWhatIsWrittenIsWhatOpenCvReads) {
  const bool hasOpenCv = pythonRuns("import cv2");
  for (const Format format : {Format::u8, Format::u16})
    for (const std::string name : {"a.ppm", "a.pam"}) {
      const ValueType type{Channels::rgba, format, ColourTag::rec709, {23, 9}};
      std::vector<std::byte> pixels = randomPixels(type);
      std::vector<std::string> warnings;
      WriteOptions options;
      options.warn = [&](const std::string& text) { warnings.push_back(text); };
      writeImage("pnm", folder_.file(name), {{"output", type, pixels}}, options);
      EXPECT_EQ(warnings.size(), name == "a.ppm" ? 1U : 0U) << "alpha is lost";
      const size_t word = format == Format::u16 ? 2 : 1;
      for (size_t i = 0; name == "a.ppm" && i < pixels.size(); i += 4 * word)
        std::fill_n(pixels.begin() + static_cast<long>(i + 3 * word), word, std::byte{0xff});
      EXPECT_EQ(readPlane("pnm", folder_.file(name), "output"), pixels) << name;
      writeImage("png", folder_.file("a.png"), {{"output", type, pixels}});
      if (hasOpenCv && name == "a.ppm") {
        EXPECT_TRUE(
            pythonRuns(fmt::format("import cv2\na = cv2.imread(\"{0}/a.ppm\", -1)\n"
                                   "b = cv2.imread(\"{0}/a.png\", -1)[:, :, :3]\n"
                                   "assert a.dtype == b.dtype and (a == b).all()",
                                   folder_.path())));
      }
    }
}

TEST_F(Pnm, NamesSayWhatIsWritten) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {1, 1}};
  const auto written = [&](const std::string& name, const std::vector<uint8_t>& pixel) {
    writeImage("pnm", folder_.file(name), {{"output", type, std::as_bytes(std::span(pixel))}});
    return slurp(folder_.file(name));
  };
  EXPECT_EQ(written("a.ppm", {97, 97, 97, 255}), "P6\n1 1\n255\naaa");
  EXPECT_EQ(written("a.pgm", {97, 97, 97, 255}), "P5\n1 1\n255\na");
  EXPECT_EQ(written("a.pam", {97, 98, 99, 100}),
            "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd");
  EXPECT_NE(errorOf([&] { written("b.pgm", {97, 0, 97, 255}); }).find("name it .ppm"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_.file("b.pgm")));
  // Alpha of the input file stays, also where the picture has become opaque.
  const std::vector<uint8_t> opaque = {97, 98, 99, 255};
  for (const bool isKept : {true, false}) {
    WriteOptions options;
    if (isKept)
      options.origin = Origin{.path = folder_.file("a.pam")};
    const std::string path = folder_.file(isKept ? "b.pam" : "c.pam");
    writeImage("pnm", path, {{"output", type, std::as_bytes(std::span(opaque))}}, options);
    EXPECT_EQ(slurp(path).find("RGB_ALPHA") != std::string::npos, isKept);
  }
  const ImageInfo info = imageInfo(folder_.file("a.pam"));
  EXPECT_EQ(info.format + ", " + info.pixels + ", " + info.colour, "Netpbm, rgb with alpha, 8 bit, sRGB");
}

// modules/README.md, "A file format".
TEST(Formats, AreOneFileAndOneLine) {
  const fs::path root = fs::path(LACUNA_TEST_FOLDER) / "..";
  const std::set<std::string> endings = {".cpp", ".h", ".in", ".toml", ".glsl", ".txt", ".cmake", ""};
  const std::pair<const char*, const char*> formats[] = {
      {R"(\b(pnm(Codec)?|Netpbm)\b)", "pnm_file.cpp"},
      {R"(\b(webp(Codec)?|WebP)\b)", "webp_file.cpp"},
      {R"(\bjxl(Codec)?\b)", "jxl_file.cpp"},
      {R"(\b(avif(Codec)?|AVIF)\b)", "avif_file.cpp"},
      {R"(\b(hdrCodec|Radiance HDR)\b)", "radiance_file.cpp"},
      {R"(\btifCodec\b)", "tiff_read.cpp"}};
  for (const auto& [words, file] : formats) {
    const Regex name(words);
    std::set<std::string> files;
    for (const char* folder : {"graph", "modules", "tools"})
      for (const auto& entry : fs::recursive_directory_iterator(root / folder))
        if (entry.is_regular_file() && entry.path().filename() != "formats" &&
            entry.path().filename() != "test-packages" &&
            endings.contains(entry.path().extension().string()) && name.find(slurp(entry.path().string())))
          files.insert(fs::relative(entry.path(), root).string());
    EXPECT_EQ(files, std::set<std::string>{std::string("modules/codecs/") + file});
  }
}

// Each line is a codec of that name, and first bytes and extensions lead to only one.
TEST(Formats, AreToldApart) {
  std::istringstream lines(slurp(LACUNA_TEST_FOLDER "/../modules/codecs/formats"));
  std::vector<std::string> listed, known;
  for (std::string line; std::getline(lines, line);)
    listed.push_back(line);
  std::set<std::string_view> extensions;
  for (const io::Codec* codec : io::codecs()) {
    known.emplace_back(codec->name);
    EXPECT_EQ(io::codecOfWord(codec->name), codec);
    EXPECT_FALSE(codec->signatures.empty());
    for (const std::string_view extension : codec->extensions) {
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
      EXPECT_EQ(io::codecOfExtension(extension), codec);
    }
  }
  EXPECT_EQ(known, listed);
}

}  // namespace
}  // namespace lacuna::test
