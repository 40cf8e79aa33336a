#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

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

// Its pixels and what it keeps.
class TiffWriter : NoCopy {
 public:
  TiffWriter(const std::string& path, const std::string& part, const KeptPicture& picture,
             const std::vector<std::byte>& profile)
      : path_(path),
        picture_(picture),
        type_(picture.image.type),
        profile_(profile),
        file_(openToWrite(path, part)) {
    errno = 0;
    tiff_ = openTiff(path, file_, isLarge() ? "w8" : "wl", messages_);
  }

  void write() {
    const bool isWritten = tiff_ != nullptr && putPicture() &&
                           writeTiffFolders(tiff_.get(), picture_.metadata().exif) &&
                           TIFFFlush(tiff_.get()) == 1;
    const int number = errno;
    tiff_.reset();
    if (!isWritten || !messages_.error.empty())
      refuse(path_, "can't be written: {}", number != 0 ? std::strerror(number) : messages_.error.c_str());
    closeWritten(std::move(file_), path_);
  }

 private:
  // Beyond 4 GB, where compression saves nothing.
  bool isLarge() const { return byteSize(type_) > (uint64_t{1} << 32U) - (uint64_t{1} << 26U); }
  bool isFloat() const { return io::isFloat(type_.format); }

  uint16_t compression() const {
    std::string word = picture_.options.tiffCompression;
    const bool mayBeJpeg = type_.format == Format::u8 && !picture_.alpha;
    if (word == "jpeg" && !mayBeJpeg)
      refuse(path_, "the compression jpeg takes 8 bits without alpha; choose another 'tiff_compression'");
    if (word == "auto")
      word = picture_.metadata().compression;
    if (word == "jpeg" && !mayBeJpeg)
      word.clear();
    for (const auto& [number, name] : tiffCompressions)
      if (name == word)
        return number;
    return COMPRESSION_ADOBE_DEFLATE;
  }

  bool putPicture() {
    TIFF* tiff = tiff_.get();
    const uint16_t compressed = compression();
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, type_.extent.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, type_.extent.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytesOf(type_.format)));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, picture_.components());
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, isFloat() ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, picture_.orientation());
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, stripRows);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compressed);
    const bool isYcc = compressed == COMPRESSION_JPEG && !picture_.grey;
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 picture_.grey ? PHOTOMETRIC_MINISBLACK
                 : isYcc       ? PHOTOMETRIC_YCBCR
                               : PHOTOMETRIC_RGB);
    if (compressed == COMPRESSION_JPEG)
      TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, picture_.options.quality);
    if (isYcc) {
      TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
    }
    constexpr std::array<uint16_t, 3> predicted = {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                                   COMPRESSION_ZSTD};
    if (contains(predicted, compressed))
      TIFFSetField(tiff, TIFFTAG_PREDICTOR, isFloat() ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    // Straight integers lose nothing; light is multiplied by alpha everywhere inside.
    const uint16_t alphaKind = isFloat() ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    if (picture_.alpha)
      TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alphaKind);
    if (!profile_.empty())
      TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(profile_.size()), profile_.data());
    putKept(picture_.metadata());
    return putRows();
  }

  void putKept(const Metadata& metadata) {
    TIFF* tiff = tiff_.get();
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

  bool putRows() {
    uint32_t y = 0;
    bool isPut = true;
    picture_.eachStrip([&](const NamedImage& strip) {
      std::vector<std::byte> rows = packedPixels(strip, picture_.grey, picture_.alpha);
      const size_t rowBytes = rows.size() / strip.type.extent.height;
      for (uint32_t i = 0; i < strip.type.extent.height && isPut; ++i)
        isPut = TIFFWriteScanline(tiff_.get(), &rows[i * rowBytes], y++, 0) == 1;
    });
    return isPut;
  }

  const std::string& path_;
  const KeptPicture& picture_;
  const ValueType& type_;
  const std::vector<std::byte>& profile_;
  File file_;
  TiffMessages messages_;
  TiffFile tiff_;
};

}  // namespace

std::string tiffCompressionName(uint16_t compression) {
  for (const auto& [number, name] : tiffCompressions)
    if (number == compression)
      return std::string(name);
  return {};
}

void writeTiff(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options) {
  const KeptPicture picture = deepPicture(path, "a TIFF file", planes, options);
  const std::vector<std::byte> profile = profileToWrite(path, "TIFF", picture);
  TiffWriter(path, part, picture, profile).write();
}

}  // namespace lacuna::io
