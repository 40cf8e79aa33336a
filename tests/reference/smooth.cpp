#include "tests/reference/smooth.h"

#include <cmath>
#include <numbers>

namespace lacuna::test {
namespace {

class Square {
 public:
  Square(const Picture& input, int radius, Border border, const SquareWeight& weight)
      : input_(input), radius_(radius), border_(border) {
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        weights_.push_back(weight(dx, dy));
  }

  bool keeps(int x, int y) const {
    return border_ == Border::validOnly &&
           !(input_.contains(x - radius_, y - radius_) && input_.contains(x + radius_, y + radius_));
  }

  // Means of the first `components` components.
  void mean(int x, int y, int components, double* mean, double* size) const {
    double sum = 0.0;
    for (int dy = -radius_; dy <= radius_; ++dy) {
      for (int dx = -radius_; dx <= radius_; ++dx) {
        const auto column = standIn(x + dx, input_.width, border_);
        const auto row = standIn(y + dy, input_.height, border_);
        if (!column || !row)
          continue;
        const double w = weights_[static_cast<size_t>((dy + radius_) * (2 * radius_ + 1) + dx + radius_)];
        const double* v = input_.at(*column, *row);
        for (int c = 0; c < components; ++c) {
          mean[c] += w * v[c];
          size[c] += w * std::abs(v[c]);
        }
        sum += w;
      }
    }
    for (int c = 0; c < components; ++c) {
      mean[c] /= sum;
      size[c] /= sum;
    }
  }

 private:
  const Picture& input_;
  int radius_;
  Border border_;
  std::vector<double> weights_;
};

}  // namespace

Smoothed smoothed(const Picture& input, int radius, Border border, const SquareWeight& weight) {
  const Square square(input, radius, border, weight);
  const int filtered = std::min(input.components, 3);
  Smoothed result{Picture(input.width, input.height, input.components),
                  Picture(input.width, input.height, input.components)};
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const int from = square.keeps(x, y) ? 0 : filtered;
      square.mean(x, y, from, result.mean.at(x, y), result.size.at(x, y));
      std::copy(input.at(x, y) + from, input.at(x, y) + input.components, result.mean.at(x, y) + from);
    }
  }
  return result;
}

Smoothed smoothedAgain(const Picture& input, int radius, Border border, const SquareWeight& weight,
                       int iterations) {
  Picture mean = input;
  Picture size = input;
  for (double& value : size.values)
    value = std::abs(value);
  Smoothed once;
  for (int i = 0; i < iterations; ++i) {
    once = smoothed(mean, radius, border, weight);
    mean = std::move(once.mean);
    size = smoothed(size, radius, border, weight).mean;
  }
  for (size_t i = 0; i < size.values.size(); ++i)
    size.values[i] *= once.size.values[i] == 0.0 ? 0.0 : iterations;
  return {std::move(mean), std::move(size)};
}

double boxWeight(int, int) {
  return 1.0;
}

SquareWeight gaussianWeight(double sigma) {
  return [variance = sigma * sigma](int dx, int dy) {
    return std::exp(-(dx * dx + dy * dy) / (2.0 * variance)) / (2.0 * std::numbers::pi * variance);
  };
}

}  // namespace lacuna::test
