#include "tests/references/noise_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace lacuna::test {
namespace {

constexpr int rowCount = 64;  // of brightness, two an octave from 2^-20
constexpr int binCount = 32;  // of residual over brightness, two an octave from 2^-12

struct Histogram {
  std::array<std::array<double, binCount>, rowCount> counts{};
  double negative = 0.0;
};

// A row whose median residual is known.
struct Point {
  double brightness = 0.0;
  double deviation = 0.0;
  double pixels = 0.0;

  double excess() const { return deviation / brightness; }
};

struct Line {
  double base = 0.0;
  double power = 0.0;
  double cost = 0.0;
};

int halfOctave(double value, int octavesBelow, int count) {
  return static_cast<int>(std::clamp(std::floor(2.0 * (std::log2(value) + octavesBelow)), 0.0, count - 1.0));
}

void count(const Picture& in, int x, int y, Histogram& histogram) {
  const int channel = (x + y) % 3;
  double sum = 0.0;
  double total = 0.0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      if (in.contains(x + i, y + j)) {
        sum += spline[i + 2] * spline[j + 2] * in.at(x + i, y + j)[channel];
        total += spline[i + 2] * spline[j + 2];
      }
    }
  }
  const double residual = in.at(x, y)[channel] - sum / total;
  // Uncorrelated with the residual in white noise: covariance 0.0659, variance 0.7935.
  const double mean = sum / total - 0.083 * residual;
  if (mean < 0.0) {
    histogram.negative += 1.0;
  } else if (mean > 0.0) {
    const double ratio = std::max(std::abs(residual) / mean, 1e-30);
    const auto row = static_cast<size_t>(halfOctave(mean, 20, rowCount));
    histogram.counts[row][static_cast<size_t>(halfOctave(ratio, 12, binCount))] += 1.0;
  }
}

constexpr int blockWidth = 32, blockHeight = 12, mostBlocks = 2048;

// The blocks that count, row by row: all, or one of each of 2048 equal parts, chosen by a hash.
std::vector<int> countedBlocks(int blocks) {
  const int taken = std::min(blocks, mostBlocks);
  std::vector<int> counted;
  for (int64_t i = 0; i < taken; ++i) {
    const int64_t first = i * blocks / taken, next = (i + 1) * blocks / taken;
    const uint32_t hash = static_cast<uint32_t>(i) * 2654435761U >> 16U;
    counted.push_back(static_cast<int>(first + hash % (next - first)));
  }
  return counted;
}

void countBlock(const Picture& in, int left, int top, Histogram& histogram) {
  for (int y = top; y < std::min(top + blockHeight, in.height); ++y)
    for (int x = left; x < std::min(left + blockWidth, in.width); ++x)
      count(in, x, y, histogram);
}

std::optional<Point> medianOf(const Histogram& histogram, size_t row) {
  double total = 0.0;
  for (const double n : histogram.counts[row])
    total += n;
  double below = 0.0;
  for (size_t bin = 0; bin + 1 < binCount; ++bin) {
    const double here = histogram.counts[row][bin];
    if (here > 0.0 && below + here >= 0.5 * total) {
      const double position = static_cast<double>(bin) + (0.5 * total - below) / here;
      const double brightness = std::exp2(0.5 * (static_cast<double>(row) + 0.5) - 20.0);
      // The median of absolute values is 0.6745 of a standard deviation, the spline's residual 0.8907.
      return Point{brightness, brightness * std::exp2(0.5 * position - 12.0) / (0.6745 * 0.8907), total};
    }
    below += here;
  }
  return std::nullopt;
}

double errorWeight(double error) {
  return error > 0.0 ? 0.25 : 0.75;
}

// Which values are known to be missing, or assumed.
enum class Cut { nowhere, belowZero, bounded };

// Logarithm of the deviation before values were clipped.
double logDeviation(const Point& point, Cut cut) {
  const double beyond = std::max(point.excess() - 1.1, 0.0) / 0.32;
  const double factor = cut == Cut::nowhere ? 1.0
                        : cut == Cut::belowZero
                            ? 1.0 + 0.45 * beyond * beyond
                            : std::pow(std::max(0.287 / std::max(1.42 - point.excess(), 0.01), 1.0), 0.32);
  return std::log(point.deviation) + std::log(factor);
}

Line fitLine(const std::vector<Point>& points, double offset, Cut cut) {
  Line line;
  for (int round = 0; round < 6; ++round) {
    double s = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (const Point& point : points) {
      const double u = std::log(point.brightness + offset);
      const double v = logDeviation(point, cut);
      const double error = v - line.base - line.power * u;
      const double w =
          point.pixels * (round == 0 ? 1.0 : errorWeight(error) / std::max(std::abs(error), 0.03));
      s += w;
      x += w * u;
      y += w * v;
      xx += w * u * u;
      xy += w * u * v;
    }
    const double spread = s * xx - x * x;
    line.power = spread > 1e-6 * s * s ? std::clamp((s * xy - x * y) / spread, 0.0, 0.6) : 0.0;
    line.base = (y - line.power * x) / s;
  }
  for (const Point& point : points) {
    const double u = std::log(point.brightness + offset);
    const double error = logDeviation(point, cut) - line.base - line.power * u;
    line.cost += point.pixels * errorWeight(error) * std::abs(error);
  }
  return line;
}

// If noise is larger than the brightness, values fall below zero unless they were clipped.
bool mayBeCut(const std::vector<Point>& points, double negative) {
  double dark = 0.0;
  for (const Point& point : points) {
    dark += point.excess() > 1.0 ? point.pixels : 0.0;
    negative += point.excess() > 1.7 ? point.pixels : 0.0;
  }
  return negative < 0.01 * dark;
}

double meanBrightness(const std::vector<Point>& points) {
  double sum = 0.0;
  double pixels = 0.0;
  for (const Point& point : points) {
    sum += point.pixels * point.brightness;
    pixels += point.pixels;
  }
  return sum / pixels;
}

// Of normal noise of standard deviation 1 around u, clipped at zero.
double meanAboveZero(double u) {
  return u * 0.5 * std::erfc(-u / std::sqrt(2.0)) +
         std::exp(-0.5 * u * u) / std::sqrt(2.0 * 3.14159265358979);
}

// From 0 to `high`, by bisection.
template <typename MeanOf>
double whereMeanIs(double mean, double high, const MeanOf& meanOf) {
  double low = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (meanOf(middle) < mean ? low : high) = middle;
  }
  return low;
}

}  // namespace

NoiseCurve estimatedCurve(const Picture& input, bool isBounded) {
  Histogram histogram;
  const int across = (input.width + blockWidth - 1) / blockWidth;
  const int down = (input.height + blockHeight - 1) / blockHeight;
  for (const int block : countedBlocks(across * down))
    countBlock(input, blockWidth * (block % across), blockHeight * (block / across), histogram);
  std::vector<Point> points;
  for (size_t row = 0; row < rowCount; ++row)
    if (const auto point = medianOf(histogram, row))
      points.push_back(*point);
  const bool mayBe = isBounded || mayBeCut(points, histogram.negative);
  const double centre = meanBrightness(points);
  std::erase_if(points, [&](const Point& point) {
    return (mayBe && point.excess() > 1.42) || (isBounded && point.deviation > 1.0 - point.brightness);
  });
  NoiseCurve best;
  double least = std::numeric_limits<double>::infinity();
  for (const Cut cut : {Cut::nowhere, Cut::belowZero, Cut::bounded}) {
    const bool isCut = cut != Cut::nowhere;
    const bool isTried = isBounded ? cut == Cut::bounded : cut != Cut::bounded && (mayBe || !isCut);
    for (int k = 0; k < 32 && isTried && !points.empty(); ++k) {
      const double offset = centre * std::exp2(0.5 * k - 12.0);
      const Line line = fitLine(points, offset, cut);
      const double cost = line.cost / (isCut ? 0.85 : 1.0);
      if (cost < least) {
        least = cost;
        best = {std::exp(line.base) * std::pow(1.0 + offset, line.power), line.power, offset,
                isCut ? 1.0 : 0.0};
      }
    }
  }
  return best;
}

double stabilised(const NoiseCurve& curve, double x) {
  const double p = 1.0 - curve.power;
  const double scale = std::pow(1.0 + curve.offset, curve.power) / p;
  return std::copysign((std::pow(std::abs(x) + curve.offset, p) - std::pow(curve.offset, p)) * scale, x);
}

double restored(const NoiseCurve& curve, double v) {
  const double p = 1.0 - curve.power;
  const double scale = std::pow(1.0 + curve.offset, curve.power) / p;
  return std::copysign(std::pow(std::abs(v) / scale + std::pow(curve.offset, p), 1.0 / p) - curve.offset, v);
}

double unclipped(const NoiseCurve& curve, double v) {
  const double mean = v / curve.noise;
  return v < 0.0 ? v : curve.noise * whereMeanIs(mean, std::max(mean, 0.0), meanAboveZero);
}

double unclippedBetween(const NoiseCurve& curve, double v) {
  const double white = stabilised(curve, 1.0) / curve.noise;
  return curve.noise * whereMeanIs(v / curve.noise, white,
                                   [&](double u) { return meanAboveZero(u) - meanAboveZero(u - white); });
}

}  // namespace lacuna::test
