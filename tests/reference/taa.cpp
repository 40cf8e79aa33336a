#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/reference/svgf_surface.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

constexpr double largestHalf = 65504.0;
using Rgb = std::array<double, 3>;

Rgb toned(const double* c) {
  const double scale = 1.0 / (1.0 + std::max(svgfLuminance(c), 0.0));
  return {c[0] * scale, c[1] * scale, c[2] * scale};
}
Rgb untoned(const Rgb& t) {
  const double scale = 1.0 / std::max(1.0 - std::max(svgfLuminance(t.data()), 0.0), 1.0 / largestHalf);
  return {t[0] * scale, t[1] * scale, t[2] * scale};
}
Rgb toYCoCg(const Rgb& c) {
  return {c[0] / 4 + c[1] / 2 + c[2] / 4, c[0] / 2 - c[2] / 2, -c[0] / 4 + c[1] / 2 - c[2] / 4};
}
Rgb fromYCoCg(const Rgb& y) {
  return {y[0] + y[1] - y[2], y[0] + y[2], y[0] - y[1] - y[2]};
}

bool isFinite(const double* rgb) {
  return std::all_of(rgb, rgb + 3, [](double c) { return std::isfinite(c); });
}

struct Box {
  Rgb mean{}, deviation{};
  int count = 0;
};

Box boxAround(const Picture& colour, int x, int y) {
  Box box;
  Rgb squares{};
  for (int k = 0; k < 9; ++k) {
    const int i = x + k % 3 - 1;
    const int j = y + k / 3 - 1;
    if (!colour.contains(i, j) || !isFinite(colour.at(i, j))) {
      continue;
    }
    const Rgb v = toYCoCg(toned(colour.at(i, j)));
    ++box.count;
    for (size_t c = 0; c < 3; ++c) {
      box.mean[c] += v[c];
      squares[c] += v[c] * v[c];
    }
  }
  for (size_t c = 0; c < 3 && box.count > 0; ++c) {
    box.mean[c] /= box.count;
    box.deviation[c] = std::sqrt(std::max(squares[c] / box.count - box.mean[c] * box.mean[c], 0.0));
  }
  return box;
}

// Of the nearest of 3x3 pixels.
const double* motionOf(const Picture& motion, const std::optional<Picture>& depth, int x, int y) {
  const double* found = motion.at(x, y);
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 9 && depth; ++k) {
    const int i = x + k % 3 - 1;
    const int j = y + k / 3 - 1;
    if (depth->contains(i, j) && *depth->at(i, j) < nearest) {
      nearest = *depth->at(i, j);
      found = motion.at(i, j);
    }
  }
  return found;
}

// Catmull-Rom's weights of the taps -1 to 2.
std::array<double, 4> cubic(double t) {
  return {-t / 2 + t * t - t * t * t / 2, 1 - 5 * t * t / 2 + 3 * t * t * t / 2,
          t / 2 + 2 * t * t - 3 * t * t * t / 2, -t * t / 2 + t * t * t / 2};
}

void clip(Rgb& y, const Box& box, double gamma) {
  double u = 0.0;
  for (size_t c = 0; c < 3; ++c) {
    u = std::max(u, std::abs((y[c] - box.mean[c]) / std::max(gamma * box.deviation[c], 1e-6)));
  }
  for (size_t c = 0; c < 3 && u > 1.0 && box.count > 0; ++c) {
    y[c] = box.mean[c] + (y[c] - box.mean[c]) / u;
  }
}

}  // namespace

void TaaReference::readHistory(double x, double y, double* rgb) const {
  const int first = parameters_.catmullRom ? -1 : 0;
  const int last = parameters_.catmullRom ? 2 : 1;
  const double tx = x - std::floor(x);
  const double ty = y - std::floor(y);
  const auto weight = [&](double t, int k) {
    return parameters_.catmullRom ? cubic(t)[static_cast<size_t>(k + 1)] : (k == 0 ? 1.0 - t : t);
  };
  std::fill(rgb, rgb + 3, 0.0);
  for (int j = first; j <= last; ++j) {
    for (int i = first; i <= last; ++i) {
      const int column = std::clamp(static_cast<int>(std::floor(x)) + i, 0, output_->width - 1);
      const int row = std::clamp(static_cast<int>(std::floor(y)) + j, 0, output_->height - 1);
      for (int c = 0; c < 3; ++c) {
        rgb[c] += weight(tx, i) * weight(ty, j) * output_->at(column, row)[c];
      }
    }
  }
  for (int c = 0; c < 3 && parameters_.catmullRom; ++c) {
    rgb[c] = std::max(rgb[c], 0.0);
  }
}

Picture TaaReference::next(const Picture& colour, const Picture& motion,
                           const std::optional<Picture>& depth) {
  Picture out = colour;
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      const Box box = boxAround(colour, x, y);
      const bool missing = !isFinite(colour.at(x, y));
      const double* m = motionOf(motion, depth, x, y);
      const double px = x + m[0];
      const double py = y + m[1];
      Rgb result{};
      if (output_ && px >= -0.5 && px <= colour.width - 0.5 && py >= -0.5 && py <= colour.height - 0.5) {
        double history[3];
        readHistory(px, py, history);
        Rgb value = toYCoCg(toned(history));
        clip(value, box, parameters_.gamma);
        Rgb t = fromYCoCg(value);
        for (size_t c = 0; c < 3 && !missing; ++c) {
          t[c] += parameters_.blend * (toned(colour.at(x, y))[c] - t[c]);
        }
        result = untoned(t);
        std::for_each(result.begin(), result.end(),
                      [](double& c) { c = std::clamp(c, -largestHalf, largestHalf); });
      } else if (!missing) {
        std::copy_n(colour.at(x, y), 3, result.begin());
      } else if (box.count > 0) {
        result = untoned(fromYCoCg(box.mean));
      }
      std::copy(result.begin(), result.end(), out.at(x, y));
    }
  }
  output_ = out;
  return out;
}

}  // namespace lacuna::test
