#pragma once
// Inside modules/codecs: raw photographs, unpacked by LibRaw in the process lacuna-raw, whose memory and time
// are bounded by the file's size (if it crashes, that is an error with the file's name), and the meaning of
// their numbers: the array that accompanies a mosaic through a graph. modules/i-raw/README.md explains each.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/values/mosaic_pattern.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/raw_message.h"

namespace lacuna::io {

struct RawPhotograph {
  RawMessage about;
  MosaicPattern stored;         // size of the stored pixels, before they are turned
  std::vector<std::byte> exif;  // TIFF

  Extent extent() const { return {about.width, about.height}; }
  bool isDemosaiced() const { return about.samples == 3; }
};

// The pattern as it is delivered: turned upright, or as stored (1).
MosaicPattern patternOf(const RawPhotograph& raw, Orientation orientation);
std::array<float, 4> blackOf(const RawPhotograph& raw, Orientation orientation);
inline Orientation orientationOf(const RawPhotograph& raw, const ReadOptions& options) {
  return options.orientation ? static_cast<Orientation>(raw.about.orientation) : 1;
}

// Fills its argument, or throws FileError.
using ReadBytes = std::function<void(std::span<std::byte> bytes)>;
// The output of such a process, checked: it is not trusted. `bytes`: of the file. Throws FileError.
RawPhotograph readMessage(const std::string& path, uint64_t bytes, const ReadBytes& read);

// Whether LibRaw knows the file, or why it can't be read.
bool isRaw(const std::string& path);
// Asked once for each unchanged file. Throws FileError.
std::shared_ptr<const RawPhotograph> rawHeader(const std::string& path);
// The pixels' numbers, row by row. Throws FileError, also where the file has changed.
void readRawRows(const std::string& path, const RawPhotograph& expected,
                 const std::function<void(uint32_t y, std::span<const float> row)>& take);

constexpr uint32_t cameraCount = 32;

using Matrix3 = std::array<double, 9>;  // rows
Matrix3 product(const Matrix3& a, const Matrix3& b);
Matrix3 inverse(const Matrix3& m);  // not finite if there is none

struct CameraValues {
  std::array<float, 4> black{};
  float white = 65535.0F;
  std::array<float, 3> balance{1, 1, 1};
  std::array<float, 3> daylight{1, 1, 1};  // as balance, for the light D65
  Matrix3 toRec2020{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<float, 2> noise{};  // a, b
  float baselineExposure = 0.0F, iso = 0.0F;
  MosaicPattern pattern{};  // that the black levels go with
};

// `pattern` and `black` are those of the delivered pixels, which may be turned.
CameraValues cameraValues(const RawMessage& about, const MosaicPattern& pattern,
                          const std::array<float, 4>& black);
void store(const CameraValues& values, std::span<float, cameraCount> to);
CameraValues cameraFrom(std::span<const float, cameraCount> numbers);
// The black levels of a window that has this pattern; unchanged if the pattern doesn't determine them.
std::array<float, 4> blackFor(const CameraValues& values, const MosaicPattern& pattern);
// From XYZ to the camera's colours before balance, for a camera without a known matrix: it sees D65 as the
// scene's white.
Matrix3 xyzToCamera(const CameraValues& values);

// DNG files, which state such values.
void writeDng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);
void checkDng(const std::string& path);  // whether all strips lie within the file; throws FileError

}  // namespace lacuna::io
