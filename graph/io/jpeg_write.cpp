#include <fmt/format.h>

#include <cerrno>

#include "graph/io/icc.h"
#include "graph/io/jpeg.h"

namespace lacuna::io {
namespace {

struct JpegJob {
  jpeg_compress_struct info{};
  JpegErrors errors;
  std::FILE* file = nullptr;
  const NamedImage* image = nullptr;
  std::span<const std::byte> profile;
  int quality = 0;
};

bool tryWrite(JpegJob& job) {
  if (setjmp(job.errors.escape))
    return false;
  jpeg_compress_struct& info = job.info;
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, job.file);
  info.image_width = job.image->type.extent.width;
  info.image_height = job.image->type.extent.height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&info);
  // The standard's Huffman codes: those made for the picture save 2% and take three times as long.
  jpeg_set_quality(&info, job.quality, TRUE);
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;  // 4:4:4
  jpeg_start_compress(&info, TRUE);
  if (!job.profile.empty())
    jpeg_write_icc_profile(&info, reinterpret_cast<const JOCTET*>(job.profile.data()),
                           static_cast<unsigned>(job.profile.size()));
  const auto* pixels = reinterpret_cast<const JSAMPLE*>(job.image->pixels.data());
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<JSAMPROW>(pixels + size_t{4} * info.image_width * info.next_scanline);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

void writeJpeg(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  if (componentCount(image.type.channels) != 4 || image.type.format != Format::u8)
    throw FileError(
        fmt::format("{}: a JPEG file is written from rgba u8, not from {}", path, print(image.type)));
  if (image.type.extent.width > JPEG_MAX_DIMENSION || image.type.extent.height > JPEG_MAX_DIMENSION)
    throw FileError(fmt::format("{}: {} x {} pixels, but a JPEG file's side may have {} at most", path,
                                image.type.extent.width, image.type.extent.height, JPEG_MAX_DIMENSION));
  if (options.quality < 1 || options.quality > 100)
    throw FileError(fmt::format("{}: quality {} is not within 1..100", path, options.quality));
  const std::vector<std::byte> profile = profileFor(image.type.colour, options.linear);
  File file = openToWrite(path, part);
  JpegJob job;
  job.info.err = prepare(job.errors);
  job.file = file.get();
  job.image = &image;
  job.profile = profile;
  job.quality = options.quality;
  const bool written = tryWrite(job);
  const int number = errno;
  jpeg_destroy_compress(&job.info);
  if (!written)
    throw FileError(
        fmt::format("{}: can't be written: {}", path, writeMistake(file, number, job.errors.text.data())));
  closeWritten(std::move(file), path);
}

}  // namespace lacuna::io
