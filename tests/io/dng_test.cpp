// DNG files as other programs write them (DNG 1.4): crops, levels by row and column, numbers that aren't
// read.

#include <fmt/format.h>

#include "modules/codecs/image_info.h"
#include "modules/codecs/raw.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

constexpr int shorts = 3, longs = 4, bytes = 1, rationals = 5, signedRationals = 10, ascii = 2;

struct DngTag {
  int type;
  std::vector<double> values;
};
using DngTags = std::map<int, DngTag>;

std::string littleEndian(double value, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += static_cast<char>(static_cast<int64_t>(value) >> (8 * i) & 0xff);
  return text;
}

std::string dngValue(const DngTag& tag) {
  std::string text;
  for (const double value : tag.values)
    if (tag.type == rationals || tag.type == signedRationals)
      text += littleEndian(std::round(value * 1000), 4) + littleEndian(1000, 4);
    else
      text += littleEndian(value, tag.type == shorts ? 2 : tag.type == longs ? 4 : 1);
  return text;
}

DngTags cameraTags(Extent extent) {
  const double width = extent.width, height = extent.height;
  return {{254, {longs, {0}}},
          {256, {longs, {width}}},
          {257, {longs, {height}}},
          {258, {shorts, {16}}},
          {259, {shorts, {1}}},
          {262, {shorts, {32803}}},
          {271, {ascii, {'F', 'o', 'o', 0}}},
          {272, {ascii, {'B', 'a', 'r', 0}}},
          {277, {shorts, {1}}},
          {278, {longs, {height}}},
          {33421, {shorts, {2, 2}}},
          {33422, {bytes, {0, 1, 1, 2}}},
          {50706, {bytes, {1, 4, 0, 0}}},
          {50708, {ascii, {'F', 'o', 'o', ' ', 'B', 'a', 'r', 0}}},
          {50714, {longs, {256}}},
          {50717, {longs, {16000}}},
          {50721, {signedRationals, {.8, -.2, -.1, -.4, 1.2, .2, -.1, .2, .6}}},
          {50728, {rationals, {.5, 1, .625}}},
          {50778, {shorts, {21}}}};
}

void writeDngTags(const std::string& path, DngTags tags, const std::string& pixels) {
  tags[279] = {longs, {static_cast<double>(pixels.size())}};
  tags[273] = {longs, {0}};
  const size_t valuesAt = 8 + 2 + 12 * tags.size() + 4;
  size_t pixelsAt = valuesAt;
  for (const auto& [number, tag] : tags)
    if (const size_t size = dngValue(tag).size(); size > 4)
      pixelsAt += (size + 1) / 2 * 2;
  tags[273].values[0] = static_cast<double>(pixelsAt);
  std::string entries, values;
  for (const auto& [number, tag] : tags) {
    std::string value = dngValue(tag);
    entries += littleEndian(number, 2) + littleEndian(tag.type, 2) +
               littleEndian(static_cast<double>(tag.values.size()), 4);
    value.resize(value.size() > 4 ? (value.size() + 1) / 2 * 2 : 4);
    entries += value.size() > 4 ? littleEndian(static_cast<double>(valuesAt + values.size()), 4) : value;
    values += value.size() > 4 ? value : "";
  }
  spill(path, "II" + littleEndian(42, 2) + littleEndian(8, 4) +
                  littleEndian(static_cast<double>(tags.size()), 2) + entries + littleEndian(0, 4) + values +
                  pixels);
}

std::string codes(const std::vector<float>& numbers) {
  std::string text;
  for (const float number : numbers)
    text += littleEndian(number, 2);
  return text;
}

std::vector<float> randomCodes(Extent extent) {
  std::vector<float> numbers(pixelCount(extent));
  for (float& number : numbers)
    number = static_cast<float>(1000 + testRandom()() % 12000);
  return numbers;
}

io::CameraValues cameraOf(const std::string& path) {
  const ValueType type = probeImage("dng", path, {"camera"}).at("camera");
  std::array<float, io::cameraCount> numbers{};
  readImage("dng", path, "camera", type, std::as_writable_bytes(std::span(numbers)));
  return io::cameraFrom(numbers);
}

// The crop counts from the active area, and may be stated in whole numbers or in fractions.
TEST(Dng, RandomCropsAndActiveAreas) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  const Extent extent{64, 48};
  for (const int type : {shorts, longs, rationals})
    for (const bool hasActive : {false, true}) {
      const std::vector<float> stored = randomCodes(extent);
      DngTags tags = cameraTags(extent);
      const double top = hasActive ? 2 : 0, left = hasActive ? 4 : 0;
      if (hasActive)
        tags[50829] = {longs, {top, left, 46, 61}};
      tags[50719] = {type, {3, 5}};
      tags[50720] = {type, {40, 31}};
      writeDngTags(path, tags, codes(stored));
      const ValueType found = probeImage("dng", path, {"output"}).at("output");
      ASSERT_EQ(found.extent, (Extent{40, 31})) << type << " " << hasActive;
      EXPECT_EQ(letterAt(found.pattern, {0, 0}), 3U) << "an odd row and column of RGGB: blue";
      EXPECT_EQ(letterAt(found.pattern, {1, 0}), 2U);
      const std::vector<float> pixels = asFloats(readPlane("dng", path, "output"));
      for (size_t y = 0; y < 31; ++y)
        for (size_t x = 0; x < 40; ++x)
          ASSERT_EQ(pixels[y * 40 + x],
                    stored[(y + 5 + static_cast<size_t>(top)) * 64 + x + 3 + static_cast<size_t>(left)]);
    }
}

// Black is a level, and a difference for each row and column of the active area.
TEST(Dng, RandomBlackLevelsByRowAndColumn) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  const Extent extent{64, 48};
  DngTags tags = cameraTags(extent);
  std::vector<double> rows(44), columns(62);
  for (double& row : rows)
    row = static_cast<double>(testRandom()() % 400);
  for (double& column : columns)
    column = static_cast<double>(testRandom()() % 300);
  tags[50829] = {longs, {4, 2, 48, 64}};
  tags[50719] = {longs, {6, 2}};
  tags[50720] = {longs, {50, 40}};
  tags[50715] = {signedRationals, columns};
  tags[50716] = {signedRationals, rows};
  const std::vector<float> light = randomCodes(extent);
  std::vector<float> stored = light;
  for (size_t i = 0; i < stored.size(); ++i)
    if (i / 64 >= 4 && i % 64 >= 2)
      stored[i] += static_cast<float>(256 + rows[i / 64 - 4] + columns[i % 64 - 2]);
  writeDngTags(path, tags, codes(stored));
  const std::vector<float> pixels = asFloats(readPlane("dng", path, "output"));
  const io::CameraValues camera = cameraOf(path);
  ASSERT_EQ(pixels.size(), 50U * 40U);
  for (size_t i = 0; i < pixels.size(); ++i)
    ASSERT_NEAR(pixels[i] - camera.black[0], light[(i / 50 + 6) * 64 + i % 50 + 8], 0.01) << i;
}

TEST(Dng, RandomNumbersThatAreNotReadAreRefusedByName) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  const Extent extent{64, 48};
  const auto refusal = [&](int samples, int bits, int format, int compression) {
    DngTags tags = cameraTags(extent);
    tags[258].values.assign(static_cast<size_t>(samples), bits);
    tags[339] = {shorts, std::vector<double>(static_cast<size_t>(samples), format)};
    tags[259].values = {static_cast<double>(compression)};
    tags[277].values = {static_cast<double>(samples)};
    tags[262].values = {samples == 3 ? 34892.0 : 32803.0};
    tags[50717].values = {1};
    std::string pixels(pixelCount(extent) * static_cast<size_t>(samples * bits / 8), '\0');
    for (char& byte : pixels)
      byte = static_cast<char>(testRandom()());
    writeDngTags(path, tags, pixels);
    return probeError("dng", path);
  };
  for (const int samples : {1, 3}) {
    for (const int bits : {16, 32})
      for (const int compression : {1, 8})
        EXPECT_EQ(refusal(samples, bits, 3, compression),
                  path +
                      ": holds floating-point numbers; only whole numbers of up to 16 bits are read, "
                      "uncompressed or as lossless JPEG");
    EXPECT_NE(refusal(samples, 16, 1, 8).find("its pixels are deflated"), std::string::npos);
    EXPECT_NE(refusal(samples, 16, 1, 52546).find("compressed as JPEG XL"), std::string::npos);
    EXPECT_NE(refusal(samples, 32, 1, 1).find("holds numbers of 32 bits"), std::string::npos);
  }
}

// Numbers of each type, from a JPEG file to a DNG file: ISO 51200, which is beyond 15 bits, -1/3 stops, 7/2
// m.
TEST(Dng, RandomPicturesKeepTheNumbersOfExif) {
  const Folder folder;
  const std::string photo = folder.file("a.jpg"), raw = folder.file("a.dng");
  const std::string exif = "II" + exifNumber(42, 2) + exifNumber(8, 4) + exifNumber(1, 2) +
                           exifEntry(0x8769, longs, 1, 26) + exifNumber(0, 4) + exifNumber(3, 2) +
                           exifEntry(0x8827, shorts, 1, 51200) + exifEntry(0x9204, 10, 1, 68) +
                           exifEntry(0x9206, rationals, 1, 76) + exifNumber(0, 4) +
                           exifNumber(UINT32_MAX, 4) + exifNumber(3, 4) + exifNumber(7, 4) + exifNumber(2, 4);
  const ValueType type{Channels::rgba, Format::f32, ColourTag::data, {40, 30}};
  writeTaggedJpeg(photo, randomPicture(Format::u8, type.extent), {.exif = exif});
  writeImage("dng", raw, {{"input", type, randomPixels(type)}}, {.origin = Origin{.path = photo}});
  std::map<std::string, std::string> entries;
  for (const auto& [name, value] : imageInfo(raw).metadata)
    entries[name] = value;
  EXPECT_EQ(entries["ISOSpeedRatings"], "51200");
  EXPECT_EQ(entries["ExposureBiasValue"], "-0.33 EV");
  EXPECT_EQ(entries["SubjectDistance"], "3.5 m");
}

// The folder of our files is behind the pixels, so that nothing but the name tells a truncated one from a
// TIFF file.
TEST(Dng, RandomTruncatedFilesAreCalledRaw) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec2020, {40, 30}};
  writeImage("dng", folder.file("a.dng"), {{"input", type, randomPixels(type)}});
  const std::string whole = slurp(folder.file("a.dng"));
  for (const size_t length : {whole.size() / 4, whole.size() / 2, size_t{7200}}) {
    spill(folder.file("cut.dng"), whole.substr(0, length));
    EXPECT_EQ(errorOf([&] { codecOfFile(folder.file("cut.dng")); }),
              folder.file("cut.dng") + ": no raw photograph that is known, or a damaged one");
  }
}

// The place where a photograph was taken: 48 degrees 51.5 minutes north, from a JPEG file through two DNG
// files.
TEST(Dng, RandomPlacesGoOn) {
  const Folder folder;
  const std::string photo = folder.file("a.jpg"), raw = folder.file("a.dng"), again = folder.file("b.dng");
  const auto entry = [](int tag, int type, int count, int value) {
    return littleEndian(tag, 2) + littleEndian(type, 2) + littleEndian(count, 4) + littleEndian(value, 4);
  };
  const std::string exif =
      "II" + littleEndian(42, 2) + littleEndian(8, 4) + littleEndian(1, 2) + entry(0x8825, longs, 1, 26) +
      littleEndian(0, 4) + littleEndian(3, 2) + entry(0, bytes, 4, 0x302) + entry(1, ascii, 2, 'N') +
      entry(2, rationals, 3, 68) + littleEndian(0, 4) + littleEndian(48, 4) + littleEndian(1, 4) +
      littleEndian(515, 4) + littleEndian(10, 4) + littleEndian(0, 4) + littleEndian(1, 4);
  const ValueType type{Channels::rgba, Format::f32, ColourTag::data, {40, 30}};
  writeTaggedJpeg(photo, randomPicture(Format::u8, type.extent), {.exif = exif});
  const std::vector<std::byte> pixels = randomPixels(type);
  writeImage("dng", raw, {{"input", type, pixels}}, {.origin = Origin{.path = photo}});
  writeImage("dng", again, {{"input", type, pixels}}, {.origin = Origin{.path = raw}});
  for (const std::string& file : {photo, raw, again}) {
    std::map<std::string, std::string> entries;
    for (const auto& [name, value] : imageInfo(file).metadata)
      entries[name] = value;
    EXPECT_EQ(entries["North or South Latitude"] + entries["GPSLatitudeRef"], "N") << file;
    EXPECT_EQ(entries["GPSLatitude"], "48, 51.5,  0") << file;
  }
}

}  // namespace
}  // namespace lacuna::test
