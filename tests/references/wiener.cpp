#include "tests/references/wiener.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lacuna::test {
namespace {

constexpr int blockSide = 8;
using Block = std::array<std::array<double, blockSide>, blockSide>;  // rows

double squared(double v) {
  return v * v;
}

// What noise cut off below 0 adds to the mean of light u, in standard deviations: pdf(u) - u (1 - cdf(u)).
double addedAtBound(double light) {
  const double u = std::max(light, 0.0);
  return std::exp(-0.5 * u * u) / std::sqrt(2.0 * std::numbers::pi) -
         u * 0.5 * std::erfc(u / std::numbers::sqrt2);
}

double addedToLight(double light, double white, const WienerParameters& p) {
  return p.bounded ? addedAtBound(light) - addedAtBound(white - light)
                   : p.curve.clipped * addedAtBound(light);
}

void setOpponent(const std::array<double, 3>& v, double* to, Format precision) {
  const auto [r, g, b] = v;
  to[0] = rounded((r + g + b) / std::sqrt(3.0), precision);
  to[1] = rounded((r - b) / std::sqrt(2.0), precision);
  to[2] = rounded((r - 2.0 * g + b) / std::sqrt(6.0), precision);
}

std::array<double, 3> colourOf(const std::array<double, 3>& v) {
  const double y = v[0] / std::sqrt(3.0), a = v[1] / std::sqrt(2.0), b = v[2] / std::sqrt(6.0);
  return {y + a + b, y - 2.0 * b, y - a + b};
}

int lastBlock(int length) {
  return std::max(length - blockSide, 0);
}

// One of each 2x2, as modules/wiener/match.glsl chooses it.
Place irregular(int column, int row) {
  if (column == 0 && row == 0)
    return {};
  uint32_t h =
      (static_cast<uint32_t>(column + 64) * 73856093U) ^ (static_cast<uint32_t>(row + 64) * 19349663U);
  h = (h ^ (h >> 13U)) * 1274126177U;
  h ^= h >> 16U;
  return {2 * column + static_cast<int>(h & 1U), 2 * row + static_cast<int>((h >> 8U) & 1U)};
}

// Where the picture is smaller than a block, its last column and row continue.
const double* continued(const Picture& picture, int x, int y) {
  return picture.at(std::min(x, picture.width - 1), std::min(y, picture.height - 1));
}

double basis(int u, int x) {
  return (u == 0 ? std::sqrt(1.0 / blockSide) : std::sqrt(2.0 / blockSide)) *
         std::cos((2 * x + 1) * u * std::numbers::pi / (2 * blockSide));
}

// Along one axis, or back.
Block transformed(const Block& in, bool alongRows, bool back) {
  static const Block table = [] {
    Block b;
    for (int u = 0; u < blockSide; ++u)
      for (int x = 0; x < blockSide; ++x)
        b[u][x] = basis(u, x);
    return b;
  }();
  Block out{};
  for (int i = 0; i < blockSide; ++i) {
    for (int u = 0; u < blockSide; ++u) {
      for (int x = 0; x < blockSide; ++x) {
        const double factor = back ? table[x][u] : table[u][x];
        (alongRows ? out[i][u] : out[u][i]) += factor * (alongRows ? in[i][x] : in[x][i]);
      }
    }
  }
  return out;
}

Block dct(const Block& block) {
  return transformed(transformed(block, false, false), true, false);
}

Block inverseDct(const Block& block) {
  return transformed(transformed(block, true, true), false, true);
}

// Sums of neighbours, then of those, and so on; differences behind them.
std::vector<double> haar(const std::vector<double>& v) {
  if (v.size() == 1)
    return v;
  std::vector<double> sums, differences;
  for (size_t i = 0; i < v.size(); i += 2) {
    sums.push_back((v[i] + v[i + 1]) / std::numbers::sqrt2);
    differences.push_back((v[i] - v[i + 1]) / std::numbers::sqrt2);
  }
  std::vector<double> result = haar(sums);
  result.insert(result.end(), differences.begin(), differences.end());
  return result;
}

std::vector<double> inverseHaar(const std::vector<double>& v) {
  if (v.size() == 1)
    return v;
  const size_t half = v.size() / 2;
  const std::vector<double> sums = inverseHaar({v.begin(), v.begin() + static_cast<ptrdiff_t>(half)});
  std::vector<double> result;
  for (size_t i = 0; i < half; ++i) {
    result.push_back((sums[i] + v[half + i]) / std::numbers::sqrt2);
    result.push_back((sums[i] - v[half + i]) / std::numbers::sqrt2);
  }
  return result;
}

// The response of a B3 spline.
double lowPass(int u) {
  return (6.0 + 8.0 * std::cos(std::numbers::pi * u / 8) + 2.0 * std::cos(std::numbers::pi * u / 4)) / 16.0;
}

double varianceAt(const WienerParameters& p, int plane, int u, int v) {
  const LevelNoise& n = p.levelNoise;
  const double fine = plane == 0 ? n.fine : n.colourFine, coarse = plane == 0 ? n.coarse : n.colourCoarse;
  const double d = 1.0 - lowPass(u) * lowPass(v);
  const double kept = plane == 0 ? std::pow(std::max(1.0, std::min(n.coarse, n.colourCoarse)), 1.5) : 1.0;
  return kept * squared(p.strength) * (squared(fine) * squared(d) + squared(coarse) * (1.0 - squared(d)));
}

std::vector<Block> coefficients(const Picture& planes, const std::vector<Place>& group, int plane) {
  std::vector<Block> blocks;
  for (const Place& place : group) {
    Block block;
    for (int y = 0; y < blockSide; ++y)
      for (int x = 0; x < blockSide; ++x)
        block[y][x] = continued(planes, place.x + x, place.y + y)[plane];
    blocks.push_back(dct(block));
  }
  return blocks;
}

std::vector<double> atFrequency(const std::vector<Block>& blocks, int u, int v) {
  std::vector<double> result;
  for (const Block& block : blocks)
    result.push_back(block[v][u]);
  return haar(result);
}

// The filtered blocks less the pilot's, and the sum of squared gains times variances over the mean's.
std::vector<Block> filtered(const WienerValues& values, const std::vector<Place>& group, int plane,
                            const WienerParameters& p, double& squares) {
  const std::vector<Block> pilot = coefficients(values.pilot, group, plane);
  std::vector<Block> noisy = coefficients(values.noisy, group, plane);
  squares = 0.0;
  for (int v = 0; v < blockSide; ++v) {
    for (int u = 0; u < blockSide; ++u) {
      const std::vector<double> basic = atFrequency(pilot, u, v);
      std::vector<double> own = atFrequency(noisy, u, v);
      const double variance = varianceAt(p, plane, u, v);
      for (size_t k = 0; k < own.size(); ++k) {
        const double gain = squared(basic[k]) / (squared(basic[k]) + variance);
        squares += squared(gain) * variance / varianceAt(p, plane, 0, 0);
        own[k] *= gain;
      }
      own = inverseHaar(own);
      for (size_t k = 0; k < own.size(); ++k)
        noisy[k][v][u] = own[k] - pilot[k][v][u];
    }
  }
  for (Block& block : noisy)
    block = inverseDct(block);
  return noisy;
}

double kaiser(int i) {
  constexpr double beta = 2.0;
  const double t = 2.0 * i / (blockSide - 1) - 1.0;
  return std::cyl_bessel_i(0.0, beta * std::sqrt(1.0 - t * t)) / std::cyl_bessel_i(0.0, beta);
}

}  // namespace

std::string WienerParameters::text() const {
  std::string text;
  const auto add = [&](const char* name, const auto& value) {
    text += fmt::format("param:wiener:01:{}:{}\n", name, value);
  };
  add("search", search);
  add("spacing", spacing);
  add("group", group);
  add("step", step);
  add("strength", strength);
  add("bounded", bounded);
  add("precision", name(precision));
  if (arrays)
    return text;
  add("noise", curve.noise);
  add("noise_power", curve.power);
  add("noise_offset", curve.offset);
  add("clipped", curve.clipped);
  add("fine", levelNoise.fine);
  add("coarse", levelNoise.coarse);
  add("colour_fine", levelNoise.colourFine);
  add("colour_coarse", levelNoise.colourCoarse);
  return text;
}

WienerValues wienerValues(const Picture& input, const Picture& pilot, const WienerParameters& p) {
  const Picture empty(input.width, input.height, 3);
  WienerValues values{empty, empty, empty};
  const double white = stabilised(p.curve, 1.0) / p.curve.noise;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      std::array<double, 3> basic{}, noisy{};
      const auto isFinite = [](double v) { return std::isfinite(v); };
      if (std::all_of(pilot.at(x, y), pilot.at(x, y) + 3, isFinite))
        for (size_t c = 0; c < 3; ++c)
          basic[c] = stabilised(p.curve, pilot.at(x, y)[c]) / p.curve.noise;
      noisy = basic;
      if (std::all_of(input.at(x, y), input.at(x, y) + 3, isFinite))
        for (size_t c = 0; c < 3; ++c)
          noisy[c] =
              stabilised(p.curve, input.at(x, y)[c]) / p.curve.noise - addedToLight(basic[c], white, p);
      setOpponent(basic, values.light.at(x, y), Format::f32);
      setOpponent(basic, values.pilot.at(x, y), p.precision);
      setOpponent(noisy, values.noisy.at(x, y), p.precision);
    }
  }
  return values;
}

std::vector<Place> firstBlocks(int width, int height, int step) {
  const auto along = [&](int length) {
    std::vector<int> corners;
    for (int i = 0; i < lastBlock(length); i += step)
      corners.push_back(i);
    corners.push_back(lastBlock(length));
    return corners;
  };
  std::vector<Place> places;
  for (const int y : along(height))
    for (const int x : along(width))
      places.push_back({x, y});
  return places;
}

Picture meansOfPilot(const WienerValues& values) {
  Picture means(values.pilot.width, values.pilot.height, 1);
  for (int y = 0; y < means.height; ++y) {
    for (int x = 0; x < means.width; ++x) {
      double sum = 0.0;
      for (int i = 0; i < 4; ++i)
        sum += continued(values.pilot, x + i % 2, y + i / 2)[0];
      means.at(x, y)[0] = rounded(sum / 4, Format::f16);
    }
  }
  return means;
}

std::vector<Candidate> candidates(const Picture& means, Place first, const WienerParameters& p) {
  std::vector<Candidate> found;
  const int cells = p.spacing == 1 ? p.search : (p.search - 1) / 2;
  for (int row = -cells; row <= cells; ++row) {
    for (int column = -cells; column <= cells; ++column) {
      const Place offset = p.spacing == 1 ? Place{column, row} : irregular(column, row);
      const Place place{first.x + offset.x, first.y + offset.y};
      if (place.x < 0 || place.y < 0 || place.x > lastBlock(means.width) || place.y > lastBlock(means.height))
        continue;
      double distance = 0.0;
      for (int y = 0; y < blockSide; y += 2)
        for (int x = 0; x < blockSide; x += 2)
          distance += squared(continued(means, place.x + x, place.y + y)[0] -
                              continued(means, first.x + x, first.y + y)[0]);
      found.push_back({place, distance});
    }
  }
  return found;
}

WienerResult wiener(const Picture& input, const WienerValues& values,
                    const std::vector<std::vector<Place>>& groups, const WienerParameters& p) {
  constexpr double mostDeviation = 16.0;
  Picture sums(input.width, input.height, 5);  // three deviations, weights, blocks
  for (const std::vector<Place>& group : groups) {
    double weight = 0.0;
    for (int plane = 0; plane < 3; ++plane) {
      double squares = 0.0;
      const std::vector<Block> blocks = filtered(values, group, plane, p, squares);
      if (plane == 0)
        weight = 4.0 / std::max(4.0, squares);
      for (size_t k = 0; k < group.size(); ++k) {
        for (int i = 0; i < blockSide * blockSide; ++i) {
          const int x = i % blockSide, y = i / blockSide;
          if (!sums.contains(group[k].x + x, group[k].y + y))
            continue;
          double* to = sums.at(group[k].x + x, group[k].y + y);
          const double w = weight * kaiser(x) * kaiser(y);
          to[plane] += w * std::clamp(blocks[k][y][x], -mostDeviation, mostDeviation);
          to[3] += plane == 0 ? w : 0.0;
          to[4] += plane == 0 ? 1.0 : 0.0;
        }
      }
    }
  }
  WienerResult result{input, Picture(input.width, input.height, 3)};
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double* sum = sums.at(x, y);
      std::array<double, 3> opponents{};
      double largest = 0.0;
      for (int c = 0; c < 3; ++c) {
        opponents[c] = values.light.at(x, y)[c] + sum[c] / sum[3];
        largest = std::max(largest, std::abs(sum[c] / sum[3]));
      }
      const std::array<double, 3> colour = colourOf(opponents);
      for (int c = 0; c < 3; ++c) {
        const double v = restored(p.curve, p.curve.noise * colour[c]);
        result.picture.at(x, y)[c] = p.bounded ? std::clamp(v, 0.0, 1.0) : v;
      }
      const double numbers[] = {sum[4], sum[3], largest};
      std::ranges::copy(numbers, result.sums.at(x, y));
    }
  }
  return result;
}

}  // namespace lacuna::test
