#include <algorithm>
#include <cmath>

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
    if (k != 4 && picture.contains(i, j) && isFinite(picture.at(i, j))) {
      found.push_back(picture.at(i, j));
    }
  }
  return found;
}

}  // namespace

Picture fireflyReference(const Picture& colour, double factor) {
  Picture out = colour;
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      std::vector<const double*> around = neighbours(colour, x, y);
      const auto darker = [](const double* a, const double* b) {
        return svgfLuminance(a) < svgfLuminance(b);
      };
      double* rgb = out.at(x, y);
      if (!isFinite(rgb)) {
        std::stable_sort(around.begin(), around.end(), darker);
        for (int c = 0; c < 3; ++c) {
          rgb[c] = around.empty() ? 0.0 : around[(around.size() - 1) / 2][c];
        }
        continue;
      }
      double brightest = 0.0;
      for (const double* q : around) {
        brightest = std::max(brightest, svgfLuminance(q));
      }
      const double own = svgfLuminance(rgb);
      if (!around.empty() && own > factor * brightest) {
        std::for_each_n(rgb, 3, [&](double& c) { c *= factor * brightest / own; });
      }
    }
  }
  return out;
}

}  // namespace lacuna::test
