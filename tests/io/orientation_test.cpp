// The eight orientations of Exif, against turning and mirroring in plain steps.

#include <fmt/format.h>

#include "modules/codecs/codec.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

struct Grid {
  Extent extent;
  size_t pixelBytes = 4;
  std::vector<std::byte> pixels;
};

template <class From>
Grid rearranged(const Grid& grid, Extent extent, From from) {
  Grid result{extent, grid.pixelBytes, std::vector<std::byte>(grid.pixels.size())};
  for (uint32_t y = 0; y < extent.height; ++y)
    for (uint32_t x = 0; x < extent.width; ++x) {
      const Extent at = from(x, y);
      std::memcpy(&result.pixels[(size_t{y} * extent.width + x) * grid.pixelBytes],
                  &grid.pixels[(size_t{at.height} * grid.extent.width + at.width) * grid.pixelBytes],
                  grid.pixelBytes);
    }
  return result;
}

Grid mirrored(const Grid& grid) {
  return rearranged(grid, grid.extent, [&](uint32_t x, uint32_t y) {
    return Extent{grid.extent.width - 1 - x, y};
  });
}

Grid clockwise(const Grid& grid) {
  return rearranged(grid, {grid.extent.height, grid.extent.width}, [&](uint32_t x, uint32_t y) {
    return Extent{y, grid.extent.height - 1 - x};
  });
}

// The turning that brings a stored picture upright, by the standard's table.
Grid upright(const Grid& grid, int orientation) {
  switch (orientation) {
    case 2:
      return mirrored(grid);
    case 3:
      return clockwise(clockwise(grid));
    case 4:
      return mirrored(clockwise(clockwise(grid)));
    case 5:
      return mirrored(clockwise(grid));
    case 6:
      return clockwise(grid);
    case 7:
      return mirrored(clockwise(clockwise(clockwise(grid))));
    case 8:
      return clockwise(clockwise(clockwise(grid)));
    default:
      return grid;
  }
}

void expectUpright(const std::string& codec, const std::string& path, int orientation) {
  const Delivered stored = deliver(codec, path, {.orientation = false});
  const Delivered delivered = deliver(codec, path);
  const Grid expected =
      upright({stored.type.extent, bytesPerPixel(stored.type.channels, stored.type.format), stored.pixels},
              orientation);
  EXPECT_EQ(print(delivered.type),
            print(ValueType{Channels::rgba, stored.type.format, ColourTag::rec709, expected.extent}));
  EXPECT_EQ(delivered.pixels, expected.pixels) << codec << ", orientation " << orientation;
  EXPECT_EQ(delivered.warnings, "");
}

class Orientation : public testing::TestWithParam<Extent> {};

TEST_P(Orientation, AllEightInEveryKindOfFile) {
  Folder folder;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const std::string exif = exifData(orientation, testRandom()() % 2 == 0);
    const Picture picture = randomPicture(Format::u8, GetParam()),
                  wide = randomPicture(Format::u16, GetParam());
    writeTaggedJpeg(folder.file("a.jpg"), picture, {.exif = exif});
    expectUpright("jpg", folder.file("a.jpg"), orientation);
    writeTaggedPng(folder.file("a.png"), picture, {.exif = exif});
    expectUpright("png", folder.file("a.png"), orientation);
    writeTaggedPng(folder.file("b.png"), wide, {.exif = exif}, true);
    expectUpright("png", folder.file("b.png"), orientation);
    writeTaggedPng(folder.file("c.png"), wide, {});
    insertChunk(folder.file("c.png"), "eXIf", exif, "IEND");
    expectUpright("png", folder.file("c.png"), orientation);
  }
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, Orientation,
                         testing::Values(Extent{1, 1}, Extent{17, 1}, Extent{1, 70}, Extent{53, 131}),
                         [](const auto& tested) {
                           return fmt::format("{}x{}", tested.param.width, tested.param.height);
                         });

// By hand: in a picture two pixels wide that is turned clockwise, the left pixel becomes the upper one.
TEST(Orientation, RandomSixStandsOnItsLeftSide) {
  Folder folder;
  Picture picture = randomPicture(Format::u8, {2, 1});
  writeTaggedPng(folder.file("a.png"), picture, {.exif = exifData(6, false)});
  const Delivered delivered = deliver("png", folder.file("a.png"));
  EXPECT_EQ(delivered.type.extent, (Extent{1, 2}));
  EXPECT_EQ(delivered.pixels, picture.pixels);
  writeTaggedPng(folder.file("a.png"), picture, {.exif = exifData(8, true)});
  std::rotate(picture.pixels.begin(), picture.pixels.begin() + 4, picture.pixels.end());
  EXPECT_EQ(deliver("png", folder.file("a.png")).pixels, picture.pixels);
}

TEST(Orientation, RandomWhatIsNoneIsToldAndLeavesThePictureAsItLies) {
  Folder folder;
  const Picture picture = randomPicture(Format::u8, {5, 3});
  const std::string path = folder.file("a.png");
  const auto warnings = [&](const std::string& exif) {
    writeTaggedPng(path, picture, {});
    insertChunk(path, "eXIf", exif, "IDAT");
    const Delivered delivered = deliver("png", path);
    EXPECT_EQ(delivered.pixels, picture.pixels);
    return delivered.warnings;
  };
  EXPECT_EQ(warnings(exifData(9, false)),
            path + ": its Exif orientation is 9, expected 1 to 8; taken as upright\n");
  EXPECT_EQ(warnings(exifData(0, true)),
            path + ": its Exif orientation is 0, expected 1 to 8; taken as upright\n");
  std::string wrongType = exifData(6, false);
  wrongType[12] = 2;
  EXPECT_NE(warnings(wrongType).find("not a whole number"), std::string::npos);
  EXPECT_NE(warnings(exifData(6, false).substr(0, 12)).find("damaged"), std::string::npos);
  EXPECT_NE(warnings("nonsense").find("damaged"), std::string::npos);
  std::string otherTag = exifData(6, false);
  otherTag[10] = 0x0f;
  EXPECT_EQ(warnings(otherTag), "");
}

// Exif's orientation counts, else XMP's, as in Pillow. A picture that is turned says so in both; one that
// isn't keeps what both say.
TEST(Orientation, RandomExifAndXmpHaveOneRule) {
  const Folder folder;
  const Picture picture = randomPicture(Format::u8, {5, 3});
  for (const int exif : {0, 1, 6, 9})  // 0: none
    for (const char* form : {"<a tiff:Orientation=\"{}\"/>", "<tiff:Orientation>{}</tiff:Orientation>", ""})
      for (const char* codec : {"png", "jpg"}) {
        const int inXmp = *form == 0 ? 1 : static_cast<int>(2 + testRandom()() % 7);
        const std::string path = folder.file("a"), xmp = fmt::format(fmt::runtime(form), inXmp);
        const int expected = exif == 0 ? inXmp : exif <= 8 ? exif : 1;
        SCOPED_TRACE(fmt::format("{}, Exif {}, XMP {}", codec, exif, xmp));
        const Tags tags{.exif = exif == 0 ? "" : exifData(exif, true)};
        if (codec == std::string("png")) {
          writeTaggedPng(path, picture, tags);
          insertChunk(path, "iTXt", xmpChunkData(xmp), "IEND");
        } else {
          writeTaggedJpeg(path, picture, tags);
          insertSegment(path, 0xe1, std::string("http://ns.adobe.com/xap/1.0/\0", 29) + xmp);
        }
        const Delivered stored = deliver(codec, path, {.orientation = false}), upright = deliver(codec, path);
        const Grid grid{stored.type.extent, 4, stored.pixels};
        EXPECT_EQ(upright.pixels, lacuna::test::upright(grid, expected).pixels);
        const std::string out = folder.file("b.png");
        writeImage("png", out, {{"x", upright.type, upright.pixels}}, {.origin = Origin{path}});
        EXPECT_EQ(deliver("png", out).pixels, upright.pixels);
        const io::Metadata before = io::codecOfWord(codec)->metadata(path, {}),
                           after = io::codecOfWord("png")->metadata(out, {});
        if (expected == 1) {
          EXPECT_EQ(after.exif, before.exif);
          EXPECT_EQ(after.xmp, before.xmp);
        } else {
          EXPECT_EQ(after.xmp, fmt::format(fmt::runtime(form), 1));
        }
      }
}

// Exif where Pillow finds it, too: behind a signature, in ImageMagick's text, as a long number, in a large
// chunk.
TEST(Orientation, RandomExifInUnusualPlaces) {
  const Folder folder;
  const Picture picture = randomPicture(Format::u8, {5, 3});
  std::string hex, asLong = exifData(6, false);
  for (const unsigned char byte : exifData(6, true))
    hex += fmt::format("{:02x}", byte);
  asLong[12] = 4;
  const std::pair<const char*, std::string> chunks[] = {
      {"eXIf", std::string("Exif\0\0", 6) + exifData(6, true)},
      {"eXIf", asLong},
      {"eXIf", exifData(6, true) + std::string(70000, 'x')},
      {"tEXt", std::string("Raw profile type exif\0\nexif\n      26\n", 37) + hex + "\n"}};
  for (const auto& [name, data] : chunks) {
    const std::string path = folder.file("a.png"), out = folder.file("b.png");
    writeTaggedPng(path, picture, {});
    insertChunk(path, name, data, "IDAT");
    expectUpright("png", path, 6);
    const Delivered upright = deliver("png", path);
    writeImage("png", out, {{"x", upright.type, upright.pixels}}, {.origin = Origin{path}});
    expectUpright("png", out, 1);
  }
}

}  // namespace
}  // namespace lacuna::test
