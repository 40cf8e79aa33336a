#include "tests/reference/bilateral.h"

#include <cmath>

#include "tests/reference/bilateral_colours.h"

namespace lacuna::test {
namespace {

bool isInside(const Colours& image, int x, int y, int reachX, int reachY) {
  return x >= reachX && y >= reachY && x + reachX < image.width && y + reachY < image.height;
}

class Filter {
 public:
  Filter(const Bilateral& filter, const Colours& input, const Colours& guide)
      : filter_(filter), input_(input), guide_(guide) {}

  // Pixels on either side of the window, by default `radius`.
  void reach(int x, int y) {
    reachX_ = x;
    reachY_ = y;
  }

  Colours run() const {
    Colours result = input_;
    for (int y = 0; y < input_.height; ++y) {
      for (int x = 0; x < input_.width; ++x)
        if (filter_.border != Border::validOnly || isInside(input_, x, y, reachX_, reachY_))
          result.at(x, y) = pixel(x, y);
    }
    return result;
  }

 private:
  Colour pixel(int x, int y) const {
    const int r = filter_.radius;
    Colour sum{};
    Colour weights{};
    for (int dy = -reachY_; dy <= reachY_; ++dy) {
      for (int dx = -reachX_; dx <= reachX_; ++dx) {
        const auto column = standIn(x + dx, input_.width, filter_.border);
        const auto row = standIn(y + dy, input_.height, filter_.border);
        if (!column || !row || (filter_.distance == Distance::opencv && dx * dx + dy * dy > r * r))
          continue;
        const double space = std::exp(-(dx * dx + dy * dy) / (2.0 * filter_.sigmaSpace * filter_.sigmaSpace));
        const Colour range = rangeWeights(guide_.at(x, y), guide_.at(*column, *row));
        for (size_t c = 0; c < 3; ++c) {
          sum[c] += space * range[c] * input_.at(*column, *row)[c];
          weights[c] += space * range[c];
        }
      }
    }
    return {sum[0] / weights[0], sum[1] / weights[1], sum[2] / weights[2]};
  }

  Colour rangeWeights(const Colour& a, const Colour& b) const {
    double l1 = 0.0;
    double squares = 0.0;
    Colour each{};
    const auto weight = [&](double squared) {
      return std::exp(-squared / (2.0 * filter_.sigmaRange * filter_.sigmaRange));
    };
    for (size_t c = 0; c < static_cast<size_t>(guide_.components); ++c) {
      l1 += std::abs(a[c] - b[c]);
      squares += (a[c] - b[c]) * (a[c] - b[c]);
      each[c] = weight((a[c] - b[c]) * (a[c] - b[c]));
    }
    if (filter_.distance == Distance::perChannel && guide_.components == input_.components)
      return each;
    const double all = weight(filter_.distance == Distance::opencv ? l1 * l1 : squares);
    return {all, all, all};
  }

  const Bilateral& filter_;
  const Colours& input_;
  const Colours& guide_;
  int reachX_ = filter_.radius;
  int reachY_ = filter_.radius;
};

void round(Colours& colours, Format format) {
  const double unit = isInteger(format) ? 255.0 : 1.0;
  for (Colour& colour : colours.values)
    for (double& v : colour)
      v = unit * rounded(v / unit, format);
}

// Integers are compared in levels, floats unchanged.
Bilateral inUnitOfEdges(Bilateral filter, const Stored& edges) {
  const bool isFloat = !isInteger(edges.type.format) && filter.distance != Distance::lab;
  filter.sigmaRange /= isFloat ? 255.0 : 1.0;
  return filter;
}

}  // namespace

Picture bilateral(const Bilateral& parameters, const Stored& input, const Stored* guide) {
  const bool lab = parameters.distance == Distance::lab;
  const Bilateral filter = inUnitOfEdges(parameters, guide != nullptr ? *guide : input);
  Colours colours = coloursOf(input, lab);
  const Colours fixed = guide != nullptr ? coloursOf(*guide, lab) : Colours{};
  for (int i = 0; i < filter.iterations; ++i) {
    if (i > 0 && !lab)
      round(colours, input.type.format);
    colours = Filter(filter, colours, guide != nullptr ? fixed : colours).run();
  }
  return pictureWith(colours, input, lab);
}

Picture bilateralSeparable(const Bilateral& parameters, const Stored& input, const Stored* guide) {
  const Bilateral filter = inUnitOfEdges(parameters, guide != nullptr ? *guide : input);
  const Colours original = coloursOf(input, false);
  const Colours fixed = guide != nullptr ? coloursOf(*guide, false) : Colours{};
  Filter across(filter, original, guide != nullptr ? fixed : original);
  across.reach(filter.radius, 0);
  const Colours rows = across.run();
  Filter down(filter, rows, guide != nullptr ? fixed : rows);
  down.reach(0, filter.radius);
  Colours result = down.run();
  for (int y = 0; y < result.height && filter.border == Border::validOnly; ++y) {
    for (int x = 0; x < result.width; ++x)
      if (!isInside(result, x, y, filter.radius, filter.radius))
        result.at(x, y) = original.at(x, y);
  }
  return pictureWith(result, input, false);
}

}  // namespace lacuna::test
