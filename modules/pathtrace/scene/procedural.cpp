// Value noise on a lattice that repeats, and sums of its octaves (Perlin 1985, An Image Synthesizer, has both
// with gradients instead of values).

#include "pathtrace/scene/procedural.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lacuna::pathtrace {
namespace {

constexpr int size = 256;  // pixels a side
constexpr int lattice = 64;

class Noise {
 public:
  explicit Noise(RandomNumbers& random) {
    for (double& value : values_)
      value = random.between(0, 1);
  }
  // Noise in [0, 1] that repeats after `period` (a divisor of the lattice) in both directions.
  double at(double x, double y, int period) const {
    const double fx = std::floor(x), fy = std::floor(y);
    const double tx = smooth(x - fx), ty = smooth(y - fy);
    const auto value = [&](int dx, int dy) {
      const int column = wrap(static_cast<int>(fx) + dx, period),
                row = wrap(static_cast<int>(fy) + dy, period);
      return values_[static_cast<size_t>(row * lattice + column)];
    };
    const double above = value(0, 0) + tx * (value(1, 0) - value(0, 0));
    const double below = value(0, 1) + tx * (value(1, 1) - value(0, 1));
    return above + ty * (below - above);
  }
  // Octaves from `period` on, each half as strong; about [0, 1].
  double turbulence(double u, double v, int period) const {
    double sum = 0, weight = 0.5;
    for (; period <= lattice; period *= 2, weight /= 2)
      sum += weight * at(u * period, v * period, period);
    return sum;
  }

 private:
  static double smooth(double t) { return t * t * (3 - 2 * t); }
  static int wrap(int i, int period) { return ((i % period) + period) % period; }
  std::array<double, static_cast<size_t>(lattice) * lattice> values_{};
};

double marble(const Noise& noise, double u, double v) {
  const double x = 3 * u + 2 * v + 2 * noise.turbulence(u, v, 4);
  const double vein = 0.5 + 0.5 * std::sin(2 * std::numbers::pi * x);
  return vein * vein;
}

// Four boards, each with its own grain, and dark gaps between them.
double planks(const Noise& noise, double u, double v) {
  const double board = std::floor(4 * u);
  const double across = 4 * u - board;
  const double gap = std::min(across, 1 - across) < 0.03 ? 0.35 : 0.0;
  const double grain = noise.at(32 * u, 4 * v + 7 * board, 32);
  return std::min(
      0.35 * noise.at(board, 0, 4) + 0.5 * grain * grain + gap + 0.1 * noise.at(64 * u, 16 * v, 64), 1.0);
}

double weave(const Noise& noise, double u, double v) {
  const double across = std::abs(std::sin(16 * std::numbers::pi * u));
  const double down = std::abs(std::sin(16 * std::numbers::pi * v));
  const bool isOver = (static_cast<int>(16 * u) + static_cast<int>(16 * v)) % 2 == 0;
  return 0.75 * (isOver ? across : 1 - down) + 0.25 * noise.turbulence(u, v, 8);
}

double speckles(const Noise& noise, double u, double v) {
  const double height = noise.turbulence(u, v, 8);
  return std::clamp((height - 0.5) * 8 + 0.5, 0.0, 1.0);
}

double valueAt(Pattern pattern, const Noise& noise, double u, double v) {
  constexpr double (*patterns[patternCount])(const Noise&, double, double) = {marble, planks, weave,
                                                                              speckles};
  return patterns[static_cast<size_t>(pattern)](noise, u, v);
}

}  // namespace

Image drawPattern(Pattern pattern, const Vec3& first, const Vec3& second, RandomNumbers& random) {
  static const char* const names[patternCount] = {"(marble)", "(planks)", "(weave)", "(speckles)"};
  const Noise noise(random);
  Image image{names[static_cast<int>(pattern)], size, size, {}};
  image.pixels.reserve(static_cast<size_t>(size) * size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double t = valueAt(pattern, noise, (x + 0.5) / size, 1 - (y + 0.5) / size);
      const Vec3 c = first + (second - first) * std::clamp(t, 0.0, 1.0);
      image.pixels.push_back({static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)});
    }
  }
  return image;
}

}  // namespace lacuna::pathtrace
