#include <algorithm>
#include <cmath>

#include "tests/reference/device_float.h"
#include "tests/reference/svgf_surface.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

bool isFinite(const double* rgb) {
  return std::all_of(rgb, rgb + 3, [](double c) { return std::isfinite(c); });
}

// The finite ones of the 8 neighbours, in order of rows and columns.
std::vector<const double*> neighbours(const Picture& picture, int x, int y) {
  std::vector<const double*> found;
  for (int k = 0; k < 9; ++k) {
    const int i = x + k % 3 - 1;
    const int j = y + k / 3 - 1;
    if (k != 4 && picture.contains(i, j) && isFinite(picture.at(i, j)))
      found.push_back(picture.at(i, j));
  }
  return found;
}

// In ascending order of luminance; equal ones keep their order.
std::vector<const double*> byLuminance(std::vector<const double*> pixels) {
  std::stable_sort(pixels.begin(), pixels.end(),
                   [](const double* a, const double* b) { return svgfLuminance(a) < svgfLuminance(b); });
  return pixels;
}

}  // namespace

std::vector<std::pair<int, int>> fireflyTies(const Picture& colour) {
  std::vector<std::pair<int, int>> ties;
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      const std::vector<const double*> around = byLuminance(neighbours(colour, x, y));
      if (isFinite(colour.at(x, y)) || around.empty())
        continue;
      const double* median = around[(around.size() - 1) / 2];
      const DeviceFloat own = deviceLuminance({median[0], median[1], median[2]});
      const auto isTie = [&](const double* q) {
        const DeviceFloat other = deviceLuminance({q[0], q[1], q[2]});
        return !std::equal(q, q + 3, median) && std::abs(other.value - own.value) <= other.error + own.error;
      };
      if (std::any_of(around.begin(), around.end(), isTie))
        ties.emplace_back(x, y);
    }
  }
  return ties;
}

Picture fireflyReference(const Picture& colour, double factor) {
  Picture out = colour;
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      const std::vector<const double*> around = byLuminance(neighbours(colour, x, y));
      double* rgb = out.at(x, y);
      if (!isFinite(rgb)) {
        for (int c = 0; c < 3; ++c)
          rgb[c] = around.empty() ? 0.0 : around[(around.size() - 1) / 2][c];
        continue;
      }
      const double brightest = around.empty() ? 0.0 : std::max(svgfLuminance(around.back()), 0.0);
      const double own = svgfLuminance(rgb);
      if (!around.empty() && own > factor * brightest)
        std::for_each_n(rgb, 3, [&](double& c) { c *= factor * brightest / own; });
    }
  }
  return out;
}

}  // namespace lacuna::test
