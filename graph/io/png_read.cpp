// libpng reports errors by longjmp. Functions that call setjmp here have no locals with destructors, and what
// they change lives in a struct of their caller.

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <bit>
#include <cmath>

#include "graph/io/codec.h"
#include "graph/io/png_write.h"

namespace lacuna::io {
namespace {

struct Header {
  png_uint_32 width = 0, height = 0;
  int bitDepth = 0, colourType = 0;
  ColourTag colour = ColourTag::rec709;
};

void onError(png_structp png, png_const_charp message) {
  char* text = static_cast<char*>(png_get_error_ptr(png));
  std::snprintf(text, 128, "%s", message);
  png_longjmp(png, 1);
}
void onWarning(png_structp, png_const_charp) {}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(openToRead(path)) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, error_.data(), onError, onWarning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw FileError(fmt::format("{}: not enough memory to read it", path));
    }
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const Header& readHeader() {
    if (!tryHeader())
      fail();
    checkSize(path_, header_.width, header_.height);
    // Deflate expands to 1032 times its size at most: a header can't promise more than the file could hold.
    constexpr uint64_t deflateLimit = 1032;
    if (uint64_t{header_.width} * header_.height / 8 / deflateLimit > fileBytes(path_))
      throw FileError(fmt::format("{}: damaged PNG file: it is too short for {} x {} pixels", path_,
                                  header_.width, header_.height));
    return header_;
  }

  void readPixels(std::byte* pixels, size_t rowBytes) {
    std::vector<png_bytep> rows(header_.height);
    for (size_t y = 0; y < rows.size(); ++y)
      rows[y] = reinterpret_cast<png_bytep>(pixels + y * rowBytes);
    if (!tryPixels(rows.data(), rowBytes))
      fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("{}: damaged PNG file: {}", path_, error_.data()));
  }

  bool tryHeader() {
    if (setjmp(png_jmpbuf(png_)))
      return false;
    png_init_io(png_, file_.get());
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // checkSize has the better message
    png_read_info(png_, info_);
    png_get_IHDR(png_, info_, &header_.width, &header_.height, &header_.bitDepth, &header_.colourType,
                 nullptr, nullptr, nullptr);
    header_.colour = colourTag();
    return true;
  }

  ColourTag colourTag() {
    std::array<double, 8> found{};
    if (!png_get_cHRM(png_, info_, &found[0], &found[1], &found[2], &found[3], &found[4], &found[5],
                      &found[6], &found[7]))
      return ColourTag::rec709;
    for (size_t i = 0; i < found.size(); ++i)
      if (std::abs(found[i] - rec2020WhiteAndPrimaries[i]) > 0.002)
        return ColourTag::rec709;
    return ColourTag::rec2020;
  }

  bool tryPixels(png_bytepp rows, size_t rowBytes) {
    if (setjmp(png_jmpbuf(png_)))
      return false;
    png_set_expand(png_);  // palette, grey below 8 bit, tRNS
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 0xffff, PNG_FILLER_AFTER);
    if (header_.bitDepth == 16 && std::endian::native == std::endian::little)
      png_set_swap(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != rowBytes)
      png_error(png_, "rows of an unexpected length");
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  const std::string& path_;
  File file_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  Header header_;
  std::array<char, 128> error_{};
};

ValueType typeOf(const Header& header) {
  return {Channels::rgba,
          header.bitDepth == 16 ? Format::u16 : Format::u8,
          header.colour,
          {header.width, header.height}};
}

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted) {
  return singlePlane(typeOf(Reader(path).readHeader()), wanted);
}

void read(const std::string& path, std::span<const PlaneTarget> targets) {
  for (const PlaneTarget& target : targets) {
    Reader reader(path);
    const ValueType type = typeOf(reader.readHeader());
    checkTarget(path, target, type);
    reader.readPixels(target.destination.data(),
                      size_t{type.extent.width} * bytesPerPixel(type.channels, type.format));
  }
}

}  // namespace

const Codec pngCodec{"png", probe, read, writePng};

}  // namespace lacuna::io
