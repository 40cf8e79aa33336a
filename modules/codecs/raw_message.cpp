// Checks lacuna-raw's output before anything of it is used.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "modules/codecs/raw_child.h"

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

}  // namespace lacuna::io
