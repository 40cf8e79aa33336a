#include "tools/bench/sequential.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lacuna {
namespace {

// Filters rows until that has taken long enough.
template <class Row>
SequentialTime timeRows(uint32_t rows, double enoughMs, const Row& row) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  SequentialTime time;
  for (; time.rows < rows && time.ms < enoughMs; ++time.rows) {
    row(time.rows);
    time.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  time.ms *= static_cast<double>(rows) / time.rows;
  return time;
}

class BilateralLoop {
 public:
  BilateralLoop(std::span<const std::byte> pixels, Extent size, int channels, int radius,
                BilateralSigmas sigmas)
      : width_(static_cast<int>(size.width)),
        channels_(channels),
        radius_(radius),
        rangeFalloff_(static_cast<float>(-0.5 / (sigmas.range * sigmas.range))),
        input_(size_t{size.width} * size.height * static_cast<size_t>(channels)),
        output_(input_.size()) {
    const auto perPixel = static_cast<size_t>(channels);
    const size_t stride = perPixel * pixels.size() / input_.size();
    for (size_t i = 0; i < input_.size(); ++i)
      input_[i] = static_cast<uint8_t>(pixels[i / perPixel * stride + i % perPixel]);
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        spatial_.push_back(
            static_cast<float>(std::exp(-0.5 * (dx * dx + dy * dy) / (sigmas.space * sigmas.space))));
      }
    }
  }

  std::vector<uint8_t> output() { return std::move(output_); }

  void row(int y) {
    for (int x = radius_; x + radius_ < width_; ++x)
      for (int c = 0; c < channels_; ++c)
        output_[at(x, y, c)] = value(x, y, c);
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

class RhfLoop {
 public:
  RhfLoop(std::span<const float> planes, Extent size, const RhfDefaults& parameters)
      : parameters_(parameters),
        width_(static_cast<int>(size.width)),
        height_(static_cast<int>(size.height)),
        words_(planes.size() / (size_t{size.width} * size.height)),
        histograms_(planes.size()),
        sums_(4 * size_t{size.width} * size.height) {
    const size_t pixels = size_t{size.width} * size.height;
    for (size_t plane = 0; plane < words_; ++plane)
      for (size_t i = 0; i < pixels; ++i)
        histograms_[i * words_ + plane] = planes[plane * pixels + i];
  }

  void row(int y) {
    for (int x = 0; x < width_; ++x)
      filter(x, y);
  }

 private:
  struct Candidate {
    float distance;
    int x, y;
  };

  size_t pixel(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  // The half width of a pixel's patch: less near the border.
  int roomAt(int x, int y) const {
    return std::min({parameters_.patch, x, y, width_ - 1 - x, height_ - 1 - y});
  }

  void addPixels(size_t p, size_t q, float& sum, float& terms) const {
    const float* hp = &histograms_[p * words_];
    const float* hq = &histograms_[q * words_];
    const float np = hp[words_ - 1];
    const float nq = hq[words_ - 1];
    float own = 0.0F;
    for (size_t bin = 0; bin + 1 < words_; ++bin) {
      const float both = hp[bin] + hq[bin];
      if (both > 1.0F) {
        const float difference = hp[bin] * nq - hq[bin] * np;
        own += difference * difference / both;
        terms += 1.0F;
      }
    }
    sum += np * nq != 0.0F ? own / (np * nq) : 0.0F;
  }

  float distance(int px, int py, int qx, int qy, int room) const {
    float sum = 0.0F;
    float terms = 0.0F;
    for (int dy = -room; dy <= room; ++dy)
      for (int dx = -room; dx <= room; ++dx)
        addPixels(pixel(px + dx, py + dy), pixel(qx + dx, qy + dy), sum, terms);
    return sum / (terms + 1e-4F);
  }

  void filter(int x, int y) {
    const int b = parameters_.search;
    const int room = roomAt(x, y);
    candidates_.clear();
    for (int i = std::max(x - b, room); i <= std::min(x + b, width_ - 1 - room); ++i)
      for (int j = std::max(y - b, room); j <= std::min(y + b, height_ - 1 - room); ++j)
        candidates_.push_back({distance(x, y, i, j, room), i, j});
    const size_t least = std::min(candidates_.size(), static_cast<size_t>(parameters_.k) + 1);
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<ptrdiff_t>(least),
                      candidates_.end(),
                      [](const Candidate& l, const Candidate& r) { return l.distance < r.distance; });
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (i < least || candidates_[i].distance < parameters_.threshold)
        addPatch(candidates_[i], x, y, room);
  }

  // The averaged values don't matter for the time: bins stand for colours.
  void addPatch(const Candidate& candidate, int x, int y, int room) {
    for (int dy = -room; dy <= room; ++dy) {
      for (int dx = -room; dx <= room; ++dx) {
        const float* colour = &histograms_[pixel(candidate.x + dx, candidate.y + dy) * words_];
        float* sum = &sums_[4 * pixel(x + dx, y + dy)];
        for (int c = 0; c < 3; ++c)
          sum[c] += colour[c];
        sum[3] += 1.0F;
      }
    }
  }

  RhfDefaults parameters_;
  int width_, height_;
  size_t words_;
  std::vector<float> histograms_, sums_;
  std::vector<Candidate> candidates_;
};

}  // namespace

SequentialBilateral sequentialBilateral(std::span<const std::byte> pixels, Extent size, int channels,
                                        int radius, BilateralSigmas sigmas) {
  const auto border = static_cast<uint32_t>(2 * radius);
  if (size.height <= border || size.width <= border)
    return {};
  BilateralLoop filter(pixels, size, channels, radius, sigmas);
  const SequentialTime time = timeRows(size.height - border, 500.0,
                                       [&](uint32_t done) { filter.row(radius + static_cast<int>(done)); });
  return {time, filter.output()};
}

SequentialTime sequentialRhf(std::span<const float> planes, Extent size, const RhfDefaults& parameters) {
  RhfLoop filter(planes, size, parameters);
  // Rows from the middle downwards, then from the top.
  return timeRows(size.height, 1000.0, [&](uint32_t done) {
    filter.row(static_cast<int>((size.height / 2 + done) % size.height));
  });
}

}  // namespace lacuna
