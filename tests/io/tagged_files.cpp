#include "tests/io/tagged_files.h"

#include <lcms2.h>
#include <png.h>
#include <zlib.h>

#include <cstdio>

#include <jpeglib.h>

namespace lacuna::test {
namespace {

std::vector<std::byte> saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<std::byte> bytes(size);
  EXPECT_TRUE(cmsSaveProfileToMem(profile, bytes.data(), &size));
  cmsCloseProfile(profile);
  return bytes;
}

cmsToneCurve* curveOf(double gamma) {
  const cmsFloat64Number srgb[] = {2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045};
  return gamma == 0.0 ? cmsBuildParametricToneCurve(nullptr, 4, srgb) : cmsBuildGamma(nullptr, gamma);
}

size_t wordBytes(const Picture& picture) {
  return picture.type.format == Format::u16 ? 2 : 1;
}

// Rows as the file holds them, big-endian.
std::vector<uint8_t> storedRows(const Picture& picture, size_t components) {
  const size_t word = wordBytes(picture);
  std::vector<uint8_t> rows;
  for (size_t pixel = 0; pixel < picture.pixels.size(); pixel += 4 * word)
    for (size_t c = 0; c < components; ++c)
      for (size_t b = word; b-- > 0;)
        rows.push_back(std::to_integer<uint8_t>(picture.pixels[pixel + c * word + b]));
  return rows;
}

void setTags(png_structp png, png_infop info, const Tags& tags) {
  if (!tags.profile.empty())
    png_set_iCCP(png, info, "test", 0, reinterpret_cast<png_const_bytep>(tags.profile.data()),
                 static_cast<png_uint_32>(tags.profile.size()));
  if (tags.srgb)
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (tags.gamma)
    png_set_gAMA(png, info, *tags.gamma);
  if (const auto& c = tags.whiteAndPrimaries)
    png_set_cHRM(png, info, (*c)[0], (*c)[1], (*c)[2], (*c)[3], (*c)[4], (*c)[5], (*c)[6], (*c)[7]);
  std::string exif = tags.exif;
  if (!exif.empty())
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   reinterpret_cast<png_bytep>(exif.data()));
}

void quiet(png_structp, png_const_charp) {}

}  // namespace

Picture randomPicture(Format format, Extent extent, std::mt19937_64& random) {
  const ValueType type{Channels::rgba, format, ColourTag::rec709, extent};
  return {type, randomPixels(type, random)};
}

void writeTaggedPng(const std::string& path, const Picture& picture, const Tags& tags, bool interlaced) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, quiet);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_benign_errors(png, 1);  // profiles that libpng would refuse are being tested
  const auto [width, height] = picture.type.extent;
  const size_t components = picture.grey ? 1 : 4, word = wordBytes(picture);
  png_set_IHDR(png, info, width, height, static_cast<int>(8 * word),
               picture.grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB_ALPHA,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
  setTags(png, info, tags);
  png_write_info(png, info);
  std::vector<uint8_t> rows = storedRows(picture, components);
  std::vector<png_bytep> pointers;
  for (size_t y = 0; y < height; ++y)
    pointers.push_back(rows.data() + y * width * components * word);
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

void writeTaggedJpeg(const std::string& path, const Picture& picture, const Tags& tags) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  jpeg_error_mgr errors{};
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = picture.type.extent.width;
  info.image_height = picture.type.extent.height;
  info.input_components = picture.grey ? 1 : 3;
  info.in_color_space = picture.grey ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  const std::string exif = std::string("Exif\0\0", 6) + tags.exif;
  if (!tags.exif.empty())
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(exif.data()),
                      static_cast<unsigned>(exif.size()));
  if (!tags.profile.empty())
    jpeg_write_icc_profile(&info, reinterpret_cast<const JOCTET*>(tags.profile.data()),
                           static_cast<unsigned>(tags.profile.size()));
  const auto components = static_cast<size_t>(info.input_components);
  std::vector<uint8_t> rows = storedRows(picture, components);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = rows.data() + info.next_scanline * components * info.image_width;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::fclose(file);
}

void insertChunk(const std::string& path, const std::string& name, const std::string& data,
                 const std::string& before) {
  const auto number = [](size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  std::string file = slurp(path);
  const std::string chunk = name + data;
  const size_t crc = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
  const size_t at = file.rfind(before) - 4;
  ASSERT_LT(at, file.size());
  file.insert(at, number(data.size()) + chunk + number(crc));
  spill(path, file);
}

void insertSegment(const std::string& path, int marker, const std::string& data) {
  const size_t length = data.size() + 2;
  std::string file = slurp(path);
  file.insert(2, std::string{'\xff', static_cast<char>(marker), static_cast<char>(length >> 8 & 0xff),
                             static_cast<char>(length & 0xff)} +
                     data);
  spill(path, file);
}

std::string xmpChunkData(const std::string& xmp) {
  return std::string("XML:com.adobe.xmp\0\0\0\0\0", 22) + xmp;
}

std::string iccpData(const std::vector<std::byte>& profile) {
  std::string packed(compressBound(profile.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(profile.data()),
           profile.size());
  return std::string("test\0\0", 6) + packed.substr(0, size);
}

std::string exifData(int orientation, bool bigEndian) {
  const auto number = [&](int value, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> (8 * i) & 0xff);
    return bigEndian ? std::string(text.rbegin(), text.rend()) : text;
  };
  constexpr int orientationTag = 0x112, shortType = 3;
  return (bigEndian ? "MM" : "II") + number(42, 2) + number(8, 4) + number(1, 2) + number(orientationTag, 2) +
         number(shortType, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) + number(0, 4);
}

std::string exifNumber(uint32_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string exifEntry(uint32_t tag, uint32_t type, uint32_t count, uint32_t value) {
  return exifNumber(tag, 2) + exifNumber(type, 2) + exifNumber(count, 4) + exifNumber(value, 4);
}

std::string cameraExif(int orientation) {
  const auto& number = exifNumber;
  const auto& entry = exifEntry;
  constexpr uint32_t ascii = 2, shortType = 3, longType = 4, rational = 5;
  constexpr uint32_t folder = 8, entries = 4, model = folder + 2 + 12 * entries + 4, exif = model + 6;
  constexpr uint32_t exifEntries = 5, exposure = exif + 2 + 12 * exifEntries + 4;
  return "II" + number(42, 2) + number(folder, 4) + number(entries, 2) +
         entry(0x010f, ascii, 4, 'F' | 'o' << 8U | 'o' << 16U) + entry(0x0110, ascii, 6, model) +
         entry(0x0112, shortType, 1, static_cast<uint32_t>(orientation)) + entry(0x8769, longType, 1, exif) +
         number(0, 4) + std::string("Bar 7\0", 6) + number(exifEntries, 2) +
         entry(0x829a, rational, 1, exposure) + entry(0x829d, rational, 1, exposure + 8) +
         entry(0x8827, shortType, 1, 1600) + entry(0x920a, rational, 1, exposure + 16) +
         entry(0xa434, ascii, 9, exposure + 24) + number(0, 4) + number(1, 4) + number(250, 4) +
         number(28, 4) + number(10, 4) + number(20, 4) + number(1, 4) + std::string("Foo 20mm\0", 9);
}

std::vector<std::byte> rgbProfile(const io::Chromaticities& c, double gamma) {
  const cmsCIExyY white{c[0], c[1], 1.0};
  const cmsCIExyYTRIPLE primaries{{c[2], c[3], 1.0}, {c[4], c[5], 1.0}, {c[6], c[7], 1.0}};
  cmsToneCurve* curve = curveOf(gamma);
  cmsToneCurve* const curves[] = {curve, curve, curve};
  auto bytes = saved(cmsCreateRGBProfile(&white, &primaries, curves));
  cmsFreeToneCurve(curve);
  return bytes;
}

std::vector<std::byte> greyProfile(double gamma) {
  cmsToneCurve* curve = curveOf(gamma);
  auto bytes = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  return bytes;
}

std::vector<std::byte> tableProfile() {
  const auto lightness = [](const cmsUInt16Number in[], cmsUInt16Number out[], void*) -> cmsInt32Number {
    const double r = in[0] / 65535.0, g = in[1] / 65535.0, b = in[2] / 65535.0;
    const cmsCIELab lab{100 * std::pow(0.2 * r + 0.7 * g + 0.1 * b, 0.8), 60 * (r - g), 60 * (g - b)};
    cmsFloat2LabEncoded(out, &lab);
    return TRUE;
  };
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
  cmsStage* table = cmsStageAllocCLut16bit(nullptr, 9, 3, 3, nullptr);
  EXPECT_TRUE(cmsStageSampleCLut16bit(table, lightness, nullptr, 0));
  for (cmsStage* stage :
       {cmsStageAllocToneCurves(nullptr, 3, nullptr), table, cmsStageAllocToneCurves(nullptr, 3, nullptr)})
    EXPECT_TRUE(cmsPipelineInsertStage(pipeline, cmsAT_END, stage));
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 4.3);
  cmsSetDeviceClass(profile, cmsSigInputClass);
  cmsSetColorSpace(profile, cmsSigRgbData);
  cmsSetPCS(profile, cmsSigLabData);
  EXPECT_TRUE(cmsWriteTag(profile, cmsSigAToB0Tag, pipeline));
  cmsPipelineFree(pipeline);
  return saved(profile);
}

std::vector<std::byte> cmykProfile() {
  return saved(cmsCreateInkLimitingDeviceLink(cmsSigCmykData, 300.0));
}

std::vector<std::byte> labProfile() {
  return saved(cmsCreateLab4Profile(nullptr));
}

Delivered deliver(const std::string& codec, const std::string& path, ReadOptions options) {
  Delivered delivered;
  options.warn = [&](const std::string& text) { delivered.warnings += text + "\n"; };
  delivered.type = probeImage(codec, path, {"x"}, options).at("x");
  delivered.warnings.clear();  // reading gives the same warnings again
  delivered.pixels.resize(byteSize(delivered.type), std::byte{0xee});
  readImage(codec, path, "x", delivered.type, delivered.pixels, options);
  return delivered;
}

}  // namespace lacuna::test
