#include "tools/metrics/motion_guess.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tools/metrics/exr_floats.h"

namespace lacuna {
namespace {

// A surface's properties that stay from frame to frame.
struct Surface {
  std::string plane;
  FloatPlane before, now;
};

// 0: the same, 1: nothing alike.
double difference(const Surface& surface, size_t pixel, size_t pixelBefore) {
  const size_t n = surface.now.components;
  double sum = 0;
  for (size_t c = 0; c < n; ++c) {
    const double a = surface.now.values[pixel * n + c], b = surface.before.values[pixelBefore * n + c];
    // Depths are compared relatively, colours and normals absolutely.
    const double scale = surface.plane == "depth" ? std::max({std::abs(a), std::abs(b), 1e-6}) * 0.1 : 1.0;
    sum += std::abs(a - b) / scale;
  }
  return std::isfinite(sum) ? std::min(sum, 1.0) : 1.0;
}

struct Moving {
  size_t pixel;
  float x, y, motionX, motionY;
};

// Moving pixels, chosen by their share of the largest movement, and no more than needed.
std::vector<Moving> movingPixels(const FloatPlane& motion, Extent extent) {
  constexpr size_t wanted = 20000;
  float largest = 0;
  for (const float value : motion.values)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  std::vector<Moving> found;
  const size_t count = size_t{extent.width} * extent.height;
  for (size_t i = 0; i < count && largest > 0; ++i) {
    const float x = motion.values[2 * i], y = motion.values[2 * i + 1];
    if (std::isfinite(x) && std::isfinite(y) && std::max(std::abs(x), std::abs(y)) > largest * 0.1F)
      found.push_back(
          {i, static_cast<float>(i % extent.width), static_cast<float>(size_t{i / extent.width}), x, y});
  }
  const size_t step = found.size() / wanted + 1;
  std::vector<Moving> some;
  for (size_t i = 0; i < found.size(); i += step)
    some.push_back(found[i]);
  return some;
}

double mismatch(const std::vector<Moving>& pixels, const std::vector<Surface>& surfaces, Extent extent,
                std::array<float, 2> factors) {
  double sum = 0;
  for (const Moving& pixel : pixels) {
    const float x = std::round(pixel.x + pixel.motionX * factors[0]);
    const float y = std::round(pixel.y + pixel.motionY * factors[1]);
    const bool isInside =
        x >= 0 && y >= 0 && x < static_cast<float>(extent.width) && y < static_cast<float>(extent.height);
    if (!isInside) {
      sum += 0.5;  // may have come from there
      continue;
    }
    const size_t there = static_cast<size_t>(y) * extent.width + static_cast<size_t>(x);
    double one = 0;
    for (const Surface& surface : surfaces)
      one += difference(surface, pixel.pixel, there);
    sum += one / static_cast<double>(surfaces.size());
  }
  return sum / static_cast<double>(pixels.size());
}

}  // namespace

std::optional<MotionGuess> guessMotion(const std::string& before, const std::string& frame,
                                       const ReadOptions& used) {
  const ImageInfo info = imageInfo(frame), infoBefore = imageInfo(before);
  ReadOptions raw = used;
  raw.motion = MotionConvention::pixels;
  raw.motionScale = {1.0F, 1.0F};
  if (!info.motion || !(info.extent == infoBefore.extent))
    return std::nullopt;
  const std::vector<Moving> pixels = movingPixels(readFloats(frame, "motion", raw), info.extent);
  std::vector<Surface> surfaces;
  for (const char* plane : {"albedo", "normal", "depth"})
    if (info.has(plane) && infoBefore.has(plane))
      surfaces.push_back({plane, readFloats(before, plane, raw), readFloats(frame, plane, raw)});
  constexpr size_t enough = 50;
  if (pixels.size() < enough || surfaces.empty())
    return std::nullopt;
  const auto tried = [&](MotionConvention convention, const std::array<float, 2>& scale) {
    const std::array<float, 2> factors = motionFactors(convention, info.extent);
    return mismatch(pixels, surfaces, info.extent, {factors[0] * scale[0], factors[1] * scale[1]});
  };

  MotionGuess result{conventionOf(used, *info.motion), used.motionScale};
  result.mismatch = result.mismatchAsUsed = tried(result.convention, result.scale);
  // Noise and newly visible surfaces differ in any convention, so only clear cases count.
  constexpr double clearly = 0.8;
  MotionGuess best = result;
  for (const MotionConvention convention : motionConventions)
    for (const std::array<float, 2>& scale : {std::array{1.0F, 1.0F}, std::array{-1.0F, -1.0F}})
      if (const double found = tried(convention, scale); found < best.mismatch)
        best = {convention, scale, found, result.mismatchAsUsed, false};
  // If zero motion fits better, the frame is a copy of the one before and says nothing about conventions.
  const double still = tried(MotionConvention::pixels, {0, 0});
  if (best.mismatch < std::min(clearly * result.mismatchAsUsed, still))
    result = best;
  // Motion of less than a pixel changes nothing, so its convention doesn't matter.
  constexpr double little = 0.1;
  result.fits = result.mismatch < little || result.mismatch < clearly * still;
  return result;
}

}  // namespace lacuna
