// Formats of photographs beside PNG and JPEG: round trips, what they keep, and what conversions lose.

#include <Imath/half.h>
#include <fmt/format.h>

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"
#include "modules/codecs/image_info.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

struct Stored {
  const char* codec;
  Format format;
};

std::string nameOf(const testing::TestParamInfo<Stored>& info) {
  return std::string(info.param.codec) + "_" + std::string(name(info.param.format));
}

std::vector<std::byte> asHalves(const std::vector<std::byte>& bytes) {
  std::vector<std::byte> halves;
  for (const float value : asFloats(bytes)) {
    const Imath::half half(value);
    halves.push_back(static_cast<std::byte>(half.bits() & 0xff));
    halves.push_back(static_cast<std::byte>(half.bits() >> 8));
  }
  return halves;
}

// libavif spreads them over 16 by floats, whose last step may differ.
std::vector<std::byte> twelveBits(std::vector<std::byte> words) {
  for (size_t i = 0; i < words.size(); i += 2) {
    uint16_t word = 0;
    std::memcpy(&word, &words[i], 2);
    word = static_cast<uint16_t>((word * 4095U + 32767) / 65535);
    std::memcpy(&words[i], &word, 2);
  }
  return words;
}

// Every bit, with alpha: at sizes that break strips and runs.
class Lossless : public testing::TestWithParam<Stored> {
 protected:
  std::vector<std::byte> pixels(const ValueType& type) const {
    std::vector<std::byte> bytes = randomPixels(type);
    constexpr unsigned mostBits = 12;  // of AVIF: 12 bits as they are spread over 16
    if (std::string(GetParam().codec) == "avif" && type.format == Format::u16)
      for (size_t i = 0; i < bytes.size(); i += 2) {
        const unsigned value = static_cast<unsigned>(testRandom()() >> (64 - mostBits));
        const auto word = static_cast<uint16_t>(static_cast<double>(value) * 65535 / 4095 + 0.5);
        std::memcpy(&bytes[i], &word, 2);
      }
    return bytes;
  }

  const Folder folder_;
};

TEST_P(Lossless, RandomPicturesComeBack) {
  const auto& [codec, format] = GetParam();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{1, 65}, Extent{127, 509}})
    for (const bool isOpaque : {false, true}) {
      const ValueType type{Channels::rgba, format, ColourTag::rec709, extent};
      // libjxl 0.7 changes floats of all magnitudes in a picture of a few pixels.
      if (std::string(codec) == "jxl" && (format == Format::f16 || format == Format::f32) &&
          extent.width == 17)
        continue;
      std::vector<std::byte> written = pixels(type);
      const size_t bytes = bytesPerPixel(type.channels, format) / 4;
      const uint32_t one = format == Format::f16 ? 0x3c00 : format == Format::f32 ? 0x3f800000 : 0xffff;
      const uint32_t half = format == Format::f16 ? 0x3800 : format == Format::f32 ? 0x3f000000 : 0x7878;
      for (size_t i = 3 * bytes; i < written.size(); i += 4 * bytes)
        if (isOpaque || format == Format::f16 || format == Format::f32)
          std::memcpy(&written[i], isOpaque ? &one : &half, bytes);
      const std::string path = folder_.file("a");
      writeImage(codec, path, {{"x", type, written}}, {.lossless = "yes"});
      EXPECT_EQ(codecOfFile(path), codec);
      const ValueType found = probeImage(codec, path, {"output"}).at("output");
      std::vector<std::byte> read = readPlane(codec, path, "output");
      // JPEG XL: some halves are written as floats, and those with alpha divided by it, here by 0.5.
      if (format == Format::f16 && found.format == Format::f32)
        read = asHalves(read);
      else
        EXPECT_EQ(found, type) << print(type);
      if (std::string(codec) == "avif" && format == Format::u16)
        read = twelveBits(read), written = twelveBits(written);
      EXPECT_TRUE(read == written) << print(type) << (isOpaque ? " opaque" : "");
      EXPECT_EQ(io::codecOfWord(codec)->kind(path, "output", {}).alpha, !isOpaque);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Lossless,
                         testing::Values(Stored{"tif", Format::u8}, Stored{"tif", Format::u16},
                                         Stored{"tif", Format::f16}, Stored{"tif", Format::f32},
                                         Stored{"webp", Format::u8}, Stored{"jxl", Format::u8},
                                         Stored{"jxl", Format::u16}, Stored{"jxl", Format::f16},
                                         Stored{"jxl", Format::f32}, Stored{"avif", Format::u8},
                                         Stored{"avif", Format::u16}),
                         nameOf);

TEST(TiffFiles, RandomCompressionsKeepEveryBit) {
  const Folder folder;
  for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32})
    for (const char* compression : {"none", "lzw", "deflate", "packbits", "zstd"}) {
      const ValueType type{Channels::rgba, format, ColourTag::rec2020, {91, 70}};
      const auto pixels = randomPixels(type);
      writeImage("tif", folder.file("a.tif"), {{"x", type, pixels}}, {.tiffCompression = compression});
      EXPECT_TRUE(readPlane("tif", folder.file("a.tif"), "output") == pixels) << compression << print(type);
      EXPECT_EQ(io::codecOfWord("tif")->metadata(folder.file("a.tif"), {}).compression, compression);
      // Written again as it was.
      writeImage("tif", folder.file("b.tif"), {{"x", type, pixels}},
                 {.origin = Origin{folder.file("a.tif")}});
      EXPECT_EQ(io::codecOfWord("tif")->metadata(folder.file("b.tif"), {}).compression, compression);
    }
}

// Mantissas of 8 bits: within half a step of the largest component.
TEST(RadianceFiles, RandomLightIsWithinHalfAStep) {
  const Folder folder;
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{1, 65}, Extent{127, 509}}) {
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, extent};
    std::vector<std::byte> pixels(byteSize(type));
    for (size_t i = 0; i < pixels.size(); i += 4) {
      const float value = i % 16 == 12 ? 1.0F
                                       : std::ldexp(static_cast<float>(testRandom()() % 1000),
                                                    static_cast<int>(testRandom()() % 20) - 10);
      std::memcpy(&pixels[i], &value, 4);
    }
    writeImage("hdr", folder.file("a.hdr"), {{"x", type, pixels}});
    const auto once = readPlane("hdr", folder.file("a.hdr"), "output");
    const std::vector<float> was = asFloats(pixels), is = asFloats(once);
    for (size_t i = 0; i < is.size(); ++i) {
      const float most = std::max({was[i / 4 * 4], was[i / 4 * 4 + 1], was[i / 4 * 4 + 2]});
      ASSERT_LE(std::abs(is[i] - was[i]), i % 4 == 3 ? 0 : most / 255) << i;
    }
    writeImage("hdr", folder.file("b.hdr"), {{"x", type, once}});
    EXPECT_TRUE(readPlane("hdr", folder.file("b.hdr"), "output") == once) << "what has 8 bits stays";
  }
}

// As other programs turn the picture by the order of its axes.
TEST(RadianceFiles, OrdersOfAxes) {
  const Folder folder;
  const std::string pixels = std::string("\x80\x00\x00\x80", 4) + std::string("\x40\x80\x00\x80", 4);
  const auto first = [&](const std::string& size) {
    spill(folder.file("a.hdr"), "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + size + "\n" + pixels);
    const ValueType type = probeImage("hdr", folder.file("a.hdr"), {"output"}).at("output");
    const auto floats = asFloats(readPlane("hdr", folder.file("a.hdr"), "output"));
    return fmt::format("{}x{} {}", type.extent.width, type.extent.height, floats[1]);
  };
  EXPECT_EQ(first("-Y 1 +X 2"), "2x1 0");
  EXPECT_EQ(first("-Y 1 -X 2"), "2x1 0.5");
  EXPECT_EQ(first("-Y 2 +X 1"), "1x2 0");
  EXPECT_EQ(first("+Y 2 +X 1"), "1x2 0.5");
  EXPECT_EQ(first("+X 2 -Y 1"), "2x1 0");
  EXPECT_EQ(first("-X 2 +Y 1"), "2x1 0.5");
  EXPECT_EQ(first("+X 1 +Y 2"), "1x2 0.5");
}

// Unturned pixels keep the order that the file states.
TEST(RadianceFiles, RandomOrdersAreKept) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, {9, 5}};
  for (const std::string order : {"-Y+X", "-Y-X", "+Y-X", "+Y+X", "+X-Y", "-X-Y", "-X+Y", "+X+Y"}) {
    std::string bytes;
    for (size_t i = 0; i < pixelCount(type.extent); ++i)
      bytes += {static_cast<char>(testRandom()() % 128), static_cast<char>(testRandom()() % 128),
                static_cast<char>(128 + testRandom()() % 128), static_cast<char>(128)};
    const auto header = [](const std::string& axes, Extent stored) {
      return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + axes.substr(0, 2) + " " +
             std::to_string(stored.height) + " " + axes.substr(2) + " " + std::to_string(stored.width) + "\n";
    };
    spill(folder.file("a.hdr"), header(order, type.extent) + bytes);
    const ReadOptions asStored{.orientation = false};
    const Delivered stored = deliver("hdr", folder.file("a.hdr"), asStored),
                    upright = deliver("hdr", folder.file("a.hdr"));
    EXPECT_EQ(stored.type.extent, type.extent);
    for (const auto& [delivered, read] : {std::pair(stored, asStored), std::pair(upright, ReadOptions())}) {
      writeImage("hdr", folder.file("b.hdr"), {{"x", delivered.type, delivered.pixels}},
                 {.origin = Origin{folder.file("a.hdr"), "output", read}});
      EXPECT_TRUE(slurp(folder.file("b.hdr"))
                      .starts_with(header(read.orientation ? "-Y+X" : order, delivered.type.extent)));
      EXPECT_TRUE(deliver("hdr", folder.file("b.hdr")).pixels == upright.pixels) << order;
    }
  }
}

// Through each format and back to PNG.
class Keeps : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }
  Delivered pass(const std::string& from, const std::string& to, ReadOptions read = {}) const {
    const std::string reader = codecOfFile(path(from));
    Delivered delivered = deliver(reader, path(from), read);
    WriteOptions options{.lossless = "yes",
                         .origin = Origin{path(from), "output", read},
                         .colours = Origin{path(from), "output", read}};
    writeImage(to.substr(to.find('.') + 1), path(to), {{"x", delivered.type, delivered.pixels}}, options);
    return delivered;
  }
  io::Metadata metadata(const std::string& name) const {
    return io::codecOfWord(codecOfFile(path(name)))->metadata(path(name), {});
  }
  std::string text(const std::string& name, const std::string& entry) const {
    for (const auto& [key, value] : imageInfo(path(name)).metadata)
      if (key == entry)
        return value;
    return "";
  }

  const Folder folder_;
  const std::string file_ = std::string("a.") + GetParam();
};

TEST_P(Keeps, RandomMetadataOfPhotographs) {
  const io::Chromaticities p3 = {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
  const std::vector<std::byte> profile = rgbProfile(p3, 1.8);
  writeTaggedPng(path("in.png"), randomPicture(Format::u8, {13, 9}),
                 {.profile = profile, .exif = cameraExif(1)});
  const std::string xmp = "<x:xmpmeta><rdf:Description dc:title=\"a walk\"/></x:xmpmeta>";
  insertChunk(path("in.png"), "iTXt", xmpChunkData(xmp), "IDAT");
  const Delivered delivered = pass("in.png", file_, {.own = true});
  for (const std::string& name : {file_, std::string("out.png")}) {
    if (name == "out.png")
      EXPECT_EQ(pass(file_, name, {.own = true}).pixels, delivered.pixels);
    EXPECT_EQ(metadata(name).colour.profile, profile) << name;
    EXPECT_EQ(metadata(name).xmp, xmp) << name;
    EXPECT_EQ(text(name, "Make"), "Foo") << name;
    EXPECT_EQ(text(name, "Model"), "Bar 7") << name;
    EXPECT_EQ(text(name, "FNumber"), "f/2.8") << name;
    EXPECT_EQ(text(name, "LensModel"), "Foo 20mm") << name;
    EXPECT_EQ(deliver(codecOfFile(path(name)), path(name), {.own = true}).type.colour, ColourTag::own);
  }
}

TEST_P(Keeps, RandomOrientations) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    writeTaggedPng(path("in.png"), randomPicture(Format::u8, {5, 3}), {.exif = cameraExif(orientation)});
    const Delivered upright = deliver("png", path("in.png"));
    // As it is stored: the statement stays, and readers turn it.
    pass("in.png", file_, {.orientation = false});
    const Delivered again = deliver(GetParam(), path(file_));
    EXPECT_EQ(again.type.extent, upright.type.extent) << orientation;
    EXPECT_TRUE(again.pixels == upright.pixels) << orientation;
    pass("in.png", file_);
    EXPECT_TRUE(deliver(GetParam(), path(file_)).pixels == upright.pixels) << orientation;
    EXPECT_EQ(io::orientationOf(metadata(file_)), 1);
  }
}

TEST_P(Keeps, RandomGreyIfTheFormatHasIt) {
  Picture picture = randomPicture(Format::u8, {33, 9});
  picture.grey = true;
  writeTaggedPng(path("in.png"), picture, {});
  const Delivered delivered = pass("in.png", file_);
  EXPECT_TRUE(deliver(GetParam(), path(file_)).pixels == delivered.pixels);
  EXPECT_EQ(io::codecOfWord(GetParam())->kind(path(file_), "output", {}).grey,
            std::string(GetParam()) != "webp");
}

TEST_P(Keeps, LossyIsClose) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {90, 70}};
  std::vector<std::byte> pixels(byteSize(type), std::byte{255});
  for (size_t i = 0; i < pixels.size(); i += 4)
    for (size_t c = 0; c < 3; ++c)
      pixels[i + c] = static_cast<std::byte>(20 + i / 4 % 90 + 30 * c + i / 4 / 90);
  std::vector<size_t> sizes;
  for (const int quality : {20, 98}) {
    writeImage(GetParam(), path(file_), {{"x", type, pixels}},
               {.quality = quality, .tiffCompression = "jpeg"});
    sizes.push_back(fs::file_size(path(file_)));
    const auto back = readPlane(GetParam(), path(file_), "output");
    double most = 0;
    for (size_t i = 0; i < back.size(); ++i)
      most = std::max(most,
                      std::abs(double{1} * std::to_integer<int>(back[i]) - std::to_integer<int>(pixels[i])));
    EXPECT_LE(most, quality == 98 ? 6 : 60);
  }
  EXPECT_LT(sizes[0], sizes[1]);
  EXPECT_NE(errorOf([&] {
              writeImage(GetParam(), path(file_), {{"x", type, pixels}}, {.quality = 101});
            }).find("quality 101 is not within 1..100"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Formats, Keeps, testing::Values("tif", "webp", "jxl", "avif"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace lacuna::test
