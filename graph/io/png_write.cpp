// As in png_read.cpp: no locals with destructors where setjmp is called.

#include "graph/io/png_write.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <bit>
#include <cstring>

namespace lacuna::io {
namespace {

void onError(png_structp png, png_const_charp message) {
  char* text = static_cast<char*>(png_get_error_ptr(png));
  std::snprintf(text, 128, "%s", message);
  png_longjmp(png, 1);
}
void onWarning(png_structp, png_const_charp) {}

template <class Word>
bool someTransparent(std::span<const std::byte> pixels, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Word alpha;
    std::memcpy(&alpha, pixels.data() + (4 * i + 3) * sizeof(Word), sizeof(Word));
    if (alpha != static_cast<Word>(~Word{0}))
      return true;
  }
  return false;
}

struct Job {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::FILE* file = nullptr;
  const NamedImage* image = nullptr;
  bool alpha = false, linear = false;
  std::array<char, 128> error{};
};

void writeColour(const Job& job) {
  if (job.linear)
    png_set_gAMA(job.png, job.info, 1.0);
  else if (job.image->type.colour == ColourTag::rec709)
    png_set_sRGB(job.png, job.info, PNG_sRGB_INTENT_RELATIVE);
  else if (job.image->type.colour == ColourTag::rec2020)
    png_set_gAMA(job.png, job.info, 1.0 / 2.2);
  if (job.image->type.colour == ColourTag::rec2020) {
    const double* c = rec2020WhiteAndPrimaries;
    png_set_cHRM(job.png, job.info, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
  }
}

bool tryWrite(Job& job) {
  if (setjmp(png_jmpbuf(job.png)))
    return false;
  const ValueType& type = job.image->type;
  png_init_io(job.png, job.file);
  png_set_IHDR(job.png, job.info, type.extent.width, type.extent.height, type.format == Format::u16 ? 16 : 8,
               job.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  writeColour(job);
  png_write_info(job.png, job.info);
  if (!job.alpha)
    png_set_filler(job.png, 0, PNG_FILLER_AFTER);
  if (type.format == Format::u16 && std::endian::native == std::endian::little)
    png_set_swap(job.png);
  const size_t rowBytes = size_t{type.extent.width} * bytesPerPixel(type.channels, type.format);
  for (uint32_t y = 0; y < type.extent.height; ++y)
    png_write_row(job.png, reinterpret_cast<png_const_bytep>(job.image->pixels.data() + y * rowBytes));
  png_write_end(job.png, job.info);
  return true;
}

}  // namespace

void writePng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  if (componentCount(type.channels) != 4 || (type.format != Format::u8 && type.format != Format::u16))
    throw FileError(
        fmt::format("{}: a PNG file is written from rgba u8 or u16, not from {}", path, print(type)));
  const size_t count = size_t{type.extent.width} * type.extent.height;
  File file = openToWrite(path, part);
  Job job;
  job.file = file.get();
  job.image = &image;
  job.linear = options.linear;
  job.alpha = type.format == Format::u8 ? someTransparent<uint8_t>(image.pixels, count)
                                        : someTransparent<uint16_t>(image.pixels, count);
  job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job.error.data(), onError, onWarning);
  job.info = job.png ? png_create_info_struct(job.png) : nullptr;
  const bool written = job.info && tryWrite(job);
  png_destroy_write_struct(&job.png, &job.info);
  if (!written)
    throw FileError(
        fmt::format("{}: can't be written: {}", path, job.error[0] ? job.error.data() : "not enough memory"));
  closeWritten(std::move(file), path);
}

}  // namespace lacuna::io
