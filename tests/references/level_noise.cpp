#include "tests/references/level_noise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna::test {
namespace {

constexpr int tilesAlongSide = 16;
constexpr int inner = 16;
constexpr int around = 14;  // reach of three levels
constexpr int side = inner + 2 * around;
// For unit white noise: deviations at levels 0, 1 and 2, and quantiles of tiles as in `squares`.
constexpr double whiteNoise[3] = {0.8907, 0.2007, 0.0855};
constexpr double lowOfWhite[4] = {0.9195, 0.8488, 0.9457, 0.7918};
constexpr double highOfWhite[4] = {0.9587, 0.9154, 0.9714, 0.8848};

struct Component {
  std::array<double, size_t{side} * side> values{};

  double& at(int x, int y) { return values[static_cast<size_t>(y) * side + static_cast<size_t>(x)]; }
  double at(int x, int y) const { return values[static_cast<size_t>(y) * side + static_cast<size_t>(x)]; }
};

// Without its border, which has no neighbours and is not used.
Component smoothed(const Component& in, int dilation) {
  Component out;
  const int border = 2 * dilation;
  for (int y = border; y < side - border; ++y) {
    for (int x = border; x < side - border; ++x) {
      double sum = 0.0;
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
          sum += spline[j + 2] * spline[i + 2] * in.at(x + i * dilation, y + j * dilation);
      out.at(x, y) = sum;
    }
  }
  return out;
}

// Mean squares of the details that levels 0 to 2 remove, relative to white noise.
std::array<double, 3> squaresOfLevels(Component fine) {
  std::array<double, 3> result{};
  for (int level = 0; level < 3; ++level) {
    const Component coarse = smoothed(fine, 1 << level);
    double sum = 0.0;
    for (int y = around; y < around + inner; ++y)
      for (int x = around; x < around + inner; ++x)
        sum += std::pow((fine.at(x, y) - coarse.at(x, y)) / whiteNoise[level], 2.0);
    result[static_cast<size_t>(level)] = sum / (inner * inner);
    fine = coarse;
  }
  return result;
}

NoiseTile tileAt(const Picture& input, const NoiseCurve& curve, int left, int top) {
  NoiseTile tile;
  std::array<Component, 3> components{};
  double means[3] = {};
  tile.least = 1e30;
  tile.greatest = -1e30;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      double v[3];
      for (int c = 0; c < 3; ++c)
        v[c] = stabilised(curve, input.at(left + x, top + y)[c]) / std::max(curve.noise, 1e-6);
      components[0].at(x, y) = (v[0] + v[1] + v[2]) / std::sqrt(3.0);
      components[1].at(x, y) = (v[0] - v[2]) / std::sqrt(2.0);
      components[2].at(x, y) = (v[0] - 2.0 * v[1] + v[2]) / std::sqrt(6.0);
      if (std::min(x, y) >= around && std::max(x, y) < around + inner) {
        for (int c = 0; c < 3; ++c) {
          means[c] += v[c] / (inner * inner);
          tile.least = std::min(tile.least, v[c]);
          tile.greatest = std::max(tile.greatest, v[c]);
        }
      }
    }
  }
  tile.darkest = *std::min_element(means, means + 3);
  tile.brightest = *std::max_element(means, means + 3);
  const auto brightness = squaresOfLevels(components[0]);
  const auto red = squaresOfLevels(components[1]);
  const auto green = squaresOfLevels(components[2]);
  tile.squares[0] = brightness[0];
  tile.squares[1] = brightness[1];
  tile.squares[2] = 0.5 * (red[0] + green[0]);
  tile.squares[3] = 0.5 * (red[2] + green[2]);
  return tile;
}

// Tiles with noise that isn't cut off at the picture's least or greatest value.
std::vector<NoiseTile> usableOf(const std::vector<NoiseTile>& tiles) {
  double least = 1e30, greatest = -1e30;
  for (const NoiseTile& tile : tiles) {
    least = std::min(least, tile.least);
    greatest = std::max(greatest, tile.greatest);
  }
  std::vector<NoiseTile> result;
  std::copy_if(tiles.begin(), tiles.end(), std::back_inserter(result), [&](const NoiseTile& tile) {
    return tile.squares[0] > 1e-3 && tile.darkest - 0.7 > least && tile.brightest + 0.7 < greatest;
  });
  return result;
}

double within(double value) {
  return std::clamp(value, 0.05, 8.0);
}

}  // namespace

std::vector<NoiseTile> noiseTiles(const Picture& input, const NoiseCurve& curve) {
  std::vector<NoiseTile> tiles;
  if (std::min(input.width, input.height) < side)
    return tiles;
  for (int row = 0; row < tilesAlongSide; ++row) {
    for (int column = 0; column < tilesAlongSide; ++column) {
      // Tiles are evenly spaced, from the middle of the first sixteenth of the picture.
      const auto placeOf = [](int i, int length) {
        return (2 * i + 1) * (length - side + 1) / (2 * tilesAlongSide);
      };
      tiles.push_back(tileAt(input, curve, placeOf(column, input.width), placeOf(row, input.height)));
    }
  }
  return tiles;
}

LevelNoise estimatedLevelNoise(const std::vector<NoiseTile>& tiles) {
  const std::vector<NoiseTile> usable = usableOf(tiles);
  if (usable.size() < 32)
    return {};
  double low[4], high[4], bare[4];
  for (int k = 0; k < 4; ++k) {
    std::vector<double> values;
    for (const NoiseTile& tile : usable)
      values.push_back(tile.squares[k]);
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double share) {
      return std::sqrt(values[static_cast<size_t>(share * static_cast<double>(values.size()))]);
    };
    low[k] = quantile(0.05) / lowOfWhite[k];
    high[k] = std::max(quantile(0.2) / highOfWhite[k], 1e-6);
    bare[k] = low[k] * low[k] / high[k];
  }
  LevelNoise noise;
  noise.colourFine = within(0.97 * high[2]);
  noise.colourCoarse = within(0.97 * bare[3]);
  const bool isWhite = low[2] > 0.2 && low[3] < 1.6 * low[2];
  // If all colours share their noise, their mean has the same noise.
  noise.fine = std::min(within(0.97 * high[0] * std::pow(std::min(low[0] / (0.75 * high[0]), 1.0), 3.0)),
                        isWhite ? 1.03 * noise.colourFine : std::sqrt(3.0));
  noise.coarse = std::clamp(0.95 * bare[1], 0.8 * noise.fine,
                            isWhite ? noise.fine : std::max(noise.fine, noise.colourCoarse));
  return noise;
}

}  // namespace lacuna::test
