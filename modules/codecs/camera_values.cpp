#include "modules/codecs/raw.h"

#include <algorithm>

namespace lacuna::io {
namespace {

// Rec. ITU-R BT.709-6 and BT.2020-2: primaries, D65 as x 0.3127, y 0.3290.
constexpr Matrix3 xyzOfRec709 = {0.4123908, 0.3575843, 0.1804808, 0.2126390, 0.7151687,
                                 0.0721923, 0.0193308, 0.1191948, 0.9505322};
constexpr Matrix3 xyzOfRec2020 = {0.6369580, 0.1446169, 0.1688810, 0.2627002, 0.6779981,
                                  0.0593017, 0.0000000, 0.0280727, 1.0609851};

constexpr std::array<double, 3> xyzOfD65 = {0.9504559, 1.0, 1.0890578};

// The matrix of a camera sees D65 as white. Without one, the scene's light counts as D65.
void setDaylight(const std::array<float, 9>& fromXyz, CameraValues& values) {
  std::array<double, 3> white{};
  for (size_t i = 0; i < fromXyz.size(); ++i)
    white.at(i / 3) += static_cast<double>(fromXyz.at(i)) * xyzOfD65.at(i % 3);
  values.daylight = values.balance;
  if (std::ranges::all_of(white, [](double part) { return part > 0; }))
    std::ranges::transform(white, values.daylight.begin(),
                           [&](double part) { return static_cast<float>(white[1] / part); });
}

// Calls visit(numbers, place) for each part of the array.
template <class Values, class Visit>
void eachPart(Values& values, const Visit& visit) {
  visit(values.black, 0);
  visit(std::span(&values.white, 1), 4);
  visit(values.balance, 5);
  visit(values.toRec2020, 8);
  visit(values.noise, 17);
  visit(std::span(&values.baselineExposure, 1), 19);
  visit(std::span(&values.iso, 1), 20);
  visit(values.pattern.words, 21);  // 24 bits each
  visit(values.daylight, 24);
}

}  // namespace

Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (size_t i = 0; i < c.size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      c[i] += a[i / 3 * 3 + k] * b[k * 3 + i % 3];
  return c;
}

Matrix3 inverse(const Matrix3& m) {
  Matrix3 cofactors{};
  for (size_t i = 0; i < m.size(); ++i) {
    const size_t row = i % 3, column = i / 3;  // transposed
    const size_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    cofactors[i] = m[r1 * 3 + c1] * m[r2 * 3 + c2] - m[r1 * 3 + c2] * m[r2 * 3 + c1];
  }
  const double determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6];
  for (double& number : cofactors)
    number /= determinant;
  return cofactors;
}

CameraValues cameraValues(const RawMessage& about, const MosaicPattern& pattern,
                          const std::array<float, 4>& black) {
  CameraValues values{.black = black, .white = about.white, .pattern = pattern};
  std::ranges::copy(about.balance, values.balance.begin());
  std::ranges::copy(about.noise, values.noise.begin());
  setDaylight(std::to_array(about.fromXyz), values);
  Matrix3 toRec709{};
  std::ranges::copy(about.toRec709, toRec709.begin());
  values.toRec2020 = product(product(inverse(xyzOfRec2020), xyzOfRec709), toRec709);
  values.baselineExposure = about.baselineExposure;
  values.iso = about.iso;
  return values;
}

void store(const CameraValues& values, std::span<float, cameraCount> to) {
  std::ranges::fill(to, 0.0F);
  eachPart(values, [&](const auto& part, size_t at) {
    for (const auto number : part)
      to[at++] = static_cast<float>(number);
  });
}

CameraValues cameraFrom(std::span<const float, cameraCount> numbers) {
  CameraValues values;
  eachPart(values, [&](auto&& part, size_t at) {
    for (auto& number : part) {
      const float from = numbers[at++];
      using Number = std::remove_reference_t<decltype(number)>;
      const bool fits = std::is_floating_point_v<Number> || (from >= 0 && from <= 0xffffff);
      number = fits ? static_cast<Number>(from) : Number{};
    }
  });
  return values;
}

std::array<float, 4> blackFor(const CameraValues& values, const MosaicPattern& pattern) {
  for (uint32_t i = 0; i < patternSide * patternSide; ++i) {
    const PixelPlace first{i % patternSide, i / patternSide};
    if (pattern == MosaicPattern{} || !(movedTo(values.pattern, first) == pattern))
      continue;
    std::array<float, 4> black{};
    for (uint32_t k = 0; k < black.size(); ++k)
      black.at(k) = values.black.at((first.y + k / 2) % 2 * 2 + (first.x + k) % 2);
    return black;
  }
  return values.black;
}

Matrix3 xyzToCamera(const CameraValues& values) {
  Matrix3 camera = inverse(product(xyzOfRec2020, values.toRec2020));
  for (size_t i = 0; i < camera.size(); ++i)
    camera[i] /= static_cast<double>(values.balance[i / 3]);
  return camera;
}

}  // namespace lacuna::io
