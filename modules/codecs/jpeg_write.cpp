#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "modules/codecs/jpeg.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

struct JpegJob {
  jpeg_compress_struct info{};
  JpegErrors errors;
  std::FILE* file = nullptr;
  const NamedImage* image = nullptr;
  std::vector<std::byte> profile;
  std::vector<JpegSegment> segments;
  std::optional<Density> density;
  std::vector<JSAMPLE> row;  // of grey
  bool grey = false;
  int quality = 0;

  JpegJob() { info.err = prepare(errors); }
  JpegJob(const JpegJob&) = delete;
  JpegJob& operator=(const JpegJob&) = delete;
  ~JpegJob() { jpeg_destroy_compress(&info); }
};

void setDensity(jpeg_compress_struct& info, const Density& density) {
  const bool perMetre = density.unit == Density::Unit::metre;
  const auto number = [&](uint32_t value) {
    const double scaled = perMetre ? value * 0.0254 : value;
    return static_cast<UINT16>(std::clamp(std::lround(scaled), 1L, 65535L));
  };
  info.density_unit = density.unit == Density::Unit::none         ? 0
                      : density.unit == Density::Unit::centimetre ? 2
                                                                  : 1;
  info.X_density = number(density.x);
  info.Y_density = number(density.y);
}

void setUp(JpegJob& job) {
  jpeg_compress_struct& info = job.info;
  info.image_width = job.image->type.extent.width;
  info.image_height = job.image->type.extent.height;
  info.input_components = job.grey ? 1 : 4;
  info.in_color_space = job.grey ? JCS_GRAYSCALE : JCS_EXT_RGBX;
  jpeg_set_defaults(&info);
  // The standard's Huffman codes: those made for the picture save 2% and take three times as long.
  jpeg_set_quality(&info, job.quality, TRUE);
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;  // 4:4:4
  if (job.density)
    setDensity(info, *job.density);
}

bool tryStart(JpegJob& job) {
  if (setjmp(job.errors.escape))
    return false;
  jpeg_compress_struct& info = job.info;
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, job.file);
  setUp(job);
  jpeg_start_compress(&info, TRUE);
  for (const JpegSegment& segment : job.segments)
    jpeg_write_marker(&info, segment.marker, reinterpret_cast<const JOCTET*>(segment.data.data()),
                      static_cast<unsigned>(segment.data.size()));
  if (!job.profile.empty())
    jpeg_write_icc_profile(&info, reinterpret_cast<const JOCTET*>(job.profile.data()),
                           static_cast<unsigned>(job.profile.size()));
  return true;
}

bool tryRows(JpegJob& job, const NamedImage& strip) {
  if (setjmp(job.errors.escape))
    return false;
  jpeg_compress_struct& info = job.info;
  const auto* pixels = reinterpret_cast<const JSAMPLE*>(strip.pixels.data());
  for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
    auto* row = const_cast<JSAMPROW>(pixels + size_t{4} * info.image_width * y);
    if (job.grey) {
      for (size_t x = 0; x < info.image_width; ++x)
        job.row[x] = row[4 * x + 1];
      row = job.row.data();
    }
    jpeg_write_scanlines(&info, &row, 1);
  }
  return true;
}

bool tryEnd(JpegJob& job) {
  if (setjmp(job.errors.escape))
    return false;
  jpeg_finish_compress(&job.info);
  return true;
}

bool writeAll(JpegJob& job, const OnRows& rows) {
  const auto writeStrip = [&](const NamedImage& strip, uint32_t) {
    if (rows && job.grey && !io::isGrey(strip))
      rows(0);
    return tryRows(job, strip);
  };
  return tryStart(job) && eachStrip(*job.image, rows, writeStrip) && tryEnd(job);
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

// A chunk of a PNG file means sRGB, for which JPEG files have a profile.
std::vector<std::byte> profileOf(const ColourLabel& label, bool grey) {
  const bool isSrgb =
      std::ranges::any_of(label.colourChunks, [](const PngChunk& chunk) { return chunk.name == "sRGB"; });
  return isSrgb ? profileFor(ColourTag::rec709, false, grey) : label.profile;
}

void checkJpeg(const std::string& path, const ValueType& type, const WriteOptions& options) {
  if (componentCount(type.channels) != 4 || type.format != Format::u8)
    throw FileError(fmt::format("{}: a JPEG file is written from rgba u8, not from {}", path, print(type)));
  if (type.extent.width > JPEG_MAX_DIMENSION || type.extent.height > JPEG_MAX_DIMENSION)
    throw FileError(fmt::format("{}: {} x {} pixels, but a JPEG file's side may have {} at most", path,
                                type.extent.width, type.extent.height, JPEG_MAX_DIMENSION));
  if (options.quality < 1 || options.quality > 100)
    throw FileError(fmt::format("{}: quality {} is not within 1..100", path, options.quality));
}

}  // namespace

void writeJpeg(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  checkJpeg(path, image.type, options);
  const std::optional<Kept> kept = keptOf(options, image.type.extent);
  JpegJob job;
  job.image = &image;
  job.grey = kept && kept->kind.grey && (options.rows || isGrey(image));
  job.row.resize(job.grey ? image.type.extent.width : 0);
  const ColourLabel label = labelFor(path, image, options, kept, job.grey);
  job.profile = profileOf(label, job.grey);
  if (image.type.colour == ColourTag::own && job.profile.empty())
    throw FileError(fmt::format("{}: a JPEG file can't state the colours of {}", path,
                                options.colours ? options.colours->path : "no file"));
  job.quality = options.quality;
  if (kept) {
    job.segments = segmentsOf(*kept, [&](const std::string& text) {
      if (options.warn)
        options.warn(fmt::format("{}: {}", path, text));
    });
    job.density = kept->metadata.density;
  }
  File file = openToWrite(path, part);
  job.file = file.get();
  const bool written = writeAll(job, options.rows);
  const int number = errno;
  if (!written)
    throw FileError(
        fmt::format("{}: can't be written: {}", path, writeMistake(file, number, job.errors.text.data())));
  closeWritten(std::move(file), path);
}

}  // namespace lacuna::io
