#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>

#include <algorithm>
#include <bit>
#include <cstring>

#include "modules/codecs/kept.h"
#include "modules/codecs/png.h"

namespace lacuna::io {
namespace {

struct PngJob {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::FILE* file = nullptr;
  const NamedImage* image = nullptr;
  ColourLabel label;
  std::vector<PngChunk> chunks;
  std::vector<std::byte> row;  // for images that are not written directly from memory
  bool grey = false, alpha = false;
  int compression = 0;
  PngMessages messages;

  PngJob() = default;
  PngJob(const PngJob&) = delete;
  PngJob& operator=(const PngJob&) = delete;
  ~PngJob() { png_destroy_write_struct(&png, &info); }
};

void writeChunk(const PngJob& job, const PngChunk& chunk) {
  png_write_chunk(job.png, reinterpret_cast<png_const_bytep>(chunk.name.data()),
                  reinterpret_cast<png_const_bytep>(chunk.data.data()), chunk.data.size());
}

void writeColour(const PngJob& job) {
  const std::vector<std::byte>& profile = job.label.profile;
  if (job.label.srgb) {
    png_set_sRGB(job.png, job.info, PNG_sRGB_INTENT_RELATIVE);
  } else if (!profile.empty() && job.label.colourChunks.empty()) {
    // Not checked, because libpng would refuse the input's profile if it knows it as sRGB or finds a flaw in
    // it.
    png_set_option(job.png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    png_set_benign_errors(job.png, 1);
    png_set_iCCP(job.png, job.info, "colours", PNG_COMPRESSION_TYPE_BASE,
                 reinterpret_cast<png_const_bytep>(profile.data()), static_cast<png_uint_32>(profile.size()));
  }
}

// Only runs and a Huffman code, over rows less those above, take a ninth of the time of zlib's usual level 6
// with all filters, and a photograph's file is 4% larger.
void chooseCompression(const PngJob& job) {
  png_set_compression_level(job.png, job.compression);
  if (job.compression > 1)
    return;  // libpng's own choice: all filters
  png_set_filter(job.png, PNG_FILTER_TYPE_BASE, job.compression == 0 ? PNG_FILTER_NONE : PNG_FAST_FILTERS);
  png_set_compression_strategy(job.png, Z_RLE);
}

int pngColourType(const PngJob& job) {
  if (job.grey)
    return job.alpha ? PNG_COLOR_TYPE_GRAY_ALPHA : PNG_COLOR_TYPE_GRAY;
  return job.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB;
}

// Green, which represents all three, and alpha if it is written.
const std::byte* greyRow(PngJob& job, const std::byte* pixels) {
  const size_t wordBytes = job.image->type.format == Format::u16 ? 2 : 1,
               width = job.image->type.extent.width;
  std::byte* to = job.row.data();
  for (size_t x = 0; x < width; ++x, pixels += 4 * wordBytes) {
    std::memcpy(to, pixels + wordBytes, wordBytes);
    to += wordBytes;
    if (job.alpha) {
      std::memcpy(to, pixels + 3 * wordBytes, wordBytes);
      to += wordBytes;
    }
  }
  return job.row.data();
}

bool tryStart(PngJob& job) {
  if (setjmp(png_jmpbuf(job.png)))
    return false;
  const ValueType& type = job.image->type;
  png_init_io(job.png, job.file);
  png_set_IHDR(job.png, job.info, type.extent.width, type.extent.height, type.format == Format::u16 ? 16 : 8,
               pngColourType(job), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  chooseCompression(job);
  writeColour(job);
  png_write_info(job.png, job.info);
  for (const PngChunk& chunk : job.label.colourChunks)
    writeChunk(job, chunk);
  for (const PngChunk& chunk : job.chunks)
    writeChunk(job, chunk);
  if (!job.alpha && !job.grey)
    png_set_filler(job.png, 0, PNG_FILLER_AFTER);
  if (type.format == Format::u16 && std::endian::native == std::endian::little)
    png_set_swap(job.png);
  return true;
}

bool tryRows(PngJob& job, const NamedImage& strip) {
  if (setjmp(png_jmpbuf(job.png)))
    return false;
  const size_t rowBytes = byteSize(strip.type) / strip.type.extent.height;
  for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
    const std::byte* pixels = strip.pixels.data() + y * rowBytes;
    png_write_row(job.png, reinterpret_cast<png_const_bytep>(job.grey ? greyRow(job, pixels) : pixels));
  }
  return true;
}

bool tryEnd(PngJob& job) {
  if (setjmp(png_jmpbuf(job.png)))
    return false;
  png_write_end(job.png, job.info);
  return true;
}

bool writeAll(PngJob& job, const OnRows& rows) {
  if (!job.info || !tryStart(job))
    return false;
  const auto writeStrip = [&](const NamedImage& strip, uint32_t) {
    if (rows && ((job.grey && !io::isGrey(strip)) || (!job.alpha && someTransparent(strip))))
      rows(0);
    return tryRows(job, strip);
  };
  return eachStrip(*job.image, rows, writeStrip) && tryEnd(job);
}

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

void checkPng(const std::string& path, const ValueType& type, const WriteOptions& options) {
  if (componentCount(type.channels) != 4 || (type.format != Format::u8 && type.format != Format::u16))
    throw FileError(
        fmt::format("{}: a PNG file is written from rgba u8 or u16, not from {}", path, print(type)));
  if (options.compression < 0 || options.compression > 9)
    throw FileError(fmt::format("{}: compression {} is not within 0..9", path, options.compression));
}

}  // namespace

void writePng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  checkPng(path, type, options);
  std::optional<Kept> kept = keptOf(options, type.extent);
  const bool isExtended = kept && std::ranges::any_of(kept->metadata.jpegSegments, isExtendedXmp);
  if (isExtended)
    removeXmpExtension(kept->metadata.xmp);
  PngJob job;
  job.image = &image;
  job.grey = kept && kept->kind.grey && (options.rows || isGrey(image));
  job.alpha = (kept && kept->kind.alpha) || (!options.rows && someTransparent(image));
  job.label = labelFor(path, image, options, kept, job.grey);
  job.chunks = kept ? chunksOf(*kept) : std::vector<PngChunk>();
  if (kept && options.warn && std::ranges::any_of(kept->metadata.jpegSegments, isThermal))
    options.warn(fmt::format("{}: not kept: thermal data (FLIR), which only JPEG files hold", path));
  if (isExtended && options.warn)
    options.warn(fmt::format("{}: not kept: a second part of its XMP, which only JPEG files hold", path));
  job.row.resize(job.grey ? size_t{type.extent.width} * 4 : 0);  // two words of 16 bit at most
  job.compression = options.compression;
  File file = openToWrite(path, part);
  job.file = file.get();
  job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job.messages, onPngError, onPngWarning);
  job.info = job.png ? png_create_info_struct(job.png) : nullptr;
  const bool written = writeAll(job, options.rows);
  const int number = errno;
  if (!written)
    throw FileError(fmt::format(
        "{}: can't be written: {}", path,
        writeMistake(file, number, job.messages.error[0] ? job.messages.error.data() : "not enough memory")));
  closeWritten(std::move(file), path);
  if (job.messages.profile[0] && options.warn)
    options.warn(fmt::format("{}: the colour profile is not kept: {}", path, job.messages.profile.data()));
}

}  // namespace lacuna::io
