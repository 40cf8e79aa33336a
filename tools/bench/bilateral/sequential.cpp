#include "tools/bench/bilateral/sequential.h"

#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace lacuna {
namespace {

class Sequential {
 public:
  Sequential(std::span<const std::byte> pixels, Extent size, int channels, int radius, BilateralSigmas sigmas)
      : width_(static_cast<int>(size.width)),
        channels_(channels),
        radius_(radius),
        rangeFalloff_(static_cast<float>(-0.5 / (sigmas.range * sigmas.range))),
        input_(size_t{size.width} * size.height * static_cast<size_t>(channels)),
        output_(input_.size()) {
    const auto perPixel = static_cast<size_t>(channels);
    const size_t stride = perPixel * pixels.size() / input_.size();
    for (size_t i = 0; i < input_.size(); ++i) {
      input_[i] = static_cast<uint8_t>(pixels[i / perPixel * stride + i % perPixel]);
    }
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        spatial_.push_back(
            static_cast<float>(std::exp(-0.5 * (dx * dx + dy * dy) / (sigmas.space * sigmas.space))));
      }
    }
  }

  std::vector<uint8_t> output() { return std::move(output_); }

  void row(int y) {
    for (int x = radius_; x + radius_ < width_; ++x) {
      for (int c = 0; c < channels_; ++c) {
        output_[at(x, y, c)] = value(x, y, c);
      }
    }
  }

 private:
  size_t at(int x, int y, int c) const {
    return (static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)) *
               static_cast<size_t>(channels_) +
           static_cast<size_t>(c);
  }

  uint8_t value(int x, int y, int c) const {
    const float centre = input_[at(x, y, c)];
    float sum = 0.0F;
    float weights = 0.0F;
    size_t tap = 0;
    for (int dy = -radius_; dy <= radius_; ++dy) {
      for (int dx = -radius_; dx <= radius_; ++dx) {
        const float v = input_[at(x + dx, y + dy, c)];
        const float weight = spatial_[tap++] * std::exp((v - centre) * (v - centre) * rangeFalloff_);
        sum += weight * v;
        weights += weight;
      }
    }
    return static_cast<uint8_t>(sum / weights + 0.5F);
  }

  int width_, channels_, radius_;
  float rangeFalloff_;
  std::vector<uint8_t> input_, output_;
  std::vector<float> spatial_;
};

}  // namespace

SequentialBilateral sequentialBilateral(std::span<const std::byte> pixels, Extent size, int channels,
                                        int radius, BilateralSigmas sigmas) {
  SequentialBilateral result;
  const int rows = static_cast<int>(size.height) - 2 * radius;
  if (rows <= 0 || static_cast<int>(size.width) <= 2 * radius) {
    return result;
  }
  Sequential filter(pixels, size, channels, radius, sigmas);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  int done = 0;
  for (; done < rows && result.ms < 500.0; ++done) {
    filter.row(radius + done);
    result.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  result.ms *= static_cast<double>(rows) / done;
  result.rows = static_cast<size_t>(done);
  result.output = filter.output();
  return result;
}

void fillWithNoise(std::span<std::byte> bytes) {
  std::minstd_rand random(1);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(random() >> 16U);
  }
}

}  // namespace lacuna
