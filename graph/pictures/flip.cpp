#include "graph/pictures/flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "graph/parallel.h"

namespace lacuna {
namespace flip {
namespace {

using Plane = std::vector<float>;
using Colour = std::array<double, 3>;
using Kernel = std::vector<double>;  // of 2 radius + 1 taps

// Rec. 709 to XYZ. White is what it makes of 1 1 1.
constexpr std::array<Colour, 3> xyzFromRgb = {{{0.4123907993, 0.3575843394, 0.1804807884},
                                               {0.2126390059, 0.7151686788, 0.0721923154},
                                               {0.0193308187, 0.1191947798, 0.9505321522}}};
constexpr std::array<Colour, 3> rgbFromXyz = {{{3.2409699419, -1.5373831776, -0.4986107603},
                                               {-0.9692436363, 1.8759675015, 0.0415550574},
                                               {0.0556300797, -0.2039769589, 1.0569715142}}};

Colour times(const std::array<Colour, 3>& m, const Colour& v) {
  Colour result{};
  for (size_t i = 0; i < 3; ++i)
    result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return result;
}

// XYZ over that of white.
Colour relativeXyz(const Colour& rgb) {
  const Colour white = times(xyzFromRgb, {1, 1, 1}), xyz = times(xyzFromRgb, rgb);
  return {xyz[0] / white[0], xyz[1] / white[1], xyz[2] / white[2]};
}

// Opponent colours that are linear, so that they can be blurred (4.1).
Colour opponentOf(const Colour& rgb) {
  const Colour v = relativeXyz(rgb);
  return {116 * v[1] - 16, 500 * (v[0] - v[1]), 200 * (v[1] - v[2])};
}

Colour rgbOf(const Colour& opponent) {
  const Colour white = times(xyzFromRgb, {1, 1, 1});
  const double y = (opponent[0] + 16) / 116;
  return times(rgbFromXyz,
               {(opponent[1] / 500 + y) * white[0], y * white[1], (y - opponent[2] / 200) * white[2]});
}

// CIE L*a*b*, with less colour where it is dark: Hunt's effect (4.2).
Colour huntOf(const Colour& rgb) {
  constexpr double delta = 6.0 / 29;
  const auto f = [](double t) {
    return t > delta * delta * delta ? std::cbrt(t) : t / (3 * delta * delta) + 4.0 / 29;
  };
  const Colour v = relativeXyz(rgb);
  const double light = 116 * f(v[1]) - 16;
  return {light, 0.01 * light * 500 * (f(v[0]) - f(v[1])), 0.01 * light * 200 * (f(v[1]) - f(v[2]))};
}

double distance(const Colour& a, const Colour& b) {  // HyAB
  return std::abs(a[0] - b[0]) + std::hypot(a[1] - b[1], a[2] - b[2]);
}

// 0 to 1, most of it for the smaller distances (4.3).
double colourError(const Colour& a, const Colour& b) {
  constexpr double power = 0.7, share = 0.4, most = 0.95;
  static const double largest = std::pow(distance(huntOf({0, 1, 0}), huntOf({0, 0, 1})), power);
  const double error = std::pow(distance(a, b), power), bend = share * largest;
  return error < bend ? error * most / bend : most + (error - bend) / (largest - bend) * (1 - most);
}

int radiusOf(double deviation) {
  return static_cast<int>(std::ceil(3 * deviation));
}

template <class Weight>
Kernel kernelOf(int radius, const Weight& weight) {
  Kernel kernel;
  for (int x = -radius; x <= radius; ++x)
    kernel.push_back(weight(static_cast<double>(x)));
  return kernel;
}

// Positive and negative weights sum up to 1 and -1.
Kernel normalized(Kernel kernel) {
  double above = 0, below = 0;
  for (const double w : kernel)
    (w > 0 ? above : below) += std::abs(w);
  for (double& w : kernel)
    w /= w > 0 ? above : below > 0 ? below : 1;
  return kernel;
}

// Rows by `across`, then columns by `down`; beyond borders their pixels are repeated.
Plane filtered(const Plane& plane, Extent extent, const Kernel& across, const Kernel& down) {
  const int width = static_cast<int>(extent.width), height = static_cast<int>(extent.height);
  const int rx = static_cast<int>(across.size() / 2), ry = static_cast<int>(down.size() / 2);
  const auto at = [&](int x, int y) {
    return static_cast<size_t>(y) * extent.width + static_cast<size_t>(x);
  };
  Plane rows(plane.size()), result(plane.size());
  inParallel(extent.height, [&](size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int t = -rx; t <= rx; ++t)
        sum += across[static_cast<size_t>(t + rx)] * plane[at(std::clamp(x + t, 0, width - 1), y)];
      rows[at(x, y)] = static_cast<float>(sum);
    }
  });
  inParallel(extent.height, [&](size_t row) {
    const int y = static_cast<int>(row);
    std::vector<double> sums(extent.width);
    for (int t = -ry; t <= ry; ++t) {
      const float* from = rows.data() + at(0, std::clamp(y + t, 0, height - 1));
      for (size_t x = 0; x < sums.size(); ++x)
        sums[x] += down[static_cast<size_t>(t + ry)] * from[x];
    }
    for (int x = 0; x < width; ++x)
      result[at(x, y)] = static_cast<float>(sums[static_cast<size_t>(x)]);
  });
  return result;
}

// A contrast sensitivity as Gaussians of frequency: a exp(-b f^2), whose transform is one of degrees (4.1).
struct Gaussian {
  double a, b;
};
const std::array<std::vector<Gaussian>, 3>& sensitivities() {
  static const std::array<std::vector<Gaussian>, 3> all = {
      {{{1, 0.0047}}, {{1, 0.0053}}, {{34.1, 0.04}, {13.5, 0.025}}}};
  return all;
}

Plane blurred(const Plane& plane, Extent extent, const std::vector<Gaussian>& gaussians,
              double pixelsPerDegree) {
  constexpr double pi = std::numbers::pi, widest = 0.04;
  const int radius = radiusOf(std::sqrt(widest / (2 * pi * pi)) * pixelsPerDegree);
  Plane sum(plane.size());
  double total = 0;
  std::vector<std::pair<double, Kernel>> parts;
  for (const Gaussian& g : gaussians) {
    const Kernel kernel = kernelOf(radius, [&](double x) {
      const double degrees = x / pixelsPerDegree;
      return std::exp(-pi * pi * degrees * degrees / g.b);
    });
    const double weight = g.a * std::sqrt(pi / g.b),
                 mass = std::accumulate(kernel.begin(), kernel.end(), 0.0);
    total += weight * mass * mass;
    parts.emplace_back(weight, kernel);
  }
  for (const auto& [weight, kernel] : parts) {
    const Plane part = filtered(plane, extent, kernel, kernel);
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += static_cast<float>(weight / total) * part[i];
  }
  return sum;
}

// A picture as a viewer sees it: colours, and the strength of edges and points.
struct Seen {
  std::array<Plane, 3> colour;  // as huntOf()
  Plane edges, points;
};

Plane magnitude(const Plane& luminance, Extent extent, const Kernel& derivative, const Kernel& gaussian) {
  Plane across = filtered(luminance, extent, derivative, gaussian);
  const Plane down = filtered(luminance, extent, gaussian, derivative);
  for (size_t i = 0; i < across.size(); ++i)
    across[i] = std::hypot(across[i], down[i]);
  return across;
}

// Derivatives of a Gaussian whose width is the smallest that the eye can distinguish (5).
void findFeatures(const Plane& opponentLuminance, Extent extent, double pixelsPerDegree, Seen& seen) {
  constexpr double width = 0.082;  // degrees
  const double deviation = 0.5 * width * pixelsPerDegree, square = deviation * deviation;
  const int radius = radiusOf(deviation);
  const auto gauss = [&](double x) { return std::exp(-x * x / (2 * square)); };
  const Kernel gaussian = normalized(kernelOf(radius, gauss));
  Plane luminance = opponentLuminance;
  for (float& v : luminance)
    v = (v + 16) / 116;
  seen.edges = magnitude(luminance, extent,
                         normalized(kernelOf(radius, [&](double x) { return -x * gauss(x); })), gaussian);
  seen.points = magnitude(
      luminance, extent,
      normalized(kernelOf(radius, [&](double x) { return (x * x / square - 1) * gauss(x); })), gaussian);
}

Seen look(const ColourImage& image, double pixelsPerDegree) {
  const size_t count = image.rgb.size() / 3;
  Seen seen;
  for (Plane& plane : seen.colour)
    plane.resize(count);
  const auto onScreen = [&](size_t i) {
    const float v = image.rgb[i];
    return v > 0.0F ? std::min<double>(v, 1.0) : 0.0;  // NaN: 0
  };
  const auto each = [&](const auto& work) {
    inParallel(image.extent.height, [&](size_t y) {
      for (size_t i = y * image.extent.width; i < (y + 1) * image.extent.width; ++i) {
        const Colour result = work(i);
        for (size_t c = 0; c < 3; ++c)
          seen.colour[c][i] = static_cast<float>(result[c]);
      }
    });
  };
  each([&](size_t i) { return opponentOf({onScreen(3 * i), onScreen(3 * i + 1), onScreen(3 * i + 2)}); });
  findFeatures(seen.colour[0], image.extent, pixelsPerDegree, seen);
  for (size_t c = 0; c < 3; ++c)
    seen.colour[c] = blurred(seen.colour[c], image.extent, sensitivities()[c], pixelsPerDegree);
  each([&](size_t i) {
    Colour rgb = rgbOf({seen.colour[0][i], seen.colour[1][i], seen.colour[2][i]});
    for (double& v : rgb)
      v = std::clamp(v, 0.0, 1.0);
    return huntOf(rgb);
  });
  return seen;
}

}  // namespace
}  // namespace flip

double meanFlip(const ColourImage& a, const ColourImage& b, double pixelsPerDegree) {
  using namespace flip;
  const Seen first = look(a, pixelsPerDegree), second = look(b, pixelsPerDegree);
  const size_t width = a.extent.width;
  std::vector<double> rows(a.extent.height);
  const auto colourAt = [](const Seen& s, size_t i) {
    return Colour{s.colour[0][i], s.colour[1][i], s.colour[2][i]};
  };
  inParallel(rows.size(), [&](size_t y) {
    for (size_t i = y * width; i < (y + 1) * width; ++i) {
      const double feature =
          std::max(std::abs(first.edges[i] - second.edges[i]), std::abs(first.points[i] - second.points[i]));
      const double share = std::sqrt(feature / std::numbers::sqrt2);
      rows[y] += std::pow(colourError(colourAt(first, i), colourAt(second, i)), 1 - share);
    }
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(width * a.extent.height);
}

}  // namespace lacuna
