// Tiled OpenEXR files, which stay tiled, with their levels; parts of several views; deep files.

#include <ImfChannelList.h>
#include <ImfHeader.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPartType.h>
#include <ImfTiledInputPart.h>

#include <map>

#include "modules/codecs/codec.h"
#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

using Imath::Box2i;
using Imath::V2i;

struct Level {
  V2i size;
  std::map<std::string, std::vector<float>> channels;  // ids, too
  bool operator==(const Level&) const = default;
};
using Levels = std::map<std::pair<int, int>, Level>;

Levels levelsOf(const std::string& path, int index = 0) {
  Imf::MultiPartInputFile file(path.c_str());
  Imf::TiledInputPart part(file, index);
  Levels levels;
  for (int y = 0; y < part.numYLevels(); ++y)
    for (int x = 0; x < part.numXLevels(); ++x) {
      if (!part.isValidLevel(x, y))
        continue;
      Level& level = levels[{x, y}];
      const Box2i window = part.dataWindowForLevel(x, y);
      level.size = window.size() + V2i(1, 1);
      const auto width = static_cast<size_t>(level.size.x), count = width * static_cast<size_t>(level.size.y);
      Imf::FrameBuffer frame;
      for (auto it = part.header().channels().begin(); it != part.header().channels().end(); ++it) {
        std::vector<float>& values = level.channels[it.name()];
        values.resize(count);
        frame.insert(it.name(), Imf::Slice::Make(Imf::FLOAT, values.data(), window, 4, 4 * width));
      }
      part.setFrameBuffer(frame);
      part.readTiles(0, part.numXTiles(x) - 1, 0, part.numYTiles(y) - 1, x, y);
    }
  return levels;
}

// On a grid so fine that each pixel of both levels has whole cells.
float boxFiltered(const Level& larger, const std::string& channel, const V2i& size, int x, int y) {
  const std::vector<float>& values = larger.channels.at(channel);
  double sum = 0;
  for (int j = 0; j < larger.size.y; ++j)
    for (int i = 0; i < larger.size.x; ++i)
      sum += double{values.at(static_cast<size_t>((y * larger.size.y + j) / size.y * larger.size.x +
                                                  (x * larger.size.x + i) / size.x))};
  return static_cast<float>(sum / larger.size.x / larger.size.y);
}

class TiledExr : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  // The picture of in.exr, of which the first value is another one, as out.exr; in rows that are gone
  // afterwards.
  void pass(WriteOptions options = {}, const ReadOptions& read = {}) {
    const ValueType type = probeImage("exr", path("in.exr"), {"output"}, read).at("output");
    std::vector<std::byte> pixels(byteSize(type));
    readImage("exr", path("in.exr"), "output", type, pixels, read);
    pixels[0] ^= std::byte{1};
    std::vector<std::byte> ready(pixels.size());
    const size_t rowBytes = pixels.size() / type.extent.height;
    size_t before = 0;
    options.origin = Origin{.path = path("in.exr"), .read = read};
    options.rows = [&](uint32_t end) {
      ++calls_;
      std::fill_n(ready.begin(), before * rowBytes, std::byte{0x11});
      std::copy(pixels.begin() + static_cast<ptrdiff_t>(before * rowBytes),
                pixels.begin() + static_cast<ptrdiff_t>(end * rowBytes),
                ready.begin() + static_cast<ptrdiff_t>(before * rowBytes));
      before = end;
    };
    writeImage("exr", path("out.exr"), {{"output", type, ready}}, options);
    changed_ = std::as_const(pixels);
    EXPECT_EQ(before, type.extent.height);
  }

  const Folder folder_;
  int calls_ = 0;
  std::vector<std::byte> changed_;
};

TEST_F(TiledExr, RandomTilesStayWithTheirSizeAndLevels) {
  const auto number = [](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(testRandom());
  };
  for (const Imf::LevelMode mode : {Imf::ONE_LEVEL, Imf::MIPMAP_LEVELS, Imf::RIPMAP_LEVELS})
    for (const Imf::LevelRoundingMode rounding : {Imf::ROUND_DOWN, Imf::ROUND_UP})
      for (const Imf::PixelType type : {Imf::HALF, Imf::FLOAT}) {
        const V2i corner(number(-20, 20), number(-20, 20));
        const Box2i data(corner, corner + V2i(number(0, 40), number(0, 30)));
        const Imf::TileDescription tiles(static_cast<unsigned>(number(1, 24)),
                                         static_cast<unsigned>(number(1, 40)), mode, rounding);
        writeParts(path("in.exr"), {{"", {"R", "G", "B", "A", "mist"}, {}, tiles}}, type, data, data);
        pass();
        const Imf::MultiPartInputFile file(path("out.exr").c_str());
        ASSERT_EQ(file.parts(), 1);
        ASSERT_EQ(file.header(0).type(), Imf::TILEDIMAGE);
        EXPECT_EQ(file.header(0).tileDescription(), tiles);
        EXPECT_EQ(file.header(0).dataWindow(), data);
        const Levels before = levelsOf(path("in.exr")), after = levelsOf(path("out.exr"));
        ASSERT_EQ(before.size(), after.size());
        for (const auto& [at, level] : after) {
          const auto& [x, y] = at;
          EXPECT_EQ(level.channels.at("mist"), before.at(at).channels.at("mist")) << "is unread, so kept";
          if (x + y == 0) {
            EXPECT_NE(level.channels.at("R")[0], before.at(at).channels.at("R")[0]);
            EXPECT_EQ(level.channels.at("G"), before.at(at).channels.at("G"));
            continue;
          }
          const Level& larger = after.at(mode == Imf::MIPMAP_LEVELS ? std::pair(x - 1, y - 1)
                                         : x > 0                    ? std::pair(x - 1, y)
                                                                    : std::pair(x, y - 1));
          for (const char* channel : {"R", "G", "B", "A"})
            for (int row = 0; row < level.size.y; ++row)
              for (int column = 0; column < level.size.x; ++column) {
                const float expected = boxFiltered(larger, channel, level.size, column, row);
                ASSERT_NEAR(level.channels.at(channel).at(static_cast<size_t>(row * level.size.x + column)),
                            expected, std::abs(expected) / (type == Imf::HALF ? 1024.0F : 1e6F))
                    << channel << " of level " << x << ", " << y;
              }
        }
        io::codecOfWord("exr")->checkEnd(path("out.exr"));
      }
}

// Ids have no mean.
TEST_F(TiledExr, LevelsOfIdsAreOnesOfTheirPixels) {
  const Imf::TileDescription tiles(8, 8, Imf::MIPMAP_LEVELS);
  writeParts(path("in.exr"), {{"", {"R", "G", "B"}, {}, tiles}});
  const ValueType type = probeImage("exr", path("in.exr"), {"output"}).at("output");
  ValueType ids = type;
  ids.channels = Channels::y;
  ids.format = Format::u32;
  ids.colour = ColourTag::data;
  std::vector<uint32_t> numbers(size_t{type.extent.width} * type.extent.height);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<uint32_t>(100 + i);
  writeImage("exr", path("out.exr"),
             {{"output", type, readPlane("exr", path("in.exr"), "output")},
              {"id", ids, std::as_bytes(std::span(numbers))}},
             {.origin = Origin{path("in.exr")}});
  const Levels levels = levelsOf(path("out.exr"));
  EXPECT_EQ(levels.at({1, 1}).size, V2i(3, 2));
  EXPECT_EQ(levels.at({1, 1}).channels.at("id"), (std::vector<float>{108, 110, 112, 122, 124, 126}));
}

TEST_F(TiledExr, RowsOfTilesAreWrittenAsTheyCome) {
  const Box2i data(V2i(0, 0), V2i(40, 99));
  writeParts(path("in.exr"), {{"", {"R", "G", "B"}, {}, Imf::TileDescription(16, 10)}}, Imf::HALF, data,
             data);
  pass();
  EXPECT_EQ(calls_, 10);
  calls_ = 0;
  writeParts(path("in.exr"), {{"", {"R", "G", "B"}, {}, Imf::TileDescription(16, 10, Imf::MIPMAP_LEVELS)}},
             Imf::HALF, data, data);
  pass();
  EXPECT_EQ(calls_, 1) << "levels need the whole picture";
}

// Each view in a part of its own; the other's stays, with its levels.
TEST_F(TiledExr, PartsOfViewsStayTiled) {
  const Imf::TileDescription tiles(4, 3, Imf::RIPMAP_LEVELS, Imf::ROUND_UP);
  writeParts(path("in.exr"), {{"colour.left", {"R", "G", "B"}, {}, tiles, {"left"}},
                              {"colour.right", {"R", "G", "B"}, {}, tiles, {"right"}}});
  for (const bool isRight : {false, true}) {
    ReadOptions read;
    if (isRight)
      read.layers["output"] = "right";
    pass({}, read);
    const Imf::MultiPartInputFile file(path("out.exr").c_str());
    ASSERT_EQ(file.parts(), 2);
    for (int part = 0; part < 2; ++part) {
      EXPECT_EQ(file.header(part).view(), part == 0 ? "left" : "right");
      EXPECT_EQ(file.header(part).tileDescription(), tiles);
      EXPECT_EQ(levelsOf(path("in.exr"), part) == levelsOf(path("out.exr"), part), (part == 1) != isRight);
    }
  }
}

TEST_F(TiledExr, AnotherSizeStaysTiled) {
  const Imf::TileDescription tiles(4, 3, Imf::MIPMAP_LEVELS);
  writeParts(path("in.exr"), {{"", {"R", "G", "B"}, {}, tiles}});
  const ValueType type{Channels::rgba, Format::f16, ColourTag::rec709, {3, 21}};
  writeImage("exr", path("out.exr"), {{"output", type, std::vector<std::byte>(byteSize(type))}},
             {.origin = Origin{path("in.exr")}});
  EXPECT_EQ(Imf::MultiPartInputFile(path("out.exr").c_str()).header(0).tileDescription(), tiles);
  EXPECT_EQ(levelsOf(path("out.exr")).size(), 5U);
}

TEST_F(TiledExr, ACutFileIsIncomplete) {
  writeParts(path("in.exr"), {{"", {"R", "G", "B"}, {}, Imf::TileDescription(4, 3, Imf::MIPMAP_LEVELS)}});
  io::codecOfWord("exr")->checkEnd(path("in.exr"));
  fs::resize_file(path("in.exr"), fs::file_size(path("in.exr")) - 1);
  EXPECT_THROW(io::codecOfWord("exr")->checkEnd(path("in.exr")), FileError);
}

TEST_F(TiledExr, DeepFilesAreRefused) {
  writeDeep(path("in.exr"));
  try {
    probeImage("exr", path("in.exr"), {"output"});
    FAIL() << "no error";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("deep OpenEXR file, with a list of samples in each pixel; "
                        "expected a flat one"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lacuna::test
