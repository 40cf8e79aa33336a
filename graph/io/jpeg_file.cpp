// libjpeg-turbo through its libjpeg interface. Errors come by longjmp: functions that call setjmp here have
// no locals with destructors.

#include <fmt/format.h>

#include <array>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include "graph/io/codec.h"

namespace lacuna::io {
namespace {

// First member: libjpeg's own, so that its pointer is one to this.
struct Errors {
  jpeg_error_mgr manager{};
  std::jmp_buf escape;
  std::array<char, JMSG_LENGTH_MAX> text{};
};

[[noreturn]] void onError(j_common_ptr info) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  (*info->err->format_message)(info, errors->text.data());
  std::longjmp(errors->escape, 1);
}

// libjpeg warns of data that it had to make up; here that is an error, or grey blocks would pass as a
// picture.
void onMessage(j_common_ptr info, int level) {
  if (level >= 0)
    return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
      return;
    default:
      onError(info);
  }
}

jpeg_error_mgr* prepare(Errors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = onError;
  errors.manager.emit_message = onMessage;
  return &errors.manager;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(openToRead(path)) {
    info_.err = prepare(errors_);
  }
  ~Reader() { jpeg_destroy_decompress(&info_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  ValueType readHeader() {
    if (!tryHeader())
      fail();
    const J_COLOR_SPACE space = info_.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK)
      throw FileError(fmt::format("{}: a CMYK JPEG file; expected RGB, YCbCr or grey", path_));
    if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
      throw FileError(
          fmt::format("{}: a JPEG file of {} components without a known meaning; expected RGB, YCbCr "
                      "or grey",
                      path_, info_.num_components));
    checkSize(path_, info_.image_width, info_.image_height);
    // A Huffman-coded block of 64 pixels takes a bit at the very least; the odd samplings allow some more.
    constexpr uint64_t pixelsPerByte = 16384;
    if (!info_.arith_code &&
        uint64_t{info_.image_width} * info_.image_height / pixelsPerByte > fileBytes(path_))
      throw FileError(fmt::format("{}: damaged JPEG file: it is too short for {} x {} pixels", path_,
                                  info_.image_width, info_.image_height));
    return {Channels::rgba, Format::u8, ColourTag::rec709, {info_.image_width, info_.image_height}};
  }

  void readPixels(std::byte* pixels) {
    if (!tryPixels(reinterpret_cast<JSAMPROW>(pixels)))
      fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("{}: damaged JPEG file: {}", path_, errors_.text.data()));
  }

  bool tryHeader() {
    if (setjmp(errors_.escape))
      return false;
    jpeg_create_decompress(&info_);
    jpeg_stdio_src(&info_, file_.get());
    jpeg_read_header(&info_, TRUE);
    return true;
  }

  bool tryPixels(JSAMPROW pixels) {
    if (setjmp(errors_.escape))
      return false;
    info_.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&info_);
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = pixels + size_t{4} * info_.output_width * info_.output_scanline;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
    return true;
  }

  const std::string& path_;
  File file_;
  Errors errors_;
  jpeg_decompress_struct info_{};
};

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted) {
  return singlePlane(Reader(path).readHeader(), wanted);
}

void read(const std::string& path, std::span<const PlaneTarget> targets) {
  for (const PlaneTarget& target : targets) {
    Reader reader(path);
    checkTarget(path, target, reader.readHeader());
    reader.readPixels(target.destination.data());
  }
}

bool tryWrite(jpeg_compress_struct& info, Errors& errors, std::FILE* file, const NamedImage& image,
              int quality) {
  if (setjmp(errors.escape))
    return false;
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = image.type.extent.width;
  info.image_height = image.type.extent.height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.optimize_coding = TRUE;
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;  // 4:4:4
  jpeg_start_compress(&info, TRUE);
  const auto* pixels = reinterpret_cast<const JSAMPLE*>(image.pixels.data());
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<JSAMPROW>(pixels + size_t{4} * info.image_width * info.next_scanline);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  if (componentCount(image.type.channels) != 4 || image.type.format != Format::u8)
    throw FileError(
        fmt::format("{}: a JPEG file is written from rgba u8, not from {}", path, print(image.type)));
  if (image.type.colour == ColourTag::rec2020)
    throw FileError(
        fmt::format("{}: a JPEG file is written in rec709, not in rec2020; convert with 'colour'", path));
  if (image.type.extent.width > JPEG_MAX_DIMENSION || image.type.extent.height > JPEG_MAX_DIMENSION)
    throw FileError(fmt::format("{}: {} x {} pixels, but a JPEG file's side may have {} at most", path,
                                image.type.extent.width, image.type.extent.height, JPEG_MAX_DIMENSION));
  if (options.quality < 1 || options.quality > 100)
    throw FileError(fmt::format("{}: quality {} is not within 1..100", path, options.quality));
  File file = openToWrite(path, part);
  Errors errors;
  jpeg_compress_struct info{};
  info.err = prepare(errors);
  const bool written = tryWrite(info, errors, file.get(), image, options.quality);
  jpeg_destroy_compress(&info);
  if (!written)
    throw FileError(fmt::format("{}: can't be written: {}", path, errors.text.data()));
  closeWritten(std::move(file), path);
}

}  // namespace

const Codec jpegCodec{"jpeg", probe, read, write};

}  // namespace lacuna::io
