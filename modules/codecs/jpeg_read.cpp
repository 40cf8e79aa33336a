#include "modules/codecs/jpeg.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include <jerror.h>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "JPEG";

[[noreturn]] void onError(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  (*info->err->format_message)(info, errors->text.data());
  std::longjmp(errors->escape, 1);
}

// libjpeg only warns if it had to invent data; here that is an error, because grey blocks aren't the picture.
// A damaged profile is reported elsewhere.
void onMessage(j_common_ptr info, int level) {
  if (level >= 0)
    return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
      return;
    default:
      onError(info);
  }
}

unsigned nextByte(jpeg_source_mgr& source, j_decompress_ptr info) {
  if (source.bytes_in_buffer == 0)
    (*source.fill_input_buffer)(info);  // of a file: never without bytes
  --source.bytes_in_buffer;
  return *source.next_input_byte++;
}

// Saves a segment at the front of the list. libjpeg's own function walks to the list's end for each.
boolean saveSegment(j_decompress_ptr info) {
  jpeg_source_mgr& source = *info->src;
  const unsigned high = nextByte(source, info), length = high << 8 | nextByte(source, info);
  auto* segment = static_cast<jpeg_saved_marker_ptr>((*info->mem->alloc_large)(
      reinterpret_cast<j_common_ptr>(info), JPOOL_IMAGE, sizeof(jpeg_marker_struct) + length));
  *segment = {info->marker_list, static_cast<UINT8>(info->unread_marker), length, length < 2 ? 0 : length - 2,
              reinterpret_cast<JOCTET*>(segment + 1)};
  for (unsigned i = 0; i < segment->data_length; ++i)
    segment->data[i] = static_cast<JOCTET>(nextByte(source, info));
  info->marker_list = segment;
  return TRUE;
}

// In the file's order.
void reverseSegments(jpeg_saved_marker_ptr& list) {
  for (jpeg_saved_marker_ptr at = std::exchange(list, nullptr); at != nullptr;) {
    const jpeg_saved_marker_ptr next = std::exchange(at->next, list);
    list = std::exchange(at, next);
  }
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options) : Reader(path, options, openToRead(path)) {
    openHeader();
  }
  ~Reader() {
    std::free(profile_);
    jpeg_destroy_decompress(&info_);
  }

  ValueType type(const std::string&) {
    const J_COLOR_SPACE space = info_.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK)
      refuse(path_, "a CMYK JPEG file; expected RGB, YCbCr or grey");
    if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
      refuse(path_, "a JPEG file of {} components without a known meaning; expected RGB, YCbCr or grey",
             info_.num_components);
    checkSize(path_, info_.image_width, info_.image_height);
    // A Huffman-coded block of 64 pixels takes at least a bit; the odd samplings allow some more.
    constexpr uint64_t pixelsPerByte = 16384;
    StoredHeader header({info_.image_width, info_.image_height}, kind(""));
    if (!info_.arith_code)
      checkPromise(path_, label, header.extent, pixelsPerByte);
    // For files in several scans libjpeg keeps all coefficients.
    if (jpeg_has_multiple_scans(&info_) != 0)
      header.decoderBytes =
          sizeof(JCOEF) * info_.num_components * uint64_t{info_.image_width} * info_.image_height;
    Metadata stated = exifAndXmp();
    stated.colour = colour(options_);
    return open(header, stated);
  }

  StoredKind kind(const std::string&) const { return {8, false, isGrey(), false}; }

  Metadata metadata() const {
    Metadata metadata = exifAndXmp();
    metadata.colour = colour({});
    if (info_.saw_JFIF_marker && (info_.X_density > 1 || info_.density_unit != 0))
      metadata.density =
          Density{info_.X_density, info_.Y_density,
                  static_cast<Density::Unit>(info_.density_unit <= 2 ? info_.density_unit : 0)};
    addSegments(metadata);
    return metadata;
  }

  void read(const PlaneTarget& target) {
    attempt([&] {
      info_.out_color_space = JCS_EXT_RGBA;
      jpeg_start_decompress(&info_);
    });
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      attempt([&] { readRows(reinterpret_cast<JSAMPROW>(rows), count); });
    });
    attempt([&] { jpeg_finish_decompress(&info_); });
  }

 private:
  Reader(const std::string& path, const ReadOptions& options, File file)
      : StoredReader(path, options), file_(std::move(file)) {
    info_.err = prepare(errors_);
  }

  // `step` has no locals with destructors: libjpeg's errors jump out of it.
  template <class Step>
  void attempt(const Step& step) {
    if (setjmp(errors_.escape))
      throwDamaged(path_, label, "{}", errors_.text.data());
    step();
  }

  void openHeader() {
    attempt([&] {
      jpeg_create_decompress(&info_);
      jpeg_stdio_src(&info_, file_.get());
      for (const int code : {exifMarker, photoshopMarker, JPEG_COM, iccMarker, boxMarker})
        jpeg_set_marker_processor(&info_, code, saveSegment);
      jpeg_read_header(&info_, TRUE);
      reverseSegments(info_.marker_list);
      jpeg_read_icc_profile(&info_, &profile_, &profileBytes_);
    });
  }

  bool isGrey() const { return info_.jpeg_color_space == JCS_GRAYSCALE; }

  Metadata exifAndXmp() const {
    return {.exif = trimmedExif(marker(exifMarker, exifSignature)),
            .xmp = asText(marker(exifMarker, xmpSignature))};
  }

  void addSegments(Metadata& metadata) const {
    for (jpeg_saved_marker_ptr at = info_.marker_list; at; at = at->next) {
      const auto* bytes = reinterpret_cast<const std::byte*>(at->data);
      const std::string_view text(reinterpret_cast<const char*>(at->data), at->data_length);
      JpegSegment segment{at->marker, {bytes, bytes + at->data_length}};
      if (at->marker == JPEG_COM)
        metadata.comments.emplace_back(text);
      else if (at->marker == photoshopMarker ||
               (at->marker == exifMarker && (isThermal(segment) || isExtendedXmp(segment))))
        metadata.jpegSegments.push_back(std::move(segment));
      else if (at->marker == iccMarker && text.starts_with(std::string_view("MPF\0", 4)))
        metadata.lost.emplace_back("other pictures in it (MPF), such as a gain map or a preview");
      else if (at->marker == boxMarker && text.starts_with("JP"))
        metadata.lost.emplace_back("its JUMBF boxes, such as content credentials");
    }
    for (const auto& [name, what] : {std::pair("MotionPhoto", "its video"),
                                     {"MicroVideo", "its video"},
                                     {"hdr-gain-map", "its gain map"},
                                     {"HDRGainMap", "its gain map"}})
      if (metadata.xmp.find(name) != std::string::npos && !contains(metadata.lost, what))
        metadata.lost.emplace_back(what);
    constexpr uint64_t padding = 64;
    if (metadata.lost.empty() && bytesBehindEnd() > padding)
      metadata.lost.emplace_back("data behind the picture's end, such as a video");
  }

  // 0 for very large files. In entropy-coded data no marker but those of restarts follows 255.
  uint64_t bytesBehindEnd() const {
    constexpr uint64_t most = 1 << 28;
    const uint64_t all = fileBytes(path_);
    std::vector<unsigned char> bytes(std::min(all, most));
    std::rewind(file_.get());
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file_.get()));
    size_t at = 2;
    while (at + 4 <= bytes.size()) {
      if (bytes[at] != 0xff) {
        const void* next = std::memchr(bytes.data() + at, 0xff, bytes.size() - at);
        if (next == nullptr)
          return 0;
        at = static_cast<size_t>(static_cast<const unsigned char*>(next) - bytes.data());
        continue;
      }
      const unsigned code = bytes[at + 1];
      const bool isAlone = code == 0 || code == 0xff || (code >= JPEG_RST0 && code < JPEG_RST0 + 8);
      if (code == JPEG_EOI)
        return all - at - 2;
      at += isAlone ? 1 : size_t{2} + 256 * bytes[at + 2] + bytes[at + 3];
    }
    return 0;
  }

  // The content behind `signature` in the first such marker.
  std::vector<std::byte> marker(int code, std::string_view signature) const {
    for (jpeg_saved_marker_ptr at = info_.marker_list; at; at = at->next) {
      const auto* bytes = reinterpret_cast<const std::byte*>(at->data);
      if (at->marker == code && at->data_length > signature.size() &&
          std::memcmp(bytes, signature.data(), signature.size()) == 0)
        return {bytes + signature.size(), bytes + at->data_length};
    }
    return {};
  }

  ColourDescription colour(const ReadOptions& options) const {
    ColourDescription colour;
    colour.grey = isGrey();
    colour.profile = profile(options);
    describeAdobeRgb(exifAndXmp().exif, colour);
    return colour;
  }

  std::vector<std::byte> profile(const ReadOptions& options) const {
    if (profile_ != nullptr)
      return bytesAt(profile_, profileBytes_);
    if (options.profile && !marker(iccMarker, std::string_view("ICC_PROFILE\0", 12)).empty())
      warn(options, path_,
           "its colour profile can't be used: parts of it are missing; the file is taken as sRGB");
    return {};
  }

  void readRows(JSAMPROW rows, uint32_t count) {
    const size_t rowBytes = size_t{4} * info_.output_width;
    const JDIMENSION first = info_.output_scanline;
    while (info_.output_scanline < first + count) {
      JSAMPROW row = rows + rowBytes * (info_.output_scanline - first);
      jpeg_read_scanlines(&info_, &row, 1);
    }
  }

  File file_;
  JpegErrors errors_;
  jpeg_decompress_struct info_{};
  JOCTET* profile_ = nullptr;
  unsigned profileBytes_ = 0;
};

}  // namespace

jpeg_error_mgr* prepare(JpegErrors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = onError;
  errors.manager.emit_message = onMessage;
  return &errors.manager;
}

using namespace std::string_view_literals;

const Codec jpgCodec = readBy<Reader>({
    .name = "jpg",
    .label = label,
    .extensions = {".jpg", ".jpeg", ".jpe", ".jfif"},
    .signatures = {"\xff\xd8\xff"sv},
    .holds = Holds::opaque,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "quality"},
    .largestSide = JPEG_MAX_DIMENSION,
    .mostBits = 8,
    .writesRows = true,
    .write = writeJpeg,
    .end = "\xff\xd9"sv,
});

}  // namespace lacuna::io
