// Raw photographs: read by LibRaw, each in a process of its own, and written as DNG files.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "modules/codecs/camera_values.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/raw_child.h"

namespace lacuna::io {
namespace {

constexpr const char* cameraPlane = "camera";

const ValueType cameraType{Channels::y, Format::f32, ColourTag::data, {}, cameraCount};

// A row of a demosaiced photograph: colours as demosaic makes them, balanced, white at 1.
void toColours(const RawMessage& about, std::span<const float> row, std::span<float> numbers) {
  for (size_t i = 0; i < about.width; ++i) {
    for (size_t c = 0; c < 3; ++c)
      numbers[4 * i + c] =
          (row[3 * i + c] - about.black[c]) / (about.white - about.black[c]) * about.balance[c];
    numbers[4 * i + 3] = 1.0F;
  }
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : path_(path),
        raw_(rawHeader(path)),
        orientation_(orientationOf(*raw_, options)),
        black_(blackOf(*raw_, orientation_)),
        type_{raw_->isDemosaiced() ? Channels::rgba : Channels::mosaic,
              Format::f32,
              ColourTag::data,
              turned(raw_->extent(), orientation_),
              0,
              {},
              patternOf(*raw_, orientation_)} {}

  const RawPhotograph& raw() const { return *raw_; }
  const std::array<float, 4>& black() const { return black_; }
  const ValueType& type(const std::string& plane) const { return plane == cameraPlane ? cameraType : type_; }

  void read(const PlaneTarget& target) const {
    if (target.name != cameraPlane) {
      readPixels(target.destination.data());
      return;
    }
    std::array<float, cameraCount> numbers{};
    store(camera(), numbers);
    std::memcpy(target.destination.data(), numbers.data(), sizeof numbers);
  }

  StoredKind kind(const std::string&) const {
    return {16, false, !raw_->isDemosaiced() && raw_->stored == MosaicPattern{}, false};
  }
  Metadata metadata() const { return {.exif = raw_->exif}; }

 private:
  void readPixels(std::byte* pixels) const {
    const uint32_t components = raw_->isDemosaiced() ? 4 : 1;
    std::vector<float> colours(raw_->isDemosaiced() ? size_t{raw_->about.width} * components : 0);
    readRawRows(path_, *raw_, [&](uint32_t y, std::span<const float> row) {
      if (raw_->isDemosaiced())
        toColours(raw_->about, row, colours);
      placeRows(std::as_bytes(raw_->isDemosaiced() ? std::span<const float>(colours) : row), y,
                raw_->extent(), components * sizeof(float), orientation_, pixels);
    });
  }

  // The meaning of the numbers that are delivered.
  CameraValues camera() const {
    CameraValues values = cameraValues(raw_->about, type_.pattern, black_);
    if (raw_->isDemosaiced()) {
      values.black = {};
      values.white = 1.0F;
      values.noise = {};
    }
    return values;
  }

  const std::string& path_;
  std::shared_ptr<const RawPhotograph> raw_;
  Orientation orientation_;
  std::array<float, 4> black_;
  ValueType type_;  // as delivered
};

void describe(const std::string& path, const std::map<std::string, std::string>&, ImageInfo& info) {
  const Reader reader(path, {});
  const ValueType& type = reader.type("output");
  const RawMessage& about = reader.raw().about;
  info.extent = type.extent;
  info.bits = 16;
  info.isMosaic = !reader.raw().isDemosaiced();
  const bool isGrey = info.isMosaic && type.pattern == MosaicPattern{};
  info.pixels = fmt::format("{}, black {}, white {}",
                            !info.isMosaic ? "rgb, demosaiced"
                            : isGrey       ? "grey"
                                           : "mosaic " + name(type.pattern),
                            *std::ranges::min_element(reader.black()), about.white);
  info.colour = isGrey ? "none"
                       : fmt::format("of the camera, white balance {:.3f} 1 {:.3f}", about.balance[0],
                                     about.balance[2]);
  info.metadata = exifEntries(reader.raw().exif);
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
    .probe = probeBy<Reader>,
    .read = readBy<Reader>,
    .write = writeDng,
    .kind = kindBy<Reader>,
    .metadata = metadataBy<Reader>,
    .checkEnd = checkDng,
    .describe = describe,
};

}  // namespace lacuna::io
