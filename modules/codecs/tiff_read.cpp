// TIFF 6.0 and BigTIFF, by libtiff. https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/raw.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"
#include "modules/codecs/tiff_tags.h"

namespace lacuna::io {

extern const Codec tifCodec;  // for the table that CMake makes
namespace {

constexpr const char* label = "TIFF";
constexpr uint16_t firstPrivate = 32768;

struct Header {
  uint32_t width = 0, height = 0;
  uint16_t bits = 1, samples = 1, photometric = PHOTOMETRIC_MINISBLACK, planes = PLANARCONFIG_CONTIG,
           kind = SAMPLEFORMAT_UINT, compression = COMPRESSION_NONE;
  uint32_t tileWidth = 0, bandHeight = 0;  // of a tile, or a strip; no tiles: the width is 0
  uint16_t alphaKind = EXTRASAMPLE_UNSPECIFIED;
  int alpha = -1;  // its sample

  bool isGrey() const {
    return photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  }
  bool isPalette() const { return photometric == PHOTOMETRIC_PALETTE; }
  uint16_t colours() const { return isGrey() || isPalette() ? 1 : 3; }
  bool isFloat() const { return kind == SAMPLEFORMAT_IEEEFP; }
  bool isPlanar() const { return planes == PLANARCONFIG_SEPARATE && samples > 1; }
  uint16_t planeCount() const { return isPlanar() ? samples : 1; }
  uint16_t samplesOfPlane() const { return isPlanar() ? 1 : samples; }
  uint32_t bytes() const { return bits <= 8 ? 1 : bits / 8; }  // of a sample that is unpacked
  uint64_t rowBytes(uint64_t pixels) const {                   // of a plane
    return (pixels * samplesOfPlane() * bits + 7) / 8;
  }
};

std::string photometricName(uint16_t photometric) {
  constexpr std::pair<uint16_t, const char*> names[] = {
      {PHOTOMETRIC_SEPARATED, "inks (CMYK)"},      {PHOTOMETRIC_MASK, "a mask"},
      {PHOTOMETRIC_CIELAB, "CIE L*a*b*"},          {PHOTOMETRIC_ICCLAB, "CIE L*a*b*"},
      {PHOTOMETRIC_ITULAB, "CIE L*a*b*"},          {PHOTOMETRIC_LOGL, "logarithms (LogL)"},
      {PHOTOMETRIC_LOGLUV, "logarithms (LogLuv)"}, {PHOTOMETRIC_YCBCR, "YCbCr without JPEG"}};
  for (const auto& [number, name] : names)
    if (number == photometric)
      return name;
  return fmt::format("of an unknown kind ({})", photometric);
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), file_(openToRead(path)), folders_(file_) {
    tiff_ = openTiff(path, file_, "rmO", messages_);
    if (!tiff_)
      damaged();
    choosePage();
    // libtiff leaves out tags that aren't there. Those of other programs may be wrong.
    for (const TiffEntry& entry : folders_.entries(folder()))
      if (entry.isCut && (entry.tag < firstPrivate || entry.tag == TIFFTAG_ICCPROFILE))
        throwDamaged(path_, label, "it breaks off: the value of its tag {} is missing", entry.tag);
    readHeader();
  }

  ValueType type(const std::string&) {
    const int count = static_cast<int>(pages_.size());
    if (count > 1 && options_.page == 0)
      refuse(path_, "it has {} pages; choose one, 1 to {}, with --page or i-file's 'page'", count, count);
    checkPixels();
    checkSize(path_, header_.width, header_.height);
    StoredHeader header({header_.width, header_.height}, kind(""));
    // A strip of one colour may take a few bytes in some compressions.
    constexpr uint64_t pixelsPerByte = uint64_t{1} << 19U;
    checkPromise(path_, label, header.extent, pixelsPerByte);
    header.isStraight = header_.alphaKind == EXTRASAMPLE_UNASSALPHA;
    const uint64_t strip = header_.rowBytes(header_.width) * std::min(header_.bandHeight, header_.height);
    const uint64_t tile = header_.tileWidth > 0 ? TIFFTileSize64(tiff_.get()) : 0;
    header.decoderBytes = header_.planeCount() * strip + std::max(strip, tile);
    return open(header, metadata());
  }

  StoredKind kind(const std::string&) const {
    const int bits = header_.isFloat() ? header_.bits : header_.bits > 8 ? 16 : 8;
    return {bits, header_.isFloat(), header_.isGrey(), header_.alpha >= 0};
  }

  Metadata metadata() const {
    Metadata metadata{.exif = folders_.exif(folder()),
                      .xmp = asText(bytesOf(TIFFTAG_XMLPACKET)),
                      .colour = {.profile = bytesOf(TIFFTAG_ICCPROFILE), .grey = header_.isGrey()},
                      .compression = tiffCompressionName(header_.compression)};
    float x = 0, y = 0;
    uint16_t unit = RESUNIT_INCH;
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_RESOLUTIONUNIT, &unit);
    if (TIFFGetField(tiff_.get(), TIFFTAG_XRESOLUTION, &x) == 1 &&
        TIFFGetField(tiff_.get(), TIFFTAG_YRESOLUTION, &y) == 1 && x >= 1 && y >= 1 && x < 1e6F && y < 1e6F)
      metadata.density = Density{static_cast<uint32_t>(x + 0.5F), static_cast<uint32_t>(y + 0.5F),
                                 unit == RESUNIT_INCH         ? Density::Unit::inch
                                 : unit == RESUNIT_CENTIMETER ? Density::Unit::centimetre
                                                              : Density::Unit::none};
    if (header_.isFloat())
      deliverLinear(metadata);
    else
      describeAdobeRgb(metadata.exif, metadata.colour);
    const int others = header_.samples - header_.colours() - (header_.alpha >= 0 ? 1 : 0);
    if (others > 0)
      metadata.lost.emplace_back(fmt::format("{} other channel{}", others, others == 1 ? "" : "s"));
    if (!bytesOf(TIFFTAG_PHOTOSHOP).empty())
      metadata.lost.emplace_back("Photoshop's data, such as layers");
    return metadata;
  }

  void read(const PlaneTarget& target) {
    uint32_t y = 0;
    messages_ = {};
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      const size_t rowBytes = size_t{4} * header_.width * header_.bytes();
      for (uint32_t i = 0; i < count; ++i, ++y)
        readRow(y, rows + i * rowBytes);
    });
  }

 private:
  [[noreturn]] void damaged() const {
    throwDamaged(path_, label, "{}",
                 !messages_.error.empty()     ? messages_.error
                 : !messages_.warning.empty() ? messages_.warning
                                              : "libtiff can't read it");
  }

  // Pages without thumbnails and masks. Others only where it has nothing else.
  void choosePage() {
    std::vector<tdir_t> all;
    do {
      uint32_t use = 0;
      TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_SUBFILETYPE, &use);
      all.push_back(TIFFCurrentDirectory(tiff_.get()));
      if ((use & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0)
        pages_.push_back(all.back());
    } while (TIFFReadDirectory(tiff_.get()) == 1);
    if (pages_.empty())
      pages_ = all;
    if (!messages_.error.empty())
      damaged();
    if (options_.page > static_cast<int>(pages_.size()))
      refuse(path_, "it has no page {}, but {}", options_.page,
             pages_.size() == 1 ? "only 1" : fmt::format("1 to {}", pages_.size()));
    if (TIFFSetDirectory(tiff_.get(), pages_[options_.page > 0 ? options_.page - 1 : 0]) != 1)
      damaged();
  }

  uint64_t folder() const { return TIFFCurrentDirOffset(tiff_.get()); }

  void readHeader() {
    TIFF* tiff = tiff_.get();
    Header& h = header_;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &h.width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &h.height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &h.bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &h.samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &h.planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &h.kind);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &h.compression);
    if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &h.photometric) != 1)
      h.photometric = h.samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    if (TIFFIsTiled(tiff) != 0) {
      TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &h.tileWidth);
      TIFFGetField(tiff, TIFFTAG_TILELENGTH, &h.bandHeight);
    } else {
      TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &h.bandHeight);
    }
    uint16_t count = 0;
    const uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    for (int i = 0; i < count && h.alpha < 0; ++i)
      if (kinds[i] != EXTRASAMPLE_UNSPECIFIED && h.colours() + i < h.samples) {
        h.alpha = h.colours() + i;
        h.alphaKind = kinds[i];
      }
  }

  // Before anything is allocated for pixels.
  void checkPixels() {
    Header& h = header_;
    constexpr uint16_t mostSamples = 64;
    constexpr std::array<uint16_t, 5> integers = {1, 2, 4, 8, 16};
    if (h.photometric == PHOTOMETRIC_YCBCR && h.compression == COMPRESSION_JPEG && !h.isPlanar() &&
        h.samples == 3 && TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) == 1)
      h.photometric = PHOTOMETRIC_RGB;
    if (!h.isGrey() && !h.isPalette() && h.photometric != PHOTOMETRIC_RGB)
      refuse(path_, "its numbers are {}; expected grey, RGB or a palette: convert it to RGB first",
             photometricName(h.photometric));
    if (!(h.kind == SAMPLEFORMAT_UINT || h.kind == SAMPLEFORMAT_VOID) && !h.isFloat())
      refuse(path_, "its numbers have signs or are complex; expected whole ones from 0, or floats");
    const bool isKnown = h.isFloat() ? h.bits == 16 || h.bits == 32 : contains(integers, h.bits);
    if (!isKnown || (h.isPalette() && (h.bits > 8 || h.isFloat())))
      refuse(path_, "its {} have {} bits; expected {}", h.isFloat() ? "floats" : "numbers", h.bits,
             h.isFloat()     ? "16 or 32"
             : h.isPalette() ? "1, 2, 4 or 8 for a palette"
                             : "1, 2, 4, 8 or 16, or floats");
    if (h.samples < h.colours() || h.samples > mostSamples)
      refuse(path_, "it has {} numbers a pixel; expected {} to {}", h.samples, h.colours(), mostSamples);
    if (tiffCompressionName(h.compression).empty() || TIFFIsCODECConfigured(h.compression) == 0)
      refuse(path_, "its compression, {}, is unknown; save it uncompressed, or with LZW or Deflate",
             h.compression);
    const auto planeRow = static_cast<uint64_t>(TIFFScanlineSize64(tiff_.get()));
    const bool isTiled = h.tileWidth > 0;
    if (h.bandHeight == 0 ||
        (isTiled ? static_cast<uint64_t>(TIFFTileRowSize64(tiff_.get())) != h.rowBytes(h.tileWidth) ||
                       h.rowBytes(h.tileWidth) * 8 != uint64_t{h.tileWidth} * h.bits * h.samplesOfPlane()
                 : planeRow != h.rowBytes(h.width)))
      throwDamaged(path_, label, "its rows have an unexpected length");
  }

  std::vector<std::byte> bytesOf(uint32_t tag) const {
    uint32_t count = 0;
    const std::byte* bytes = nullptr;
    if (TIFFGetField(tiff_.get(), tag, &count, &bytes) != 1 || bytes == nullptr)
      return {};
    return bytesAt(bytes, count);
  }

  // A plane's row as it is stored. Bands of several planes, or of tiles, are decoded together.
  const std::byte* rowOf(uint16_t plane, uint32_t y) {
    const uint64_t rowBytes = header_.rowBytes(header_.width);
    if (header_.tileWidth == 0 && !header_.isPlanar()) {
      band_.resize(rowBytes);
      check(TIFFReadScanline(tiff_.get(), band_.data(), y, 0) == 1);
      return band_.data();
    }
    const uint32_t first = y / header_.bandHeight * header_.bandHeight;
    const uint32_t rows = std::min(header_.bandHeight, header_.height - first);
    if (plane == 0 && y == first) {
      band_.resize(rowBytes * rows * header_.planeCount());
      for (uint16_t p = 0; p < header_.planeCount(); ++p)
        readBand(p, first, rows);
    }
    return &band_[rowBytes * (uint64_t{plane} * rows + y - first)];
  }

  // A strip is a tile as wide as the picture.
  void readBand(uint16_t plane, uint32_t first, uint32_t rows) {
    const bool isTiled = header_.tileWidth > 0;
    const uint32_t width = isTiled ? header_.tileWidth : header_.width;
    const uint64_t rowBytes = header_.rowBytes(header_.width), cellRow = header_.rowBytes(width);
    cell_.resize(isTiled ? static_cast<size_t>(TIFFTileSize(tiff_.get())) : cellRow * rows);
    const auto bytes = static_cast<tmsize_t>(cell_.size());
    for (uint32_t x = 0; x < header_.width; x += width) {
      const tmsize_t read =
          isTiled ? TIFFReadEncodedTile(tiff_.get(), TIFFComputeTile(tiff_.get(), x, first, 0, plane),
                                        cell_.data(), bytes)
                  : TIFFReadEncodedStrip(tiff_.get(), TIFFComputeStrip(tiff_.get(), first, plane),
                                         cell_.data(), bytes);
      check(read == bytes);
      const uint64_t at = x / width * cellRow;
      for (uint32_t y = 0; y < rows; ++y)
        std::memcpy(&band_[rowBytes * (uint64_t{plane} * rows + y) + at], &cell_[y * cellRow],
                    std::min(cellRow, rowBytes - at));
    }
  }

  // What libtiff only warns of would be invented pixels.
  void check(bool isRead) const {
    if (!isRead || !messages_.error.empty() || !messages_.warning.empty())
      damaged();
  }

  void readRow(uint32_t y, std::byte* to) {
    const uint16_t planes = header_.planeCount(), perPlane = header_.samplesOfPlane();
    const size_t bytes = header_.bytes(), planeBytes = bytes * perPlane * header_.width;
    const uint32_t one = bitsOfOne(kind("").format());
    samples_.resize(planeBytes * planes);
    for (uint16_t p = 0; p < planes; ++p)
      unpack(rowOf(p, y), std::span(samples_).subspan(p * planeBytes, planeBytes));
    const auto sample = [&](int c) {
      return &samples_[header_.isPlanar() ? static_cast<size_t>(c) * planeBytes
                                          : static_cast<size_t>(c) * bytes];
    };
    for (int c = 0; c < 3; ++c)
      spread(sample(header_.colours() == 1 ? 0 : c), bytes * perPlane, to + static_cast<size_t>(c) * bytes);
    if (header_.isPalette())
      lookUp(to);
    if (header_.photometric == PHOTOMETRIC_MINISWHITE)
      invert(to);
    if (header_.alpha >= 0)
      spread(sample(header_.alpha), bytes * perPlane, to + 3 * bytes);
    else
      spread(reinterpret_cast<const std::byte*>(&one), 0, to + 3 * bytes);
    if (!header_.isFloat() && header_.alphaKind == EXTRASAMPLE_ASSOCALPHA)
      bytes == 1 ? straighten<uint8_t>(to) : straighten<uint16_t>(to);
  }

  // Numbers of less than 8 bits, one a byte, from 0 to 255 unless they are places in a palette.
  void unpack(const std::byte* from, std::span<std::byte> to) const {
    const uint32_t bits = header_.bits, most = (1U << std::min(bits, 8U)) - 1;
    if (bits >= 8) {
      std::memcpy(to.data(), from, to.size());
      return;
    }
    for (size_t i = 0; i < to.size(); ++i) {
      const size_t at = i * bits;
      const uint32_t value = std::to_integer<uint32_t>(from[at / 8]) >> (8 - bits - at % 8) & most;
      to[i] = static_cast<std::byte>(header_.isPalette() ? value : value * 255 / most);
    }
  }

  void spread(const std::byte* from, size_t step, std::byte* to) const {
    const size_t bytes = header_.bytes();
    for (uint32_t x = 0; x < header_.width; ++x, from += step, to += 4 * bytes)
      std::memcpy(to, from, bytes);
  }

  void lookUp(std::byte* to) const {
    std::array<const uint16_t*, 3> colours{};
    if (TIFFGetField(tiff_.get(), TIFFTAG_COLORMAP, &colours[0], &colours[1], &colours[2]) != 1)
      throwDamaged(path_, label, "it has no palette");
    for (size_t i = 0; i < size_t{4} * header_.width; ++i)
      if (i % 4 < 3)
        to[i] = static_cast<std::byte>(colours.at(i % 4)[std::to_integer<size_t>(to[i])] / 257);
  }

  void invert(std::byte* to) const {
    const size_t bytes = header_.bytes();
    if (header_.isFloat())
      refuse(path_, "its floats have white at 0; expected black there");
    for (size_t i = 0; i < 4 * bytes * header_.width; ++i)
      to[i] = ~to[i];
  }

  template <class Word>
  void straighten(std::byte* to) const {
    constexpr uint32_t most = static_cast<Word>(-1);
    for (uint32_t x = 0; x < header_.width; ++x) {
      std::array<Word, 4> pixel;
      std::memcpy(pixel.data(), to + x * sizeof pixel, sizeof pixel);
      for (size_t c = 0; c < 3 && pixel[3] > 0; ++c)
        pixel[c] = static_cast<Word>(
            std::min<uint64_t>((uint64_t{pixel[c]} * most + pixel[3] / 2) / pixel[3], most));
      std::memcpy(to + x * sizeof pixel, pixel.data(), sizeof pixel);
    }
  }

  File file_;
  TiffFolders folders_;
  TiffMessages messages_;
  TiffFile tiff_;
  std::vector<tdir_t> pages_;
  Header header_;
  std::vector<std::byte> band_, cell_, samples_;
};

// Raw photographs begin as TIFF files do. Where the first folder leaves a doubt, LibRaw decides.
bool isPicture(const std::string& path) {
  constexpr uint16_t subFolders = 330, colourFilters = 32803, linearRaw = 34892, dngVersion = 50706,
                     canonFirst = 16;
  const File file = openToRead(path);
  const TiffFolders folders(file);
  const std::vector<TiffEntry> entries = folders.entries(folders.first());
  const auto has = [&](uint16_t tag) {
    return std::ranges::find(entries, tag, &TiffEntry::tag) != entries.end();
  };
  const uint64_t photometric = folders.number(entries, TIFFTAG_PHOTOMETRIC);
  const auto compression = static_cast<uint16_t>(folders.number(entries, TIFFTAG_COMPRESSION));
  if (has(dngVersion) || photometric == colourFilters || photometric == linearRaw)
    return false;
  const Codec* named = readerOfExtension(extensionOf(path));
  const bool isNamedRaw = named != nullptr && named->holds == Holds::mosaic;
  if (isNamedRaw && entries.empty())  // it breaks off before the folder
    return false;
  const bool isSure = !isNamedRaw && !has(subFolders) && (folders.isBig() || folders.first() != canonFirst) &&
                      (folders.number(entries, TIFFTAG_SUBFILETYPE) & FILETYPE_REDUCEDIMAGE) == 0 &&
                      (compression <= 1 || !tiffCompressionName(compression).empty());
  return isSure || !isRaw(path);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  writeTiff(pictureToWrite(path, tifCodec, planes, options), part);
}

using namespace std::string_view_literals;

}  // namespace

const Codec tifCodec = readBy<Reader>({
    .name = "tif",
    .label = label,
    .extensions = {".tif", ".tiff"},
    .signatures = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv},
    .claims = isPicture,
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision", "page"},
    .writingParameters = {"encoding", "gamma", "bits", "quality", "tiff_compression"},
    .holdsFloats = true,
    .writesRows = true,
    .write = write,
});

}  // namespace lacuna::io
