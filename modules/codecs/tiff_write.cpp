#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/lists.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/tiff_tags.h"

namespace lacuna::io {
namespace {

// Choices of `tiff_compression`, by what they write first.
constexpr std::pair<uint16_t, std::string_view> tiffCompressions[] = {{COMPRESSION_NONE, "none"},
                                                                      {COMPRESSION_LZW, "lzw"},
                                                                      {COMPRESSION_ADOBE_DEFLATE, "deflate"},
                                                                      {COMPRESSION_DEFLATE, "deflate"},
                                                                      {COMPRESSION_PACKBITS, "packbits"},
                                                                      {COMPRESSION_ZSTD, "zstd"},
                                                                      {COMPRESSION_JPEG, "jpeg"},
                                                                      {COMPRESSION_CCITTRLE, "deflate"},
                                                                      {COMPRESSION_CCITTFAX3, "deflate"},
                                                                      {COMPRESSION_CCITTFAX4, "deflate"},
                                                                      {COMPRESSION_LZMA, "deflate"},
                                                                      {COMPRESSION_WEBP, "deflate"}};

uint16_t compressionFor(const KeptPicture& picture) {
  std::string word = picture.options.tiffCompression;
  const bool mayBeJpeg = picture.image.type.format == Format::u8 && !picture.alpha;
  if (word == "jpeg" && !mayBeJpeg)
    refuse(picture.path,
           "the compression jpeg takes 8 bits without alpha; choose another 'tiff_compression'");
  if (word == "auto")
    word = picture.metadata().compression;
  const auto* found = std::ranges::find(tiffCompressions, word, [](const auto& each) { return each.second; });
  const bool isFound = found != std::end(tiffCompressions) && (word != "jpeg" || mayBeJpeg);
  return isFound ? found->first : uint16_t{COMPRESSION_ADOBE_DEFLATE};
}

void putPixelKind(TIFF* tiff, const KeptPicture& picture, uint16_t compression) {
  const ValueType& type = picture.image.type;
  const bool isLight = isFloat(type.format), isJpeg = compression == COMPRESSION_JPEG;
  const bool isYcc = isJpeg && !picture.grey;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, type.extent.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, type.extent.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytesOf(type.format)));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, picture.components());
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, isLight ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, picture.orientation());
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, stripRows);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               picture.grey ? PHOTOMETRIC_MINISBLACK
               : isYcc      ? PHOTOMETRIC_YCBCR
                            : PHOTOMETRIC_RGB);
  if (isJpeg)
    TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, picture.options.quality);
  if (isYcc) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
  }
  constexpr std::array<uint16_t, 3> predicted = {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                                 COMPRESSION_ZSTD};
  if (contains(predicted, compression))
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, isLight ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
  // Straight integers lose nothing; light is multiplied by alpha everywhere inside.
  const uint16_t alphaKind = isLight ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
  if (picture.alpha)
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alphaKind);
}

void putKept(TIFF* tiff, const Metadata& metadata) {
  putMainExif(tiff, metadata.exif);
  if (!metadata.xmp.empty())
    TIFFSetField(tiff, TIFFTAG_XMLPACKET, static_cast<uint32_t>(metadata.xmp.size()), metadata.xmp.data());
  if (!metadata.density)
    return;
  const Density& density = *metadata.density;
  const double scale = density.unit == Density::Unit::metre ? 0.01 : 1;
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, density.x * scale);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, density.y * scale);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT,
               density.unit == Density::Unit::none   ? RESUNIT_NONE
               : density.unit == Density::Unit::inch ? RESUNIT_INCH
                                                     : RESUNIT_CENTIMETER);
}

bool putRows(TIFF* tiff, const KeptPicture& picture) {
  uint32_t y = 0;
  bool isPut = true;
  picture.eachStrip([&](const NamedImage& strip) {
    std::vector<std::byte> rows = packedPixels(strip, picture.grey, picture.alpha);
    const size_t rowBytes = rows.size() / strip.type.extent.height;
    for (uint32_t i = 0; i < strip.type.extent.height && isPut; ++i)
      isPut = TIFFWriteScanline(tiff, &rows[i * rowBytes], y++, 0) == 1;
  });
  return isPut;
}

}  // namespace

std::string tiffCompressionName(uint16_t compression) {
  for (const auto& [number, name] : tiffCompressions)
    if (number == compression)
      return std::string(name);
  return {};
}

void writeTiff(const KeptPicture& picture, const std::string& part) {
  const std::vector<std::byte> profile = profileToWrite(picture);
  const uint16_t compression = compressionFor(picture);
  // Beyond 4 GB, where compression saves nothing.
  const bool isLarge = byteSize(picture.image.type) > (uint64_t{1} << 32U) - (uint64_t{1} << 26U);
  writeTiffFile(picture.path, part, isLarge ? "w8" : "wl", [&](TIFF* tiff) {
    putPixelKind(tiff, picture, compression);
    if (!profile.empty())
      TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(profile.size()), profile.data());
    putKept(tiff, picture.metadata());
    return putRows(tiff, picture) && writeTiffFolders(tiff, picture.metadata().exif);
  });
}

}  // namespace lacuna::io
