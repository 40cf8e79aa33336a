// Raw photographs: read by LibRaw, each in a process of its own, and written as DNG files.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "modules/codecs/exif.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/raw.h"

namespace lacuna::io {
namespace {

// A pixel of any camera takes at least half a bit: 24 megapixels need 1.5 MB.
constexpr uint64_t mostPixelsPerByte = 16;

template <size_t count>
bool isWithin(const float (&numbers)[count], float least, float most) {
  return std::ranges::all_of(numbers, [&](float number) { return number >= least && number <= most; });
}

void checkNumbers(const std::string& path, const RawMessage& about) {
  constexpr float mostFactor = 1000.0F, mostCode = 65535.0F;
  if (!(about.white >= 1 && about.white <= mostCode))
    refuse(path, "its white level is {}, expected 1 to 65535", about.white);
  if (!isWithin(about.black, 0, mostCode) || !(*std::ranges::max_element(about.black) < about.white))
    refuse(path, "its black levels are {}, {}, {} and {}, expected 0 to less than white, {}", about.black[0],
           about.black[1], about.black[2], about.black[3], about.white);
  if (!isWithin(about.balance, 1 / mostFactor, mostFactor))
    refuse(path, "its white balance is {}, {}, {}, expected factors from {} to {}", about.balance[0],
           about.balance[1], about.balance[2], 1 / mostFactor, mostFactor);
  if (!isWithin(about.toRec709, -mostFactor, mostFactor) || !isWithin(about.fromXyz, -mostFactor, mostFactor))
    refuse(path, "its colour matrix has numbers beyond 1000");
  if (!isWithin(about.noise, 0, 1) || !(std::abs(about.baselineExposure) <= 20) || !(about.iso >= 0) ||
      !std::isfinite(about.iso))
    refuse(path, "its noise, exposure or ISO speed is not a sane number");
}

MosaicPattern storedPattern(const std::string& path, const RawMessage& about) {
  MosaicPattern pattern;
  for (uint32_t i = 0; i < patternSide * patternSide; ++i) {
    if (about.letters[i] > 3)
      refuse(path, "its pattern has colours other than red, green and blue");
    pattern.words.at(i / 12) |= uint32_t{about.letters[i]} << (2 * (i % 12));
  }
  if (!isPattern(pattern))
    refuse(path, "its pattern has gaps");
  return pattern;
}

// Pixel i of the upright picture's first block. The picture counts as larger by the pattern, because it may
// be smaller than the pattern.
PixelPlace placeIn(const RawPhotograph& raw, Orientation orientation, PixelPlace upright) {
  return storedPlace({raw.extent().width + patternSide, raw.extent().height + patternSide}, orientation,
                     upright);
}

}  // namespace

MosaicPattern patternOf(const RawPhotograph& raw, Orientation orientation) {
  MosaicPattern pattern;
  for (uint32_t i = 0; i < patternSide * patternSide; ++i) {
    const PixelPlace place = placeIn(raw, orientation, {i % patternSide, i / patternSide});
    pattern.words.at(i / 12) |= letterAt(raw.stored, place) << (2 * (i % 12));
  }
  return pattern;
}

std::array<float, 4> blackOf(const RawPhotograph& raw, Orientation orientation) {
  std::array<float, 4> black{};
  for (uint32_t i = 0; i < black.size(); ++i) {
    const PixelPlace place = placeIn(raw, orientation, {i % 2, i / 2});
    black.at(i) = raw.about.black[place.y % 2 * 2 + place.x % 2];
  }
  return black;
}

RawPhotograph readMessage(const std::string& path, uint64_t bytes, const ReadBytes& read) {
  RawPhotograph raw{};
  read(std::as_writable_bytes(std::span(&raw.about, 1)));
  RawMessage& about = raw.about;
  if (about.magic != rawMagic || about.exifBytes > mostExifBytes || about.orientation < 1 ||
      about.orientation > 8)
    refuse(path, "the program that unpacks it is not of this version of Lacuna, or its memory is damaged");
  checkSize(path, about.width, about.height);
  if (about.samples != 1 && about.samples != 3)
    refuse(path, "it has {} numbers a pixel, expected 1 or 3", about.samples);
  if (uint64_t{about.width} * about.height / mostPixelsPerByte > bytes)
    refuse(path, "damaged: it is too short for {} x {} pixels", about.width, about.height);
  checkNumbers(path, about);
  raw.stored = storedPattern(path, about);
  if (raw.isDemosaiced() && !(raw.stored == MosaicPattern{}))
    refuse(path, "it has a pattern, but three numbers a pixel");
  about.make[sizeof about.make - 1] = about.model[sizeof about.model - 1] = 0;
  raw.exif.resize(about.exifBytes);
  read(raw.exif);
  return raw;
}

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

void describe(const std::string& path, const ReadOptions&, ImageInfo& info) {
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
const Codec dngCodec = readBy<Reader>({
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
    .write = writeDng,
    .checkEnd = checkDng,
    .describe = describe,
});

}  // namespace lacuna::io
