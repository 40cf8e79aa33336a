#pragma once
// The meaning of a mosaic's numbers: the array that accompanies it through a graph. modules/i-raw/README.md
// explains each.

#include <array>
#include <cstddef>
#include <span>

#include "graph/values/mosaic_pattern.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/raw_message.h"

namespace lacuna::io {

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
