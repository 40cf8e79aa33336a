// SSIM: Zhou Wang, Alan Bovik, Hamid Sheikh, Eero Simoncelli, Image Quality Assessment: From Error Visibility
// to Structural Similarity, 2004. As in that paper, only whole windows count; in images smaller than a
// window, windows are cut at the border.

#include "graph/pictures/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/files/memory_bound.h"
#include "graph/pictures/flip.h"

namespace lacuna {
namespace {

constexpr int windowRadius = 5;

double toSrgb(double linear) {
  const double v = linear > 0.0 ? std::min(linear, 1.0) : 0.0;  // NaN: 0
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

using Plane = std::vector<double>;

Plane lumaOf(const ColourImage& image) {
  Plane luma(image.rgb.size() / 3);
  for (size_t i = 0; i < luma.size(); ++i)
    luma[i] = 0.2126 * toSrgb(image.rgb[3 * i]) + 0.7152 * toSrgb(image.rgb[3 * i + 1]) +
              0.0722 * toSrgb(image.rgb[3 * i + 2]);
  return luma;
}

std::array<double, 2 * windowRadius + 1> windowWeights() {
  std::array<double, 2 * windowRadius + 1> weights{};
  for (size_t i = 0; i < weights.size(); ++i) {
    const double distance = static_cast<double>(i) - windowRadius;
    weights[i] = std::exp(-distance * distance / (2.0 * 1.5 * 1.5));
  }
  return weights;
}

// The weighted mean over each pixel's window, along one axis: `count` lines of `length` pixels.
Plane blurAlong(const Plane& plane, int length, size_t step, int count, size_t lineStep) {
  static const auto weights = windowWeights();
  Plane blurred(plane.size());
  for (int line = 0; line < count; ++line)
    for (int x = 0; x < length; ++x) {
      double sum = 0.0, total = 0.0;
      for (int tap = std::max(-windowRadius, -x); tap <= std::min(windowRadius, length - 1 - x); ++tap) {
        const double weight = weights[static_cast<size_t>(int64_t{tap} + windowRadius)];
        sum += weight *
               plane[static_cast<size_t>(line) * lineStep + static_cast<size_t>(int64_t{x} + tap) * step];
        total += weight;
      }
      blurred[static_cast<size_t>(line) * lineStep + static_cast<size_t>(x) * step] = sum / total;
    }
  return blurred;
}

Plane blur(const Plane& plane, int width, int height) {
  const auto row = static_cast<size_t>(width);
  return blurAlong(blurAlong(plane, width, 1, height, row), height, row, width, 1);
}

Plane product(const Plane& a, const Plane& b) {
  Plane result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = a[i] * b[i];
  return result;
}

double meanSsim(const ColourImage& first, const ColourImage& second) {
  const int width = static_cast<int>(first.extent.width), height = static_cast<int>(first.extent.height);
  const Plane a = lumaOf(first), b = lumaOf(second);
  const Plane meanA = blur(a, width, height), meanB = blur(b, width, height);
  const Plane squareA = blur(product(a, a), width, height), squareB = blur(product(b, b), width, height);
  const Plane mixed = blur(product(a, b), width, height);
  constexpr double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  const auto ssimAt = [&](size_t i) {
    const double varianceA = squareA[i] - meanA[i] * meanA[i], varianceB = squareB[i] - meanB[i] * meanB[i];
    const double covariance = mixed[i] - meanA[i] * meanB[i];
    return (2.0 * meanA[i] * meanB[i] + c1) * (2.0 * covariance + c2) /
           ((meanA[i] * meanA[i] + meanB[i] * meanB[i] + c1) * (varianceA + varianceB + c2));
  };
  const int marginX = width > 2 * windowRadius ? windowRadius : 0;
  const int marginY = height > 2 * windowRadius ? windowRadius : 0;
  double sum = 0.0;
  for (int y = marginY; y < height - marginY; ++y)
    for (int x = marginX; x < width - marginX; ++x)
      sum += ssimAt(static_cast<size_t>(y) * first.extent.width + static_cast<size_t>(x));
  return sum / (static_cast<double>(width - 2 * marginX) * (height - 2 * marginY));
}

}  // namespace

std::vector<double> onScreen(const ColourImage& image) {
  std::vector<double> values(image.rgb.size());
  std::transform(image.rgb.begin(), image.rgb.end(), values.begin(), [](float v) { return toSrgb(v); });
  return values;
}

double temporalError(const std::vector<double>& a, const std::vector<double>& aBefore,
                     const std::vector<double>& b, const std::vector<double>& bBefore) {
  double sum = 0.0;
  for (size_t i = 0; i < b.size(); ++i)
    sum += std::abs((a[i] - aBefore[i]) - (b[i] - bBefore[i]));
  return sum / static_cast<double>(std::max<size_t>(b.size(), 1));
}

Metrics compare(const ColourImage& a, const ColourImage& b) {
  // Memory for a pixel: both colours, and the nine planes that SSIM holds at a time; FLIP holds fewer.
  constexpr uint64_t bytesOfPixel = 2 * 3 * sizeof(float) + 9 * sizeof(double);
  checkMemory(fmt::format("comparing {} x {} pixels", b.extent.width, b.extent.height),
              bytesOfPixel * b.extent.width * b.extent.height);
  Metrics metrics;
  double squares = 0.0;
  uint64_t count = 0;
  for (size_t i = 0; i < b.rgb.size(); ++i) {
    const double value = a.rgb[i], reference = b.rgb[i];
    const double shown = toSrgb(value) - toSrgb(reference);
    squares += shown * shown;
    if (!std::isfinite(value) || !std::isfinite(reference)) {
      ++metrics.notFinite;
      continue;
    }
    const double difference = value - reference;
    const double relative = std::abs(difference) / std::max(std::abs(reference), 0.01);
    metrics.relMse += difference * difference / (reference * reference + 0.01);
    metrics.meanRelativeError += relative;
    metrics.maxRelativeError = std::max(metrics.maxRelativeError, relative);
    ++count;
  }
  if (count == 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none, none, none, none, metrics.notFinite};
  }
  metrics.relMse /= static_cast<double>(count);
  metrics.meanRelativeError /= static_cast<double>(count);
  const double mse = squares / static_cast<double>(b.rgb.size());
  metrics.psnr = mse > 0.0 ? -10.0 * std::log10(mse) : std::numeric_limits<double>::infinity();
  metrics.ssim = meanSsim(a, b);
  metrics.flip = meanFlip(a, b);
  return metrics;
}

}  // namespace lacuna
