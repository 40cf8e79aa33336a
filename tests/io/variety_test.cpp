// PNG and JPEG in their many kinds, and PFM in both byte orders.

#include <fmt/format.h>
#include <png.h>

#include <cstdio>

#include <jpeglib.h>

#include "tests/io/support.h"
#include "tests/support/environment.h"

namespace lacuna::test {
namespace {

std::vector<int> componentsOf(const std::vector<std::byte>& bytes, bool wide) {
  std::vector<int> values;
  for (size_t i = 0; i < bytes.size(); i += wide ? 2 : 1) {
    uint16_t value = std::to_integer<uint8_t>(bytes[i]);
    if (wide)
      std::memcpy(&value, bytes.data() + i, 2);
    values.push_back(value);
  }
  return values;
}

struct PngKind {
  int colourType, depth;
  bool transparency, interlaced;
};

// A file of 2 x 2 pixels from `rows`, as they are stored in a PNG file of that kind.
void writeKind(const std::string& path, const PngKind& kind, std::vector<std::vector<uint8_t>> rows) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, 2, 2, kind.depth, kind.colourType, kind.interlaced ? PNG_INTERLACE_ADAM7 : 0, 0, 0);
  const png_color palette[] = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}};
  if (kind.colourType == PNG_COLOR_TYPE_PALETTE)
    png_set_PLTE(png, info, palette, 3);
  png_byte alphas[] = {255, 0, 128};
  png_color_16 clear{0, 0x0102, 0x0304, 0x0506, 1};
  if (kind.transparency)
    png_set_tRNS(png, info, kind.colourType == PNG_COLOR_TYPE_PALETTE ? alphas : nullptr, 3, &clear);
  png_write_info(png, info);
  std::vector<png_bytep> pointers = {rows[0].data(), rows[1].data()};
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

void expectKind(const PngKind& kind, const std::vector<std::vector<uint8_t>>& rows,
                const std::vector<int>& expected) {
  Folder folder;
  writeKind(folder.file("a.png"), kind, rows);
  EXPECT_EQ(componentsOf(readPlane("png", folder.file("a.png"), "output"), kind.depth == 16), expected)
      << "colour type " << kind.colourType << ", depth " << kind.depth;
}

TEST(Png, EveryKindBecomesRgba) {
  for (const bool interlaced : {false, true}) {
    expectKind({PNG_COLOR_TYPE_GRAY, 8, false, interlaced}, {{1, 2}, {3, 4}},
               {1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255, 4, 4, 4, 255});
    expectKind({PNG_COLOR_TYPE_GRAY, 1, false, interlaced}, {{0x40}, {0x80}},
               {0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255});
    expectKind({PNG_COLOR_TYPE_GRAY, 8, true, interlaced}, {{1, 2}, {3, 1}},
               {1, 1, 1, 0, 2, 2, 2, 255, 3, 3, 3, 255, 1, 1, 1, 0});
    expectKind({PNG_COLOR_TYPE_GRAY_ALPHA, 16, false, interlaced},
               {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}},
               {0x102, 0x102, 0x102, 0x304, 0x506, 0x506, 0x506, 0x708, 0x90a, 0x90a, 0x90a, 0xb0c, 0xd0e,
                0xd0e, 0xd0e, 0xf10});
    expectKind({PNG_COLOR_TYPE_PALETTE, 8, false, interlaced}, {{0, 1}, {2, 0}},
               {10, 20, 30, 255, 40, 50, 60, 255, 70, 80, 90, 255, 10, 20, 30, 255});
    expectKind({PNG_COLOR_TYPE_PALETTE, 2, true, interlaced}, {{0x10}, {0x80}},
               {10, 20, 30, 255, 40, 50, 60, 0, 70, 80, 90, 128, 10, 20, 30, 255});
    expectKind({PNG_COLOR_TYPE_RGB, 16, true, interlaced},
               {{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 9}, {255, 255, 0, 1, 2, 3, 1, 2, 3, 4, 5, 7}},
               {0x102, 0x304, 0x506, 0, 0, 0, 9, 65535, 65535, 1, 0x203, 65535, 0x102, 0x304, 0x507, 65535});
  }
}

void writeJpeg(const std::string& path, J_COLOR_SPACE space, int components, bool progressive,
               bool ycck = false, Extent extent = {16, 8}) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  jpeg_error_mgr errors{};
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = extent.width;
  info.image_height = extent.height;
  info.input_components = components;
  info.in_color_space = space;
  jpeg_set_defaults(&info);
  if (components == 4)
    jpeg_set_colorspace(&info, ycck ? JCS_YCCK : JCS_CMYK);
  jpeg_set_quality(&info, 100, TRUE);
  if (progressive)
    jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  std::vector<JSAMPLE> row(extent.width * static_cast<size_t>(components), 77);
  JSAMPROW pointer = row.data();
  while (info.next_scanline < info.image_height)
    jpeg_write_scanlines(&info, &pointer, 1);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::fclose(file);
}

TEST(Jpeg, GreyAndProgressiveAreReadAndCmykIsRefused) {
  Folder folder;
  for (const bool progressive : {false, true})
    for (const int components : {1, 3}) {
      writeJpeg(folder.file("a.jpg"), components == 1 ? JCS_GRAYSCALE : JCS_RGB, components, progressive);
      const std::vector<int> values = componentsOf(readPlane("jpg", folder.file("a.jpg"), "output"), false);
      ASSERT_EQ(values.size(), 16U * 8 * 4);
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], i % 4 == 3 ? 255 : 77, 1);
    }
  for (const bool ycck : {false, true}) {
    writeJpeg(folder.file("a.jpg"), JCS_CMYK, 4, false, ycck);
    EXPECT_EQ(probeError("jpg", folder.file("a.jpg")),
              folder.file("a.jpg") + ": a CMYK JPEG file; expected RGB, YCbCr or grey");
  }
}

// For several scans the decoder keeps two bytes of each component of each pixel.
TEST(Jpeg, MemoryOfTheDecoderCountsForProgressiveFiles) {
  const Folder folder;
  const Environment small("LACUNA_READ_MEMORY", "1");
  for (const int components : {1, 3})
    for (const bool progressive : {false, true}) {
      writeJpeg(folder.file("a.jpg"), components == 1 ? JCS_GRAYSCALE : JCS_RGB, components, progressive,
                false, {500, 400});
      EXPECT_EQ(probeError("jpg", folder.file("a.jpg")).find("takes 2 MiB of memory") != std::string::npos,
                progressive)
          << components;
    }
}

// libjpeg warns of both, but the picture is whole.
TEST(Jpeg, BytesBetweenSegmentsAndALaterVersionChangeNothing) {
  Folder folder;
  writeJpeg(folder.file("a.jpg"), JCS_RGB, 3, false);
  const std::string whole = slurp(folder.file("a.jpg"));
  const std::vector<std::byte> expected = readPlane("jpg", folder.file("a.jpg"), "output");
  constexpr size_t version = 11, firstSegmentEnd = 20;
  for (const size_t at : {firstSegmentEnd, whole.size() - 2}) {
    spill(folder.file("a.jpg"), std::string(whole).insert(at, "abc"));
    EXPECT_EQ(readPlane("jpg", folder.file("a.jpg"), "output"), expected) << at;
  }
  std::string later = whole;
  later[version] = 2;
  spill(folder.file("a.jpg"), later);
  EXPECT_EQ(readPlane("jpg", folder.file("a.jpg"), "output"), expected);
}

// A segment's length counts its own two bytes, so shorter ones are of damaged files.
TEST(Jpeg, SegmentsWithoutContentAreReadWhateverLengthTheyState) {
  Folder folder;
  writeJpeg(folder.file("a.jpg"), JCS_RGB, 3, false);
  const std::string whole = slurp(folder.file("a.jpg"));
  const std::vector<std::byte> expected = readPlane("jpg", folder.file("a.jpg"), "output");
  constexpr size_t firstSegment = 2;
  for (const char length : {0, 1, 2}) {
    spill(folder.file("a.jpg"),
          std::string(whole).insert(firstSegment, std::string("\xff\xfe\0", 3) + length));
    EXPECT_EQ(readPlane("jpg", folder.file("a.jpg"), "output"), expected) << int{length};
  }
}

TEST(Pfm, RowsStartAtTheBottomInEitherByteOrder) {
  Folder folder;
  std::string little, big;
  const float values[] = {1.5F, -2.25F, 3e-5F, 4e7F};
  for (const float value : values) {
    const std::string bytes(reinterpret_cast<const char*>(&value), 4);
    little += bytes;
    big += std::string(bytes.rbegin(), bytes.rend());
  }
  spill(folder.file("little.pfm"), "Pf\n2 2\n-1.0\n" + little);
  spill(folder.file("big.pfm"), "Pf 2 2\n1\n" + big);
  for (const char* name : {"little.pfm", "big.pfm"}) {
    const std::vector<float> pixels = asFloats(readPlane("pfm", folder.file(name), "output"));
    const std::vector<float> reds = {pixels[0], pixels[4], pixels[8], pixels[12]};
    EXPECT_EQ(reds, (std::vector<float>{3e-5F, 4e7F, 1.5F, -2.25F})) << name;
  }
}

}  // namespace
}  // namespace lacuna::test
