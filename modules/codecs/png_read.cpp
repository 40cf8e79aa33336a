#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"
#include "modules/codecs/png.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "PNG";

// libpng allocates the size that a chunk such as eXIf promises before it checks whether it is there.
constexpr png_alloc_size_t mostBytes = png_alloc_size_t{64} << 20U;

// The content of the header's chunks; pointers are to libpng's memory.
struct Header {
  png_uint_32 width = 0, height = 0;
  int bitDepth = 0, colourType = 0, interlace = 0;
  png_bytep profile = nullptr;
  png_uint_32 profileBytes = 0;
  bool srgb = false, hasGamma = false, hasChromaticities = false, hasTransparentColour = false;
  double gamma = 0;
  Chromaticities chromaticities{};
};

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options) : Reader(path, options, openToRead(path)) {
    if (!info_)
      refuse(path, "not enough memory to read it");
    openHeader();
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  ValueType type(const std::string&) {
    checkSize(path_, header_.width, header_.height);
    // Deflate expands to at most 1032 times its size: a header can't promise more than the file could hold.
    constexpr uint64_t deflateLimit = 1032;
    checkPromise(path_, label, {header_.width, header_.height}, 8 * deflateLimit);
    StoredHeader header({header_.width, header_.height}, kind(""));
    header.inStrips = header_.interlace == PNG_INTERLACE_NONE;
    Metadata stated = readPngChunks(file_.get());
    if (options_.profile)
      stated.colour = colourDescription(stated, options_);
    return open(header, stated);
  }

  StoredKind kind(const std::string&) const {
    const bool alpha = (header_.colourType & PNG_COLOR_MASK_ALPHA) != 0 || header_.hasTransparentColour;
    return {header_.bitDepth == 16 ? 16 : 8, false, isGrey(), alpha};
  }

  Metadata metadata() const {
    Metadata metadata = readPngChunks(file_.get());
    try {
      metadata.colour = colourDescription(metadata, {});
    } catch (const FileError&) {  // a profile that no reader uses
    }
    return metadata;
  }

  void read(const PlaneTarget& target) {
    attempt([&] { start(); });
    std::vector<png_bytep> pointers;
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      pointers.resize(count);
      for (size_t y = 0; y < count; ++y)
        pointers[y] = reinterpret_cast<png_bytep>(rows) + y * png_get_rowbytes(png_, info_);
      attempt([&] {
        if (header_.interlace == PNG_INTERLACE_NONE)
          png_read_rows(png_, pointers.data(), nullptr, count);
        else
          png_read_image(png_, pointers.data());
      });
    });
    attempt([&] { png_read_end(png_, nullptr); });
  }

 private:
  Reader(const std::string& path, const ReadOptions& options, File file)
      : StoredReader(path, options), file_(std::move(file)) {
    png_ = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, &messages_, onPngError, onPngWarning, nullptr,
        [](png_structp, png_alloc_size_t bytes) { return bytes > mostBytes ? nullptr : std::malloc(bytes); },
        [](png_structp, png_voidp memory) { std::free(memory); });
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }

  // `step` has no locals with destructors: libpng's errors jump out of it.
  template <class Step>
  void attempt(const Step& step) {
    if (setjmp(png_jmpbuf(png_)))
      throwDamaged(path_, label, "{}", messages_.error.data());
    step();
  }

  void openHeader() {
    attempt([&] {
      png_init_io(png_, file_.get());
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // checkSize has the better message
      png_read_info(png_, info_);
      png_get_IHDR(png_, info_, &header_.width, &header_.height, &header_.bitDepth, &header_.colourType,
                   &header_.interlace, nullptr, nullptr);
      png_charp name = nullptr;
      int compression = 0;
      png_get_iCCP(png_, info_, &name, &compression, &header_.profile, &header_.profileBytes);
      header_.srgb = png_get_valid(png_, info_, PNG_INFO_sRGB) != 0;
      header_.hasTransparentColour = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
      header_.hasGamma = png_get_gAMA(png_, info_, &header_.gamma) != 0;
      Chromaticities& c = header_.chromaticities;
      header_.hasChromaticities =
          png_get_cHRM(png_, info_, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
    });
  }

  bool isGrey() const { return (header_.colourType & PNG_COLOR_MASK_COLOR) == 0; }

  // cICP takes precedence over a profile, a profile over sRGB, and sRGB over gAMA and cHRM (PNG
  // specification, 3rd edition, 4.3).
  ColourDescription colourDescription(const Metadata& chunks, const ReadOptions& options) const {
    ColourDescription colour;
    colour.grey = isGrey();
    const auto points = std::ranges::find(chunks.colourChunks, "cICP", &PngChunk::name);
    if (points != chunks.colourChunks.end()) {
      const std::string mistake = readCicp(points->data, colour);
      if (mistake.empty())
        return colour;
      warn(options, path_, "the chunk cICP is not used: {}", mistake);
    }
    if (header_.profile) {
      colour.profile = bytesAt(header_.profile, header_.profileBytes);
      return colour;
    }
    if (std::strstr(messages_.profile.data(), "'CMYK'"))
      refuse(path_, "a colour profile of CMYK; expected one of RGB or grey");
    if (header_.srgb)
      return colour;
    if (!header_.hasChromaticities && !header_.hasGamma && describeAdobeRgb(chunks.exif, colour))
      return colour;
    if (header_.hasChromaticities)
      colour.whiteAndPrimaries = header_.chromaticities;
    // Files that mean sRGB have 1 / 2.2.
    const bool primariesOfSrgb =
        !header_.hasChromaticities || close(header_.chromaticities, rec709WhiteAndPrimaries);
    if (header_.hasGamma && !(primariesOfSrgb && std::abs(header_.gamma * 2.2 - 1.0) < 0.01))
      colour.gamma = 1.0 / header_.gamma;
    complainOfChunks(options);
    return colour;
  }

  void complainOfChunks(const ReadOptions& options) const {
    const auto complain = [&](bool isUsed, const PngMessages::Text& warning) {
      if (!isUsed && warning[0])
        warn(options, path_, "{}; this chunk is not used", warning.data());
    };
    complain(false, messages_.profile);
    complain(header_.hasGamma, messages_.gamma);
    complain(header_.hasChromaticities, messages_.chromaticities);
  }

  void start() {
    png_set_expand(png_);  // palette, grey below 8 bit, tRNS
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 0xffff, PNG_FILLER_AFTER);
    if (header_.bitDepth == 16 && std::endian::native == std::endian::little)
      png_set_swap(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != size_t{header_.width} * (header_.bitDepth == 16 ? 8 : 4))
      png_error(png_, "rows of an unexpected length");
  }

  File file_;
  PngMessages messages_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  Header header_;
};

void keepFirst(PngMessages::Text& text, png_const_charp message) {
  if (!text[0])
    std::snprintf(text.data(), text.size(), "%s", message);
}

}  // namespace

void onPngError(png_structp png, png_const_charp message) {
  keepFirst(static_cast<PngMessages*>(png_get_error_ptr(png))->error, message);
  png_longjmp(png, 1);
}

void onPngWarning(png_structp png, png_const_charp message) {
  auto& messages = *static_cast<PngMessages*>(png_get_error_ptr(png));
  const std::string_view chunk = std::string_view(message).substr(0, 5);
  if (chunk == "iCCP:")
    keepFirst(messages.profile, message);
  else if (chunk == "gAMA:")
    keepFirst(messages.gamma, message);
  else if (chunk == "cHRM:")
    keepFirst(messages.chromaticities, message);
}

using namespace std::string_view_literals;

const Codec pngCodec = readBy<Reader>({
    .name = "png",
    .label = label,
    .extensions = {".png"},
    .signatures = {"\x89PNG\r\n\x1a\n"sv},
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "bits", "compression"},
    .writesRows = true,
    .write = writePng,
    .end = "\0\0\0\0IEND\xae\x42\x60\x82"sv,
});

}  // namespace lacuna::io
