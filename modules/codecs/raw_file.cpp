// Raw photographs: read by LibRaw, each in a process of its own, and written as DNG files.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "modules/codecs/camera_values.h"
#include "modules/codecs/dng_write.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/raw_child.h"

namespace lacuna::io {
namespace {

constexpr const char* cameraPlane = "camera";

// As delivered.
struct Upright {
  std::shared_ptr<const RawPhotograph> raw;
  Orientation orientation = 1;
  ValueType type;
  std::array<float, 4> black{};
};

Upright uprightOf(const std::string& path, const ReadOptions& options) {
  Upright upright;
  upright.raw = rawHeader(path);
  const RawPhotograph& raw = *upright.raw;
  upright.orientation = orientationOf(raw, options);
  upright.black = blackOf(raw, upright.orientation);
  upright.type = {raw.isDemosaiced() ? Channels::rgba : Channels::mosaic,
                  Format::f32,
                  ColourTag::data,
                  turned(raw.extent(), upright.orientation),
                  0,
                  {},
                  patternOf(raw, upright.orientation)};
  return upright;
}

const ValueType cameraType{Channels::y, Format::f32, ColourTag::data, {}, cameraCount};

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted,
                 const ReadOptions& options) {
  PlaneTypes types = singlePlane(uprightOf(path, options).type, wanted);
  if (types.count(cameraPlane) > 0)
    types[cameraPlane] = cameraType;
  return types;
}

// A row of a demosaiced photograph: colours as demosaic makes them, balanced, white at 1.
void toColours(const RawMessage& about, std::span<const float> row, std::span<float> numbers) {
  for (size_t i = 0; i < about.width; ++i) {
    for (size_t c = 0; c < 3; ++c)
      numbers[4 * i + c] =
          (row[3 * i + c] - about.black[c]) / (about.white - about.black[c]) * about.balance[c];
    numbers[4 * i + 3] = 1.0F;
  }
}

void readPixels(const std::string& path, const Upright& upright, std::span<std::byte> pixels) {
  const RawPhotograph& raw = *upright.raw;
  const uint32_t components = raw.isDemosaiced() ? 4 : 1;
  std::vector<float> colours(raw.isDemosaiced() ? size_t{raw.about.width} * components : 0);
  readRawRows(path, raw, [&](uint32_t y, std::span<const float> row) {
    if (raw.isDemosaiced())
      toColours(raw.about, row, colours);
    placeRows(std::as_bytes(raw.isDemosaiced() ? std::span<const float>(colours) : row), y, raw.extent(),
              components * sizeof(float), upright.orientation, pixels.data());
  });
}

// The meaning of the numbers that are delivered.
CameraValues cameraOf(const Upright& upright) {
  const RawPhotograph& raw = *upright.raw;
  CameraValues values = cameraValues(raw.about, upright.type.pattern, upright.black);
  if (raw.isDemosaiced()) {
    values.black = {};
    values.white = 1.0F;
    values.noise = {};
  }
  return values;
}

void read(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
  const Upright upright = uprightOf(path, options);
  for (const PlaneTarget& target : targets) {
    const bool isCamera = target.name == cameraPlane;
    checkTarget(path, target, isCamera ? cameraType : upright.type);
    if (!isCamera) {
      readPixels(path, upright, target.destination);
      continue;
    }
    std::array<float, cameraCount> numbers{};
    store(cameraOf(upright), numbers);
    std::memcpy(target.destination.data(), numbers.data(), sizeof numbers);
  }
}

Metadata metadata(const std::string& path) {
  Metadata metadata;
  metadata.exif = rawHeader(path)->exif;
  return metadata;
}

StoredKind kind(const std::string& path, const std::string&, const ReadOptions&) {
  const auto raw = rawHeader(path);
  return {16, false, !raw->isDemosaiced() && raw->stored == MosaicPattern{}, false};
}

void describe(const std::string& path, const std::map<std::string, std::string>&, ImageInfo& info) {
  const Upright upright = uprightOf(path, {});
  const RawMessage& about = upright.raw->about;
  info.extent = upright.type.extent;
  info.bits = 16;
  info.isMosaic = !upright.raw->isDemosaiced();
  const bool isGrey = info.isMosaic && upright.type.pattern == MosaicPattern{};
  info.pixels = fmt::format("{}, black {}, white {}",
                            !info.isMosaic ? "rgb, demosaiced"
                            : isGrey       ? "grey"
                                           : "mosaic " + name(upright.type.pattern),
                            *std::ranges::min_element(upright.black), about.white);
  info.colour = isGrey ? "none"
                       : fmt::format("of the camera, white balance {:.3f} 1 {:.3f}", about.balance[0],
                                     about.balance[2]);
  info.metadata = exifEntries(upright.raw->exif);
  if (about.noise[0] > 0 || about.noise[1] > 0)
    info.metadata.emplace_back("noise",
                               fmt::format("variance {:.4g} x + {:.4g}", about.noise[0], about.noise[1]));
}

}  // namespace

using namespace std::string_view_literals;

extern const Codec dngCodec;  // for the table that CMake makes
const Codec dngCodec{
    .name = "dng",
    .label = "raw photograph",
    .extensions = {".dng"},
    .readExtensions = {".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dcr", ".erf", ".fff",
                       ".iiq", ".kdc", ".mef", ".mos", ".mrw", ".nef", ".nrw", ".orf",
                       ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw"},
    // TIFF, as most cameras' files are; Olympus, Panasonic, Fujifilm, Minolta, Canon's two others.
    .signatures = {"II*\0"sv, "MM\0*"sv, "IIRO"sv, "IIRS"sv, "MMOR"sv, "IIU\0"sv, "FUJIFILM"sv, "\0MRM"sv,
                   "II\x1a\0\0\0HE"sv,
                   "\0\0\0\x18"
                   "ftyp"sv},
    .claims = isRaw,
    .holds = Holds::mosaic,
    .readingParameters = {"orientation"},
    .probe = probe,
    .read = read,
    .write = writeDng,
    .kind = kind,
    .metadata = metadata,
    .checkEnd = checkDng,
    .describe = describe,
};

}  // namespace lacuna::io
