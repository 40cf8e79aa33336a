// Files whose pictures pass through memory in rows: the same as of whole pictures, with few rows at a time.

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include "tests/io/support.h"

namespace lacuna::test {
namespace {

constexpr uint32_t mostRows = 256;

struct Kind {
  const char* codec;
  Format format;
};

class RandomRows : public testing::TestWithParam<Kind> {
 protected:
  // Opaque, as are files that don't state alpha.
  std::vector<std::byte> opaquePixels() {
    std::vector<std::byte> pixels = randomPixels(type_);
    const size_t size = bytesPerPixel(type_.channels, type_.format) / 4;
    const uint32_t one = type_.format == Format::f16 ? 0x3c00 : std::bit_cast<uint32_t>(1.0F);
    for (size_t at = 3 * size; at < pixels.size(); at += 4 * size)
      if (type_.format == Format::u8 || type_.format == Format::u16)
        std::memset(&pixels[at], 0xff, size);
      else
        std::memcpy(&pixels[at], &one, size);
    return pixels;
  }

  Folder folder_;
  const ValueType type_{
      Channels::rgba,
      GetParam().format,
      ColourTag::rec709,
      {static_cast<uint32_t>(1 + testRandom()() % 150), static_cast<uint32_t>(1 + testRandom()() % 900)}};
  const size_t rowBytes_ = byteSize(type_) / type_.extent.height;
};

// Rows are filled when requested, and overwritten afterwards.
TEST_P(RandomRows, AreWrittenAsThePictureIs) {
  const std::string codec = GetParam().codec;
  const std::vector<std::byte> pixels = opaquePixels();
  writeImage(codec, folder_.file("whole"), {{"input", type_, pixels}});
  std::vector<std::byte> memory(pixels.size(), std::byte{0xee});
  uint32_t before = 0, now = 0;
  WriteOptions options;
  options.rows = [&](uint32_t end) {
    ASSERT_GT(end, now);
    ASSERT_LE(end, type_.extent.height);
    EXPECT_LE(end - now, mostRows);
    std::fill_n(memory.begin() + static_cast<ptrdiff_t>(before * rowBytes_), (now - before) * rowBytes_,
                std::byte{0xdd});
    std::copy_n(pixels.begin() + static_cast<ptrdiff_t>(now * rowBytes_), (end - now) * rowBytes_,
                memory.begin() + static_cast<ptrdiff_t>(now * rowBytes_));
    before = now;
    now = end;
  };
  writeImage(codec, folder_.file("rows"), {{"input", type_, memory}}, options);
  EXPECT_EQ(now, type_.extent.height);
  EXPECT_EQ(slurp(folder_.file("rows")), slurp(folder_.file("whole")));
}

TEST_P(RandomRows, AreReadAsThePictureIs) {
  const std::string codec = GetParam().codec, path = folder_.file("in");
  writeImage(codec, path, {{"input", type_, opaquePixels()}});
  const ValueType type = probeImage(codec, path, {"output"}).at("output");
  const size_t rowBytes = byteSize(type) / type.extent.height;
  const std::vector<std::byte> whole = readPlane(codec, path, "output");
  std::vector<std::byte> memory(whole.size(), std::byte{0xee}), kept;
  ReadOptions options;
  options.rows = [&](uint32_t end) {
    const size_t first = kept.size(), last = end * rowBytes;
    ASSERT_GT(last, first);
    EXPECT_LE(last - first, mostRows * rowBytes);
    kept.insert(kept.end(), memory.begin() + static_cast<ptrdiff_t>(first),
                memory.begin() + static_cast<ptrdiff_t>(last));
    EXPECT_TRUE(std::all_of(memory.begin() + static_cast<ptrdiff_t>(last), memory.end(),
                            [](std::byte byte) { return byte == std::byte{0xee}; }))
        << "rows from " << end << " on are touched";
    std::fill_n(memory.begin(), last, std::byte{0xdd});
  };
  readImage(codec, path, "output", type, memory, options);
  EXPECT_EQ(kept, whole);
  EXPECT_TRUE(std::ranges::all_of(memory, [](std::byte byte) { return byte == std::byte{0xdd}; }));
}

INSTANTIATE_TEST_SUITE_P(Formats, RandomRows,
                         testing::Values(Kind{"png", Format::u8}, Kind{"png", Format::u16},
                                         Kind{"jpg", Format::u8}, Kind{"exr", Format::f16},
                                         Kind{"exr", Format::f32}, Kind{"pfm", Format::f32},
                                         Kind{"npy", Format::f32}, Kind{"tif", Format::u8},
                                         Kind{"tif", Format::u16}, Kind{"tif", Format::f32}));

TEST(RandomRowsOfTiles, AreReadAsThePictureIs) {
  const Folder folder;
  const std::string path = folder.file("tiles.exr");
  constexpr int width = 211, height = 333;
  const std::vector<std::byte> halves =
      randomPixels({Channels::y, Format::f16, ColourTag::data, {3 * width, height}});
  {
    Imf::Header header(width, height);
    header.setTileDescription(Imf::TileDescription(48, 80, Imf::ONE_LEVEL));
    Imf::FrameBuffer frame;
    const char* const names[] = {"R", "G", "B"};
    for (size_t c = 0; c < 3; ++c) {
      header.channels().insert(names[c], Imf::Channel(Imf::HALF));
      frame.insert(
          names[c],
          Imf::Slice(Imf::HALF, reinterpret_cast<char*>(const_cast<std::byte*>(halves.data() + 2 * c)), 6,
                     size_t{6} * width));
    }
    Imf::TiledOutputFile file(path.c_str(), header);
    file.setFrameBuffer(frame);
    file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
  }
  const ValueType type = probeImage("exr", path, {"output"}).at("output");
  const std::vector<std::byte> whole = readPlane("exr", path, "output");
  for (size_t pixel = 0; pixel < size_t{width} * height; ++pixel)
    ASSERT_EQ(std::memcmp(&whole[8 * pixel], &halves[6 * pixel], 6), 0) << pixel;
  std::vector<std::byte> memory(whole.size()), kept;
  ReadOptions options;
  options.rows = [&](uint32_t end) {
    kept.insert(kept.end(), memory.begin() + static_cast<ptrdiff_t>(kept.size()),
                memory.begin() + static_cast<ptrdiff_t>(size_t{end} * 8 * width));
    std::fill_n(memory.begin(), kept.size(), std::byte{0xdd});
  };
  readImage("exr", path, "output", type, memory, options);
  EXPECT_EQ(kept, whole);
}

// Asks for rows until the whole picture is needed; whether it was.
class UntilWhole {
 public:
  void write(const std::string& codec, const std::string& path, const NamedImage& image,
             WriteOptions options) {
    ends_.clear();
    options.rows = [&](uint32_t end) {
      ends_.push_back(end);
      if (end == 0)
        throw NeedsWhole();
    };
    EXPECT_THROW(writeImage(codec, path, {image}, options), NeedsWhole);
    ASSERT_GT(ends_.size(), 2U);
    EXPECT_EQ(ends_.back(), 0U);
  }

 private:
  struct NeedsWhole {};
  std::vector<uint32_t> ends_;
};

// Without an input file that says so, a file is taken as opaque; a transparent pixel needs the whole picture.
TEST(RowsOfTransparentPictures, NeedTheWhole) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {30, 200}};
  std::vector<std::byte> pixels(byteSize(type), std::byte{255});
  pixels[pixels.size() - 1] = std::byte{7};
  UntilWhole().write("png", folder.file("a.png"), {"input", type, pixels}, {});
  EXPECT_TRUE(folder.isEmpty());
}

// Numbers that the origin's one component can't hold.
TEST(RowsOfColouredPictures, NeedTheWhole) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::f32, ColourTag::data, {30, 200}};
  std::vector<float> numbers(size_t{4} * 30 * 200, 1.0F);
  const std::vector<float> greys(size_t{30} * 200, 1.0F);
  const ValueType grey{Channels::y, Format::f32, ColourTag::data, {30, 200}};
  writeImage("npy", folder.file("grey.npy"), {{"input", grey, std::as_bytes(std::span(greys))}});
  for (const size_t back : {2, 1}) {  // blue, alpha
    numbers[numbers.size() - back] = 0.5F;
    UntilWhole().write("npy", folder.file("a.npy"), {"input", type, std::as_bytes(std::span(numbers))},
                       {.origin = Origin{folder.file("grey.npy")}});
    numbers[numbers.size() - back] = 1.0F;
  }
}

}  // namespace
}  // namespace lacuna::test
