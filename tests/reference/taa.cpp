#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/reference/device_float.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

using Rgb = DeviceRgb;

Rgb operator+(const Rgb& a, const Rgb& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Rgb operator-(const Rgb& a, const Rgb& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rgb operator*(const Rgb& a, const Rgb& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}
Rgb operator*(const DeviceFloat& a, const Rgb& b) {
  return Rgb{a, a, a} * b;
}
Rgb operator/(const Rgb& a, const DeviceFloat& b) {
  return {a[0] / b, a[1] / b, a[2] / b};
}

Rgb toned(const Rgb& c) {
  return c / (1.0 + max(deviceLuminance(c), 0.0));
}
Rgb untoned(const Rgb& t) {
  return t / max(1.0 - max(deviceLuminance(t), 0.0), DeviceFloat::nearest(1.0 / largestHalf));
}
Rgb toYCoCg(const Rgb& c) {
  return {0.25 * c[0] + 0.5 * c[1] + 0.25 * c[2], 0.5 * c[0] - 0.5 * c[2],
          -0.25 * c[0] + 0.5 * c[1] - 0.25 * c[2]};
}
Rgb fromYCoCg(const Rgb& y) {
  return {y[0] + y[1] - y[2], y[0] + y[2], y[0] - y[1] - y[2]};
}

Rgb colourAt(const Picture& picture, int x, int y) {
  const double* rgb = picture.at(x, y);
  return {rgb[0], rgb[1], rgb[2]};
}
bool isFinite(const Rgb& rgb) {
  return std::all_of(rgb.begin(), rgb.end(), [](const DeviceFloat& c) { return std::isfinite(c.value); });
}

struct Box {
  Rgb mean{}, deviation{};
  int count = 0;
};

// Y(T(c)) of all pixels.
std::vector<Rgb> tonedYCoCg(const Picture& colour) {
  std::vector<Rgb> values;
  for (int y = 0; y < colour.height; ++y)
    for (int x = 0; x < colour.width; ++x)
      values.push_back(toYCoCg(toned(colourAt(colour, x, y))));
  return values;
}

// `values`: tonedYCoCg of `colour`.
Box boxAround(const Picture& colour, const std::vector<Rgb>& values, int x, int y) {
  Box box;
  Rgb first{}, sum{}, squares{};
  for (int k = 0; k < 9; ++k) {
    const int i = x + k % 3 - 1;
    const int j = y + k / 3 - 1;
    if (!colour.contains(i, j) || !isFinite(colourAt(colour, i, j)))
      continue;
    const Rgb& v = values[static_cast<size_t>(j * colour.width + i)];
    if (box.count++ == 0) {
      first = v;  // its difference to itself is 0, without rounding
      continue;
    }
    sum = sum + (v - first);
    squares = squares + (v - first) * (v - first);
  }
  for (size_t c = 0; c < 3 && box.count > 0; ++c) {
    const DeviceFloat mean = sum[c] / box.count;
    box.mean[c] = first[c] + mean;
    box.deviation[c] = sqrt(max(squares[c] / box.count - mean * mean, 0.0));
  }
  return box;
}

// The motion of the nearest of 3x3 pixels.
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

using Weights = std::array<DeviceFloat, 4>;  // of the taps -1 to 2
Weights catmullRom(const DeviceFloat& t) {
  const DeviceFloat t2 = t * t;
  const DeviceFloat t3 = t2 * t;
  return {-0.5 * t + t2 - 0.5 * t3, 1.0 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2.0 * t2 - 1.5 * t3,
          -0.5 * t2 + 0.5 * t3};
}
Weights linear(const DeviceFloat& t) {
  return {0.0, 1.0 - t, t, 0.0};
}

Rgb historyAt(const Picture& last, double x, double y, bool sharp) {
  const auto weights = sharp ? catmullRom : linear;
  const Weights columns = weights(DeviceFloat(x) - std::floor(x));
  const Weights rows = weights(DeviceFloat(y) - std::floor(y));
  Rgb sum{};
  for (int k = 0; k < 16; ++k) {
    const int column = std::clamp(static_cast<int>(std::floor(x)) + k % 4 - 1, 0, last.width - 1);
    const int row = std::clamp(static_cast<int>(std::floor(y)) + k / 4 - 1, 0, last.height - 1);
    const auto i = static_cast<size_t>(k % 4);
    const auto j = static_cast<size_t>(k / 4);
    sum = sum + columns[i] * rows[j] * colourAt(last, column, row);
  }
  for (size_t c = 0; c < 3 && sharp; ++c)
    sum[c] = max(sum[c], 0.0);
  return sum;
}

Rgb clipped(const Rgb& y, const Box& box, const DeviceFloat& gamma) {
  DeviceFloat u = 1.0;
  for (size_t c = 0; c < 3 && box.count > 0; ++c)
    u = max(u, abs(y[c] - box.mean[c]) / max(gamma * box.deviation[c], DeviceFloat::nearest(1e-6)));
  return u.value + u.error <= 1.0 ? y : box.mean + (y - box.mean) / u;
}

}  // namespace

Picture TaaReference::next(const Picture& colour, const Picture& motion,
                           const std::optional<Picture>& depth) {
  const std::vector<Rgb> values = tonedYCoCg(colour);
  Picture out = colour;
  error_ = Picture(colour.width, colour.height, colour.components);
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      const double* m = motionOf(motion, depth, x, y);
      // Rounded to float, as in the README, because the presence of history is decided by it.
      const double px = static_cast<float>(x + m[0]);
      const double py = static_cast<float>(y + m[1]);
      const bool found =
          output_ && px >= -0.5 && px <= colour.width - 0.5 && py >= -0.5 && py <= colour.height - 0.5;
      const Box box = boxAround(colour, values, x, y);
      const Rgb own = colourAt(colour, x, y);
      Rgb result{};
      if (found) {
        Rgb t = fromYCoCg(clipped(toYCoCg(toned(historyAt(*output_, px, py, parameters_.catmullRom))), box,
                                  DeviceFloat::nearest(parameters_.gamma)));
        result = untoned(isFinite(own) ? t + DeviceFloat::nearest(parameters_.blend) * (toned(own) - t) : t);
      } else if (isFinite(own)) {
        result = own;
      } else if (box.count > 0) {
        result = untoned(fromYCoCg(box.mean));
      }
      for (size_t c = 0; c < 3; ++c) {
        out.at(x, y)[c] = found ? std::clamp(result[c].value, -largestHalf, largestHalf) : result[c].value;
        error_.at(x, y)[c] = result[c].error;
      }
    }
  }
  output_ = out;
  return out;
}

}  // namespace lacuna::test
