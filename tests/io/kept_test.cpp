// The data that a PNG or JPEG file keeps of the file that its picture comes from: bits, grey, alpha, Exif,
// XMP, text, density, colour profiles; and what it must not take over.

#include <array>

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

constexpr Extent extent{13, 9};
constexpr io::Chromaticities p3Primaries = {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};

// The same each time, and not grey.
Picture somePicture(Format format) {
  std::mt19937_64 random = namedRandom("kept");
  return randomPicture(format, extent, random);
}

const io::Codec& codecNamed(const std::string& name) {
  return *io::codecOfWord(name);
}

class Kept : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }
  static std::string codecOf(const std::string& name) { return name.ends_with("png") ? "png" : "jpg"; }

  // Reads `from` and writes it as `to`: 16 bit only between PNG files.
  void pass(const std::string& from, const std::string& to, WriteOptions options = {},
            Origin origin = {}) const {
    const Delivered delivered = deliver(codecOf(from), path(from), origin.read);
    origin.path = path(from);
    options.origin = origin;
    write(to, delivered.type, delivered.pixels, options);
  }

  void write(const std::string& to, const ValueType& type, const std::vector<std::byte>& pixels,
             const WriteOptions& options) const {
    writeImage(codecOf(to), path(to), {{"output", type, pixels}}, options);
  }

  io::Metadata metadata(const std::string& name) const {
    return codecNamed(codecOf(name)).metadata(path(name), {});
  }
  io::StoredKind kind(const std::string& name) const {
    return codecNamed(codecOf(name)).kind(path(name), "output", {});
  }

  static std::string text(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  const Folder folder_;
};

Picture greyPicture(Format format) {
  Picture picture = somePicture(format);
  picture.grey = true;
  return picture;
}

TEST_F(Kept, BitsGreyAndAlphaOfPngFiles) {
  for (const Format format : {Format::u8, Format::u16})
    for (const bool grey : {false, true}) {
      Picture picture = somePicture(format);
      picture.grey = grey;
      if (!grey)  // opaque, but with alpha
        for (size_t i = 0; i < picture.pixels.size(); i += format == Format::u8 ? 4 : 8)
          std::memset(&picture.pixels[i + (format == Format::u8 ? 3 : 6)], 0xff,
                      format == Format::u8 ? 1 : 2);
      writeTaggedPng(path("in.png"), picture, {});
      pass("in.png", "out.png");
      EXPECT_EQ(kind("out.png").bits, format == Format::u8 ? 8 : 16);
      EXPECT_EQ(kind("out.png").grey, grey);
      EXPECT_EQ(kind("out.png").alpha, !grey);
      EXPECT_EQ(deliver("png", path("out.png")).pixels, deliver("png", path("in.png")).pixels);
    }
}

TEST_F(Kept, GreyThatGotColourIsWrittenAsColour) {
  writeTaggedPng(path("in.png"), greyPicture(Format::u8), {});
  Delivered delivered = deliver("png", path("in.png"));
  delivered.pixels[4] ^= std::byte{0x40};
  for (const char* to : {"out.png", "out.jpg"}) {
    write(to, delivered.type, delivered.pixels, {.origin = Origin{path("in.png")}});
    EXPECT_FALSE(kind(to).grey) << to;
  }
  pass("in.png", "out.jpg");
  EXPECT_TRUE(kind("out.jpg").grey);
}

TEST_F(Kept, NothingWithoutAnOrigin) {
  const Picture picture = greyPicture(Format::u8);
  writeTaggedPng(path("in.png"), picture, {.exif = exifData(1, false)});
  const Delivered delivered = deliver("png", path("in.png"));
  for (const char* to : {"out.png", "out.jpg"}) {
    write(to, delivered.type, delivered.pixels, {});
    EXPECT_FALSE(kind(to).grey);
    EXPECT_TRUE(metadata(to).exif.empty());
  }
}

TEST_F(Kept, ExifGoesThroughAndIsUpright) {
  const Picture picture = somePicture(Format::u8);
  for (const bool bigEndian : {false, true}) {
    writeTaggedPng(path("in.png"), picture, {.exif = exifData(6, bigEndian)});
    writeTaggedJpeg(path("in.jpg"), picture, {.exif = exifData(6, bigEndian)});
    for (const char* from : {"in.png", "in.jpg"})
      for (const char* to : {"out.png", "out.jpg"}) {
        pass(from, to);
        EXPECT_EQ(text(metadata(to).exif), exifData(1, bigEndian)) << from << " to " << to;
        EXPECT_EQ(deliver(codecOf(to), path(to)).type.extent, (Extent{extent.height, extent.width}));
        // Not turned when it was read, so the tag stays.
        pass(from, to, {}, {.read = {.orientation = false}});
        EXPECT_EQ(text(metadata(to).exif), exifData(6, bigEndian)) << from << " to " << to;
      }
  }
}

TEST_F(Kept, TextDensityAndUnknownChunks) {
  writeTaggedPng(path("in.png"), somePicture(Format::u8), {});
  const std::string xmp = "<x:xmpmeta><rdf:Description tiff:Orientation=\"1\"/></x:xmpmeta>";
  insertChunk(path("in.png"), "tEXt", std::string("Comment\0A walk", 14), "IDAT");
  insertChunk(path("in.png"), "tEXt", std::string("Author\0Somebody", 15), "IEND");
  insertChunk(path("in.png"), "iTXt", xmpChunkData(xmp), "IEND");
  insertChunk(path("in.png"), "pHYs", std::string("\0\0\x2e\x23\0\0\x2e\x23\1", 9), "IDAT");  // 300 dpi
  insertChunk(path("in.png"), "saFe", "copied", "IEND");  // upper-case third letter is reserved; last: safe
  insertChunk(path("in.png"), "unSF", "depends on pixels", "IEND");
  pass("in.png", "out.png");
  const std::string png = slurp(path("out.png"));
  for (const char* part : {"Comment", "A walk", "Somebody", "saFecopied", "x:xmpmeta"})
    EXPECT_NE(png.find(part), std::string::npos) << part;
  EXPECT_EQ(png.find("unSF"), std::string::npos);
  EXPECT_EQ(metadata("out.png").density, metadata("in.png").density);
  EXPECT_EQ(metadata("out.png").comments, metadata("in.png").comments);
  EXPECT_EQ(png.find("A walk"), png.rfind("A walk"));
  pass("in.png", "out.jpg");
  const io::Metadata jpeg = metadata("out.jpg");
  EXPECT_EQ(jpeg.xmp, xmp);
  EXPECT_EQ(jpeg.comments, std::vector<std::string>{"A walk"});
  EXPECT_EQ(jpeg.density, (io::Density{300, 300, io::Density::Unit::inch}));
  pass("out.jpg", "back.png");
  EXPECT_EQ(metadata("back.png").xmp, xmp);
  EXPECT_EQ(metadata("back.png").comments, std::vector<std::string>{"A walk"});
  EXPECT_EQ(metadata("back.png").density, metadata("in.png").density);
}

TEST_F(Kept, DensitiesWithoutAUnit) {
  writeTaggedPng(path("in.png"), somePicture(Format::u8), {});
  insertChunk(path("in.png"), "pHYs", std::string("\0\0\0\2\0\0\0\1\0", 9), "IDAT");
  pass("in.png", "out.jpg");
  EXPECT_EQ(metadata("out.jpg").density, (io::Density{2, 1, io::Density::Unit::none}));
  pass("out.jpg", "back.png");
  EXPECT_EQ(metadata("back.png").density, metadata("in.png").density);
}

// libpng refuses them before pixels, and readers would refuse a copy.
TEST_F(Kept, ChunksWhoseTypesAreNoLettersAreLeftOut) {
  writeTaggedPng(path("in.png"), somePicture(Format::u8), {});
  const Delivered delivered = deliver("png", path("in.png"));
  insertChunk(path("in.png"), "a\1Ab", "no letters", "IEND");
  write("out.png", delivered.type, delivered.pixels, {.origin = Origin{path("in.png")}});
  EXPECT_EQ(slurp(path("out.png")).find("no letters"), std::string::npos);
  EXPECT_EQ(deliver("png", path("out.png")).pixels, delivered.pixels);
}

TEST_F(Kept, ProfilesOfValuesThatPassThrough) {
  const std::vector<std::byte> profile = rgbProfile(p3Primaries, 0.0);
  const Picture picture = somePicture(Format::u8);
  const Origin raw{.read = {.profile = false}, .isRaw = true};
  writeTaggedPng(path("in.png"), picture, {.profile = profile});
  writeTaggedJpeg(path("in.jpg"), picture, {.profile = profile});
  for (const char* from : {"in.png", "in.jpg"})
    for (const char* to : {"out.png", "out.jpg"}) {
      pass(from, to, {.linear = true}, raw);
      EXPECT_EQ(metadata(to).colour.profile, profile) << from << " to " << to;
    }
  // Converted when they were read: the file says what they are now.
  Delivered delivered = deliver("png", path("in.png"));
  write("wide.png", delivered.type, delivered.pixels, {.origin = Origin{path("in.png")}});
  EXPECT_EQ(metadata("wide.png").colour.profile, io::profileFor(ColourTag::rec2020, false));
}

TEST_F(Kept, FilesWithoutAProfileStayWithout) {
  const Origin raw{.read = {.profile = false}, .isRaw = true};
  const Picture picture = somePicture(Format::u8);
  writeTaggedPng(path("in.png"), picture, {});
  writeTaggedPng(path("srgb.png"), picture, {.srgb = true});
  writeTaggedPng(path("gamma.png"), picture, {.gamma = 0.7, .whiteAndPrimaries = p3Primaries});
  for (const char* name : {"in.png", "srgb.png", "gamma.png"}) {
    pass(name, "out.png", {.linear = true}, raw);
    const io::Metadata before = metadata(name), after = metadata("out.png");
    EXPECT_EQ(after.colour, before.colour) << name;
    ASSERT_EQ(after.colourChunks.size(), before.colourChunks.size()) << name;
    for (size_t i = 0; i < after.colourChunks.size(); ++i)
      EXPECT_EQ(after.colourChunks[i].data, before.colourChunks[i].data);
    pass(name, "out.jpg", {.linear = true}, raw);
    EXPECT_EQ(metadata("out.jpg").colour.profile, std::string(name) == "srgb.png"
                                                      ? io::profileFor(ColourTag::rec709, false)
                                                      : std::vector<std::byte>());
  }
}

TEST_F(Kept, TheSamesRgbProfileIsWrittenAgain) {
  const std::vector<std::byte> profile = rgbProfile(io::rec709WhiteAndPrimaries, 0.0);
  writeTaggedJpeg(path("in.jpg"), somePicture(Format::u8), {.profile = profile});
  for (const char* to : {"out.png", "out.jpg"}) {
    pass("in.jpg", to);
    EXPECT_EQ(metadata(to).colour.profile, profile) << to;
  }
}

TEST_F(Kept, GreyHasItsAlpha) {
  for (const Format format : {Format::u8, Format::u16}) {
    writeTaggedPng(path("in.png"), greyPicture(format), {});
    Delivered delivered = deliver("png", path("in.png"));
    const size_t wordBytes = format == Format::u16 ? 2 : 1;
    for (size_t i = 0; i < delivered.pixels.size(); i += 4 * wordBytes)
      for (size_t byte = 0; byte < wordBytes; ++byte)
        delivered.pixels[i + 3 * wordBytes + byte] = static_cast<std::byte>(7 * i + byte);
    write("out.png", delivered.type, delivered.pixels, {.origin = Origin{path("in.png")}});
    EXPECT_TRUE(kind("out.png").grey && kind("out.png").alpha);
    EXPECT_EQ(deliver("png", path("out.png")).pixels, delivered.pixels);
  }
}

// H.273, tables 2 and 3; PNG files hold RGB, whose matrix is 0.
TEST(CodePoints, AreTheStandards) {
  struct Case {
    std::array<int, 4> codes;
    std::optional<double> gamma;
    std::optional<io::Chromaticities> space;
  };
  const Case cases[] = {{{1, 13, 0, 1}, {}, {}},
                        {{1, 4, 0, 1}, 2.2, {}},
                        {{1, 5, 0, 1}, 2.8, {}},
                        {{9, 8, 0, 1}, 1.0, io::rec2020WhiteAndPrimaries},
                        {{12, 13, 0, 1}, {}, p3Primaries}};
  for (const Case& each : cases)
    for (const auto& [place, wrong] :
         {std::pair<size_t, int>{0, each.codes[0]}, {0, 3}, {1, 3}, {2, 1}, {3, 0}}) {
      std::array<std::byte, 4> chunk{};
      for (size_t i = 0; i < 4; ++i)
        chunk[i] = static_cast<std::byte>(i == place ? wrong : each.codes[i]);
      const bool isKnown = place == 0 && wrong == each.codes[0];
      io::ColourDescription colour;
      EXPECT_EQ(io::readCicp(chunk, colour), "");
      EXPECT_EQ(colour.gamma, isKnown ? each.gamma : std::nullopt) << place;
      EXPECT_EQ(colour.whiteAndPrimaries, isKnown ? each.space : std::nullopt) << place;
      EXPECT_EQ(colour.codePoints.size(), isKnown ? 0U : 4U) << place;
    }
  io::ColourDescription none;
  EXPECT_NE(io::readCicp(std::array<std::byte, 3>{}, none), "");
}

// PQ, HLG, a range that isn't full; then sRGB's own code points, whose values are sRGB.
TEST_F(Kept, CodePointsAndWhatBelongsToThem) {
  const Picture picture = somePicture(Format::u16);
  const std::string display(24, 'd'), light(8, 'l');
  using namespace std::string_literals;
  for (const std::string& whole : {"\x09\x10\0\1"s, "\x09\x12\0\1"s, "\x09\x0d\0\0"s, "\1\x0d\0\1"s}) {
    writeTaggedPng(path("in.png"), picture, {});
    for (const auto& [name, data] : {std::pair("cICP", whole), {"mDCV", display}, {"cLLI", light}})
      insertChunk(path("in.png"), name, data, "IDAT");
    const Origin origin{.path = path("in.png"), .read = {.own = true}};
    EXPECT_EQ(deliver("png", path("in.png"), origin.read).type.colour,
              whole[0] == 1 ? ColourTag::rec709 : ColourTag::own);
    pass("in.png", "out.png", {.colours = origin}, origin);
    EXPECT_EQ(deliver("png", path("out.png"), origin.read).pixels, picture.pixels);
    const io::Metadata after = metadata("out.png");
    ASSERT_EQ(after.colourChunks.size(), 3U);
    EXPECT_EQ(text(after.colourChunks[0].data), whole);
    EXPECT_EQ(text(after.colourChunks[1].data), display);
    EXPECT_EQ(text(after.colourChunks[2].data), light);
    // Without metadata the file still says what its values are.
    const Delivered delivered = deliver("png", path("in.png"), origin.read);
    if (delivered.type.colour == ColourTag::own) {
      write("bare.png", delivered.type, delivered.pixels, {.colours = origin});
      EXPECT_EQ(metadata("bare.png").colour, metadata("in.png").colour);
    }
  }
}

// As cameras write it: ColorSpace isn't sRGB, and InteropIndex is R03.
TEST_F(Kept, AdobeRgbByExifAloneBecomesAProfile) {
  const auto& number = exifNumber;
  const auto& entry = exifEntry;
  const auto exif = [&](uint32_t space, char digit) {
    return "II" + number(42, 2) + number(8, 4) + number(1, 2) + entry(0x8769, 4, 1, 26) + number(0, 4) +
           number(2, 2) + entry(0xa001, 3, 1, space) + entry(0xa005, 4, 1, 56) + number(0, 4) + number(1, 2) +
           entry(1, 2, 4, 'R' | '0' << 8U | uint32_t(digit) << 16U) + number(0, 4);
  };
  const auto isAdobe = [&](const std::string& name) {
    const std::optional<io::Chromaticities> found = io::primariesOf(metadata(name).colour);
    const io::ColourReading reading = io::readColour(metadata(name).colour, 1, true);
    return found && io::close(*found, io::adobeRgbWhiteAndPrimaries) &&
           std::abs(reading.gamma - io::adobeRgbGamma) < 0.01;
  };
  const Origin own{.read = {.own = true}};
  for (const char* from : {"in.jpg", "in.png"}) {
    const auto writeFrom = [&](const std::string& data) {
      if (codecOf(from) == "png")
        writeTaggedPng(path(from), somePicture(Format::u8), {.exif = data});
      else
        writeTaggedJpeg(path(from), somePicture(Format::u8), {.exif = data});
    };
    writeFrom(exif(0xffff, '3'));
    EXPECT_TRUE(isAdobe(from));
    for (const char* to : {"out.jpg", "out.png"}) {
      pass(from, to, {.colours = Origin{.path = path(from), .read = own.read}}, own);
      EXPECT_TRUE(isAdobe(to)) << from << " to " << to;
      EXPECT_FALSE(metadata(to).colour.profile.empty());
    }
    for (const auto& [space, digit] : {std::pair(1, '3'), std::pair(0xffff, '8')}) {
      writeFrom(exif(static_cast<size_t>(space), digit));
      EXPECT_FALSE(isAdobe(from)) << space << " " << digit;
    }
  }
}

TEST_F(Kept, GreyProfilesStandInGreyFilesOnly) {
  const std::vector<std::byte> profile = greyProfile(0.0);
  const Origin raw{.read = {.profile = false}, .isRaw = true};
  writeTaggedPng(path("in.png"), greyPicture(Format::u8), {.profile = profile});
  pass("in.png", "out.png", {.linear = true}, raw);
  EXPECT_EQ(metadata("out.png").colour.profile, profile);
  Delivered delivered = deliver("png", path("in.png"), raw.read);
  delivered.pixels[0] ^= std::byte{0x80};
  Origin origin = raw;
  origin.path = path("in.png");
  write("colour.png", delivered.type, delivered.pixels, {.linear = true, .origin = origin});
  EXPECT_FALSE(kind("colour.png").grey);
  EXPECT_TRUE(metadata("colour.png").colour.profile.empty());
}

std::vector<std::byte> asBytes(const std::string& text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  return {start, start + text.size()};
}

// Two folders: ImageWidth, ImageLength, Orientation and the inner folder with PixelXDimension and
// PixelYDimension; then a thumbnail of 4 bytes.
std::string exifWithThumbnail(const std::string& behind) {
  const auto number = [](int value, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
  };
  const auto entry = [&](int tag, int type, int value) {
    return number(tag, 2) + number(type, 2) + number(1, 4) + number(value, 4);
  };
  constexpr int shorts = 3, longs = 4, inner = 8 + 2 + 48 + 4, next = inner + 2 + 24 + 4,
                thumbnail = next + 2 + 24 + 4;
  return "II" + number(42, 2) + number(8, 4) + number(4, 2) + entry(0x100, shorts, 4000) +
         entry(0x101, shorts, 3000) + entry(0x112, shorts, 8) + entry(0x8769, longs, inner) +
         number(next, 4) + number(2, 2) + entry(0xa002, longs, 4000) + entry(0xa003, longs, 3000) +
         number(0, 4) + number(2, 2) + entry(0x201, longs, thumbnail) + entry(0x202, longs, 4) +
         number(0, 4) + "JPEG" + behind;
}

TEST(ExifEdit, SizesOrientationAndThumbnail) {
  for (const std::string behind : {"", "notes of a camera"}) {
    std::vector<std::byte> exif = asBytes(exifWithThumbnail(behind));
    const size_t before = exif.size();
    io::editExif(exif, {300, 200}, true);
    const std::string text(reinterpret_cast<const char*>(exif.data()), exif.size());
    EXPECT_EQ(text.find("JPEG"), std::string::npos);
    EXPECT_EQ(exif.size(), behind.empty() ? before - 4 : before);
    EXPECT_TRUE(text.ends_with(behind));
    const auto valueOf = [&](size_t entry) {
      return std::to_integer<int>(exif[entry + 8]) + 256 * std::to_integer<int>(exif[entry + 9]);
    };
    constexpr size_t first = 10, inner = 64, bytes = 12;
    EXPECT_EQ(valueOf(first), 300);
    EXPECT_EQ(valueOf(first + bytes), 200);
    EXPECT_EQ(valueOf(first + 2 * bytes), 1);  // the orientation
    EXPECT_EQ(valueOf(inner), 300);
    EXPECT_EQ(valueOf(inner + bytes), 200);
  }
}

TEST(ExifEdit, DamagedDataDoesNoHarm) {
  const std::string whole = exifWithThumbnail("");
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    std::vector<std::byte> exif = asBytes(whole.substr(0, bytes));
    io::editExif(exif, {300, 200}, true);
    EXPECT_LE(exif.size(), bytes);
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string wrong = whole;
    wrong[at] = '\xff';
    std::vector<std::byte> exif = asBytes(wrong);
    io::editExif(exif, {300, 200}, true);
    EXPECT_LE(exif.size(), whole.size());
  }
}

TEST(ExifEdit, Xmp) {
  std::string xmp =
      "<a tiff:Orientation=\"6\" exif:PixelXDimension='4000'><tiff:ImageLength>3000</tiff:ImageLength>";
  io::editXmp(xmp, {300, 200}, true);
  EXPECT_EQ(xmp,
            "<a tiff:Orientation=\"1\" exif:PixelXDimension='300'><tiff:ImageLength>200</tiff:ImageLength>");
  std::string turned = "<a tiff:Orientation=\"6\"/>";
  io::editXmp(turned, {300, 200}, false);
  EXPECT_EQ(turned, "<a tiff:Orientation=\"6\"/>");
}

}  // namespace
}  // namespace lacuna::test
