#include "tools/metrics/motion_guess.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "modules/codecs/image_info.h"
#include "tools/metrics/guides.h"

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

struct Candidate {
  MotionConvention convention = MotionConvention::pixels;
  std::array<float, 2> scale = {1.0F, 1.0F};
  std::array<float, 2> factors = {1.0F, 1.0F};
  double mismatch = 0;
};

// One for each pair of factors, those that users know first.
std::vector<Candidate> candidates(Extent display) {
  std::vector<Candidate> all;
  for (const float length : {1.0F, 2.0F})
    for (const std::array<float, 2>& sign :
         {std::array{1.0F, 1.0F}, std::array{-1.0F, -1.0F}, std::array{1.0F, -1.0F}, std::array{-1.0F, 1.0F}})
      for (const MotionConvention convention : motionConventions) {
        const std::array<float, 2> unit = motionFactors(convention, display);
        const std::array<float, 2> scale = {length * sign[0], length * sign[1]};
        const std::array<float, 2> factors = {unit[0] * scale[0], unit[1] * scale[1]};
        if (std::ranges::find(all, factors, &Candidate::factors) == all.end())
          all.push_back({convention, scale, factors});
      }
  return all;
}

}  // namespace

std::optional<MotionGuess> guessMotion(const FrameFiles& before, const FrameFiles& frame,
                                       const ReadOptions& used) {
  std::map<std::string, ImageInfo> infos;  // by file
  const auto infoOf = [&](const std::string& file) -> const ImageInfo& {
    const auto found = infos.find(file);
    return found != infos.end() ? found->second
                                : infos.emplace(file, imageInfo(file, {.layers = used.layers})).first->second;
  };
  const ImageInfo& info = infoOf(frame.of("motion"));
  ReadOptions raw = used;
  raw.framed = true;
  raw.motion = MotionConvention::pixels;
  raw.motionScale = {1.0F, 1.0F};
  if (!info.motion)
    return std::nullopt;
  const FloatPlane motion = readFloats(frame.of("motion"), "motion", raw);
  const Extent extent = motion.extent;
  std::vector<Surface> surfaces;
  for (const char* plane : {"albedo", "normal", "depth"})
    if (infoOf(frame.of(plane)).has(plane) && infoOf(before.of(plane)).has(plane))
      surfaces.push_back(
          {plane, readFloats(before.of(plane), plane, raw), readFloats(frame.of(plane), plane, raw)});
  const std::vector<Moving> pixels = movingPixels(motion, extent);
  constexpr size_t enough = 50;
  const bool hasOneSize =
      std::ranges::all_of(surfaces, [&](const Surface& surface) { return surface.before.extent == extent; });
  if (pixels.size() < enough || surfaces.empty() || !hasOneSize)
    return std::nullopt;
  const auto tried = [&](const std::array<float, 2>& factors) {
    return mismatch(pixels, surfaces, extent, factors);
  };

  const MotionConvention byUse = conventionOf(used, *info.motion);
  const std::array<float, 2> unit = motionFactors(byUse, info.display);
  Candidate best{byUse, used.motionScale, {unit[0] * used.motionScale[0], unit[1] * used.motionScale[1]}};
  best.mismatch = tried(best.factors);
  MotionGuess result;
  result.used = byUse;
  result.mismatchAsUsed = best.mismatch;
  std::vector<Candidate> others = candidates(info.display);
  std::erase_if(others, [&](const Candidate& each) { return each.factors == best.factors; });
  for (Candidate& each : others)
    each.mismatch = tried(each.factors);
  // Noise and newly visible surfaces differ in any convention, so only clear cases count.
  constexpr double clearly = 0.8;
  const double still = tried({0, 0});
  const auto isBetter = [](const Candidate& a, const Candidate& b) { return a.mismatch < b.mismatch; };
  auto next = std::ranges::min_element(others, isBetter);
  // If zero motion fits better, the frame is a copy of the one before and says nothing about conventions.
  if (next->mismatch < std::min(clearly * best.mismatch, still)) {
    std::swap(best, *next);
    next = std::ranges::min_element(others, isBetter);
    result.asUsed = false;
  }
  result.convention = best.convention;
  result.scale = best.scale;
  result.mismatch = best.mismatch;
  result.second = next->convention;
  result.secondScale = next->scale;
  result.mismatchOfSecond = next->mismatch;
  result.isCertain = best.mismatch < clearly * next->mismatch;
  // Motion of less than a pixel changes nothing, so its convention doesn't matter.
  constexpr double little = 0.1;
  result.fits = result.mismatch < little || result.mismatch < clearly * still;
  return result;
}

}  // namespace lacuna
