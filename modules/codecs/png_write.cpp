#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>

#include "graph/lists.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/png.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {
namespace {

class PngWriter : NoCopy {
 public:
  PngWriter(const KeptPicture& picture, const std::string& part, ColourLabel label,
            std::vector<PngChunk> chunks)
      : picture_(picture),
        type_(picture.image.type),
        label_(std::move(label)),
        chunks_(std::move(chunks)),
        greys_(picture.alpha ? std::vector<size_t>{1, 3} : std::vector<size_t>{1}),
        file_(openToWrite(picture.path, part)) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &messages_, onPngError, onPngWarning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

  void write() {
    if (!info_)
      refuseToWrite(picture_.path, file_, "not enough memory");
    attempt([&] { start(); });
    std::vector<std::byte> row(picture_.grey ? type_.extent.width * greys_.size() * bytesOf(type_.format)
                                             : 0);
    picture_.eachStrip([&](const NamedImage& strip) { attempt([&] { writeStrip(strip, row); }); });
    attempt([&] { png_write_end(png_, info_); });
    closeWritten(std::move(file_), picture_.path);
    if (messages_.profile[0])
      warn(picture_.options, picture_.path, "the colour profile is not kept: {}", messages_.profile.data());
  }

 private:
  // `step` has no locals with destructors: libpng's errors jump out of it.
  template <class Step>
  void attempt(const Step& step) {
    if (setjmp(png_jmpbuf(png_)))
      refuseToWrite(picture_.path, file_, messages_.error.data());
    step();
  }

  void start() {
    png_init_io(png_, file_.get());
    png_set_IHDR(png_, info_, type_.extent.width, type_.extent.height, isWide() ? 16 : 8,
                 (picture_.grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB) |
                     (picture_.alpha ? PNG_COLOR_MASK_ALPHA : 0),
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    chooseCompression();
    setColour();
    png_write_info(png_, info_);
    for (const std::vector<PngChunk>* chunks : {&label_.colourChunks, &chunks_})
      for (const PngChunk& chunk : *chunks)
        png_write_chunk(png_, reinterpret_cast<png_const_bytep>(chunk.name.data()),
                        reinterpret_cast<png_const_bytep>(chunk.data.data()), chunk.data.size());
    if (!picture_.alpha && !picture_.grey)
      png_set_filler(png_, 0, PNG_FILLER_AFTER);
    if (isWide() && std::endian::native == std::endian::little)
      png_set_swap(png_);
  }

  // Only runs and a Huffman code, over rows less those above, take a ninth of the time of zlib's usual level
  // 6 with all filters, and a photograph's file is 4% larger.
  void chooseCompression() {
    const int compression = picture_.options.compression;
    png_set_compression_level(png_, compression);
    if (compression > 1)
      return;  // libpng's own choice: all filters
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, compression == 0 ? PNG_FILTER_NONE : PNG_FAST_FILTERS);
    png_set_compression_strategy(png_, Z_RLE);
  }

  void setColour() {
    if (label_.srgb) {
      png_set_sRGB(png_, info_, PNG_sRGB_INTENT_RELATIVE);
    } else if (!label_.profile.empty() && label_.colourChunks.empty()) {
      // Not checked, because libpng would refuse the input's profile if it knows it as sRGB or finds a flaw
      // in it.
      png_set_option(png_, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
      png_set_benign_errors(png_, 1);
      png_set_iCCP(png_, info_, "colours", PNG_COMPRESSION_TYPE_BASE,
                   reinterpret_cast<png_const_bytep>(label_.profile.data()),
                   static_cast<png_uint_32>(label_.profile.size()));
    }
  }

  void writeStrip(const NamedImage& strip, std::span<std::byte> row) {
    const size_t rowBytes = byteSize(strip.type) / strip.type.extent.height;
    for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
      const std::byte* pixels = strip.pixels.data() + y * rowBytes;
      if (picture_.grey)
        packRow(pixels, bytesPerElement(type_), bytesOf(type_.format), greys_, row);
      png_write_row(png_, reinterpret_cast<png_const_bytep>(picture_.grey ? row.data() : pixels));
    }
  }

  bool isWide() const { return type_.format == Format::u16; }

  const KeptPicture& picture_;
  const ValueType& type_;
  ColourLabel label_;
  std::vector<PngChunk> chunks_;
  std::vector<size_t> greys_;  // components: green, which represents all three, and alpha if it is written
  File file_;
  PngMessages messages_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

// The origin's chunks, and for a JPEG file those that have a PNG chunk.
std::vector<PngChunk> chunksOf(const Kept& kept) {
  const Metadata& metadata = kept.metadata;
  std::vector<PngChunk> chunks = metadata.pngChunks;
  if (metadata.density)
    chunks.push_back(densityChunk(*metadata.density));
  if (!metadata.exif.empty())
    chunks.push_back({"eXIf", metadata.exif});
  if (!metadata.xmp.empty())
    chunks.push_back(xmpChunk(metadata.xmp));
  if (kept.codec != &pngCodec)
    for (const std::string& comment : metadata.comments)
      chunks.push_back(commentChunk(comment));
  return chunks;
}

}  // namespace

void writePng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options) {
  KeptPicture picture = pictureToWrite(path, pngCodec, planes, options);
  if (options.compression < 0 || options.compression > 9)
    refuse(path, "compression {} is not within 0..9", options.compression);
  const bool isExtended =
      picture.kept && std::ranges::any_of(picture.kept->metadata.jpegSegments, isExtendedXmp);
  if (isExtended)
    removeXmpExtension(picture.kept->metadata.xmp);
  ColourLabel label = labelFor(picture);
  if (picture.kept && std::ranges::any_of(picture.kept->metadata.jpegSegments, isThermal))
    warn(options, path, "not kept: thermal data (FLIR), which only JPEG files hold");
  if (isExtended)
    warn(options, path, "not kept: a second part of its XMP, which only JPEG files hold");
  PngWriter(picture, part, std::move(label), picture.kept ? chunksOf(*picture.kept) : std::vector<PngChunk>())
      .write();
}

}  // namespace lacuna::io
