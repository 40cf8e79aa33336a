#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/lists.h"
#include "modules/codecs/jpeg.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

void setDensity(jpeg_compress_struct& info, const Density& density) {
  const bool perMetre = density.unit == Density::Unit::metre;
  const auto number = [&](uint32_t value) {
    const double scaled = perMetre ? value * 0.0254 : value;
    return static_cast<UINT16>(std::clamp(std::lround(scaled), 1L, 65535L));
  };
  info.density_unit = static_cast<UINT8>(perMetre ? Density::Unit::inch : density.unit);
  info.X_density = number(density.x);
  info.Y_density = number(density.y);
}

// Exif comes first, as its standard demands. Data that are too long for a segment are omitted, with a
// warning.
std::vector<JpegSegment> segmentsOf(const Kept& kept, const std::function<void(const std::string&)>& warn) {
  constexpr size_t longest = 65533;
  const Metadata& metadata = kept.metadata;
  std::vector<JpegSegment> segments;
  const auto add = [&](int marker, std::string_view signature, const void* data, size_t bytes) {
    if (signature.size() + bytes > longest)
      warn(fmt::format("not kept: {} bytes of {}, since a JPEG file holds {}", bytes,
                       signature == exifSignature  ? "Exif data"
                       : signature == xmpSignature ? "XMP"
                                                   : "a comment",
                       longest - signature.size()));
    if (bytes == 0 || signature.size() + bytes > longest)
      return;
    JpegSegment segment{marker, {}};
    const auto* name = reinterpret_cast<const std::byte*>(signature.data());
    const auto* content = static_cast<const std::byte*>(data);
    segment.data.assign(name, name + signature.size());
    segment.data.insert(segment.data.end(), content, content + bytes);
    segments.push_back(std::move(segment));
  };
  add(exifMarker, exifSignature, metadata.exif.data(), metadata.exif.size());
  add(exifMarker, xmpSignature, metadata.xmp.data(), metadata.xmp.size());
  segments.insert(segments.end(), metadata.jpegSegments.begin(), metadata.jpegSegments.end());
  for (const std::string& comment : metadata.comments)
    add(JPEG_COM, {}, comment.data(), comment.size());
  return segments;
}

// Its pixels and what it keeps.
class JpegWriter : NoCopy {
 public:
  JpegWriter(const KeptPicture& picture, const std::string& part)
      : picture_(picture), extent_(picture.image.type.extent), file_(openToWrite(picture.path, part)) {
    info_.err = prepare(errors_);
  }
  ~JpegWriter() { jpeg_destroy_compress(&info_); }

  void write(const std::vector<JpegSegment>& segments, const std::vector<std::byte>& profile) {
    attempt([&] { start(segments, profile); });
    std::vector<JSAMPLE> row(picture_.grey ? extent_.width : 0);
    picture_.eachStrip([&](const NamedImage& strip) { attempt([&] { writeStrip(strip, row.data()); }); });
    attempt([&] { jpeg_finish_compress(&info_); });
    closeWritten(std::move(file_), picture_.path);
  }

 private:
  // `step` has no locals with destructors: libjpeg's errors jump out of it.
  template <class Step>
  void attempt(const Step& step) {
    if (setjmp(errors_.escape))
      refuseToWrite(picture_.path, file_, errors_.text.data());
    step();
  }

  void start(const std::vector<JpegSegment>& segments, const std::vector<std::byte>& profile) {
    jpeg_create_compress(&info_);
    jpeg_stdio_dest(&info_, file_.get());
    info_.image_width = extent_.width;
    info_.image_height = extent_.height;
    info_.input_components = picture_.grey ? 1 : 4;
    info_.in_color_space = picture_.grey ? JCS_GRAYSCALE : JCS_EXT_RGBX;
    jpeg_set_defaults(&info_);
    // The standard's Huffman codes: those made for the picture save 2% and take three times as long.
    jpeg_set_quality(&info_, picture_.options.quality, TRUE);
    info_.comp_info[0].h_samp_factor = info_.comp_info[0].v_samp_factor = 1;  // 4:4:4
    if (picture_.kept && picture_.kept->metadata.density)
      setDensity(info_, *picture_.kept->metadata.density);
    jpeg_start_compress(&info_, TRUE);
    for (const JpegSegment& segment : segments)
      jpeg_write_marker(&info_, segment.marker, reinterpret_cast<const JOCTET*>(segment.data.data()),
                        static_cast<unsigned>(segment.data.size()));
    if (!profile.empty())
      jpeg_write_icc_profile(&info_, reinterpret_cast<const JOCTET*>(profile.data()),
                             static_cast<unsigned>(profile.size()));
  }

  void writeStrip(const NamedImage& strip, JSAMPLE* greys) {
    const auto* pixels = reinterpret_cast<const JSAMPLE*>(strip.pixels.data());
    for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
      auto* row = const_cast<JSAMPROW>(pixels + size_t{4} * extent_.width * y);
      for (size_t x = 0; picture_.grey && x < extent_.width; ++x)
        greys[x] = row[4 * x + 1];
      row = picture_.grey ? greys : row;
      jpeg_write_scanlines(&info_, &row, 1);
    }
  }

  const KeptPicture& picture_;
  const Extent extent_;
  File file_;
  jpeg_compress_struct info_{};
  JpegErrors errors_;
};

}  // namespace

void writeJpeg(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, jpgCodec, planes, options);
  const std::vector<std::byte> profile = profileToWrite(picture);
  std::vector<JpegSegment> segments;
  if (picture.kept)
    segments = segmentsOf(*picture.kept, [&](const std::string& text) { warn(options, path, "{}", text); });
  JpegWriter(picture, part).write(segments, profile);
}

}  // namespace lacuna::io
