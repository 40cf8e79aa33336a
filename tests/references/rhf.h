#pragma once
// Ray histogram fusion in double precision, from its definition: Delbracio, Musé, Buades, Chauvier, Phelps,
// Morel 2014, Boosting Monte Carlo Rendering by Ray Histogram Fusion, sections 3 and 4, with the conventions
// of its authors' program. We differ where the definition says nothing: numbers that aren't finite weigh
// nothing.

#include <vector>

#include "tests/references/picture.h"

namespace lacuna::test {

// `bins` of all colours, plane after plane; then a plane of the numbers of samples.
struct Histograms {
  int width = 0, height = 0, bins = 0;
  std::vector<float> values;

  Histograms(int w, int h, int n)
      : width(w),
        height(h),
        bins(n),
        values(static_cast<size_t>(w) * static_cast<size_t>(h) * (static_cast<size_t>(n) + 1)) {}
  size_t index(int plane, int x, int y) const {
    return (static_cast<size_t>(plane) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
               static_cast<size_t>(width) +
           static_cast<size_t>(x);
  }
  float& at(int plane, int x, int y) { return values[index(plane, x, y)]; }
  float at(int plane, int x, int y) const { return values[index(plane, x, y)]; }
};

struct RhfParameters {
  int search = 6, patch = 1, k = 2, scales = 2;
  double threshold = 0.8;
  bool blend = false;
  double gamma = 2.2, maximum = 2.5;
};

struct RhfResult {
  Picture picture;
  // How far rounding may move a pixel's components: by decisions that it changes, and in sums with brighter
  // pixels around.
  std::vector<double> doubt;
  // For each pixel, the share of its patches that are averaged only with others below the threshold.
  std::vector<double> support;
};

// `picture`: one, three or four components, alpha last.
RhfResult rhf(const Picture& picture, const Histograms& histograms, const RhfParameters& parameters);

// Blends pictures of three or four components.
Picture blended(const Picture& input, const RhfResult& filtered, const Histograms& histograms,
                const RhfParameters& parameters);

}  // namespace lacuna::test
