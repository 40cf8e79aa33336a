#include "tools/bench/rhf/sequential.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace lacuna {
namespace {

constexpr double enoughMs = 1000.0;

class SequentialRhf {
 public:
  SequentialRhf(std::span<const float> planes, Extent size, const RhfDefaults& parameters)
      : parameters_(parameters),
        width_(static_cast<int>(size.width)),
        height_(static_cast<int>(size.height)),
        words_(planes.size() / (size_t{size.width} * size.height)),
        histograms_(planes.size()),
        sums_(4 * size_t{size.width} * size.height) {
    const size_t pixels = size_t{size.width} * size.height;
    for (size_t plane = 0; plane < words_; ++plane) {
      for (size_t i = 0; i < pixels; ++i) {
        histograms_[i * words_ + plane] = planes[plane * pixels + i];
      }
    }
  }

  void row(int y) {
    for (int x = 0; x < width_; ++x) {
      filter(x, y);
    }
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
    for (int dy = -room; dy <= room; ++dy) {
      for (int dx = -room; dx <= room; ++dx) {
        addPixels(pixel(px + dx, py + dy), pixel(qx + dx, qy + dy), sum, terms);
      }
    }
    return sum / (terms + 1e-4F);
  }

  void filter(int x, int y) {
    const int b = parameters_.search;
    const int room = roomAt(x, y);
    candidates_.clear();
    for (int i = std::max(x - b, room); i <= std::min(x + b, width_ - 1 - room); ++i) {
      for (int j = std::max(y - b, room); j <= std::min(y + b, height_ - 1 - room); ++j) {
        candidates_.push_back({distance(x, y, i, j, room), i, j});
      }
    }
    const size_t least = std::min(candidates_.size(), static_cast<size_t>(parameters_.k) + 1);
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<ptrdiff_t>(least),
                      candidates_.end(),
                      [](const Candidate& l, const Candidate& r) { return l.distance < r.distance; });
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (i < least || candidates_[i].distance < parameters_.threshold) {
        addPatch(candidates_[i], x, y, room);
      }
    }
  }

  // The averaged values don't matter for the time: bins stand for colours.
  void addPatch(const Candidate& candidate, int x, int y, int room) {
    for (int dy = -room; dy <= room; ++dy) {
      for (int dx = -room; dx <= room; ++dx) {
        const float* colour = &histograms_[pixel(candidate.x + dx, candidate.y + dy) * words_];
        float* sum = &sums_[4 * pixel(x + dx, y + dy)];
        for (int c = 0; c < 3; ++c) {
          sum[c] += colour[c];
        }
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

SequentialTime sequentialRhf(std::span<const float> planes, Extent size, const RhfDefaults& parameters) {
  SequentialRhf filter(planes, size, parameters);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  SequentialTime time;
  const uint32_t middle = size.height / 2;
  for (; time.rows < size.height && time.ms < enoughMs; ++time.rows) {
    // Rows from the middle downwards, then from the top.
    filter.row(static_cast<int>((middle + time.rows) % size.height));
    time.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  time.ms *= static_cast<double>(size.height) / time.rows;
  return time;
}

}  // namespace lacuna
