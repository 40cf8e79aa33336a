#include "tools/bench/models/border_weights.h"

namespace lacuna {
namespace {

constexpr int64_t nothing = -1;

int64_t reflected(int64_t at, int64_t size) {
  const int64_t period = 2 * size;
  const int64_t in = (at % period + period) % period;
  return in < size ? in : period - 1 - in;
}

int64_t inside(int64_t at, int64_t size) {
  return at >= 0 && at < size ? at : nothing;
}

// The pixel that a tap reads.
int64_t tapped(const BorderStrategy& strategy, int64_t pixel, int64_t step, int64_t size, uint32_t level) {
  const int64_t plain = pixel + step * (int64_t{1} << level);
  switch (strategy.border) {
    case Border::zeroWeight:
      return inside(plain, size);
    case Border::mirrored:
      return reflected(plain, size);
    case Border::embedded:
      break;
  }
  const auto count = static_cast<uint32_t>(size);
  const int64_t place = placeOf(strategy.embedding, static_cast<uint32_t>(pixel), count, level) + step;
  // The last subimage has no neighbour: mirrored schedules reflect there.
  const int64_t neighbour = strategy.embedding.mirrored ? reflected(place, size) : inside(place, size);
  return neighbour == nothing
             ? nothing
             : int64_t{pixelAt(strategy.embedding, static_cast<uint32_t>(neighbour), count, level)};
}

}  // namespace

std::vector<double> borderWeights(const BorderStrategy& strategy, std::span<const double> kernel,
                                  uint32_t size, uint32_t pixel, uint32_t levels) {
  const auto radius = static_cast<int64_t>(kernel.size() / 2);
  std::vector<double> weights(size, 0.0);
  weights[pixel] = 1.0;
  // From the last level back: a pixel's weight is distributed among those from which it was made.
  for (uint32_t level = levels; level-- > 0;) {
    std::vector<double> before(size, 0.0);
    for (uint32_t p = 0; p < size; ++p) {
      double sum = 0.0;
      for (int64_t k = -radius; k <= radius; ++k)
        sum += tapped(strategy, p, k, size, level) == nothing ? 0.0 : kernel[static_cast<size_t>(k + radius)];
      for (int64_t k = -radius; k <= radius; ++k)
        if (const int64_t from = tapped(strategy, p, k, size, level); from != nothing)
          before[static_cast<size_t>(from)] += weights[p] * kernel[static_cast<size_t>(k + radius)] / sum;
    }
    weights = std::move(before);
  }
  return weights;
}

double weightOutside(std::span<const double> kernel, uint32_t size, uint32_t pixel, uint32_t level) {
  const auto radius = static_cast<int64_t>(kernel.size() / 2);
  double outside = 0.0;
  for (int64_t k = -radius; k <= radius; ++k) {
    const bool isOut = tapped({}, pixel, k, size, level) == nothing;
    outside += isOut ? kernel[static_cast<size_t>(k + radius)] : 0.0;
  }
  return outside;
}

}  // namespace lacuna
