#include "tests/reference/eaw.h"

#include <fmt/format.h>

#include <cmath>

namespace lacuna::test {
namespace {

constexpr double spline[5] = {1.0 / 16, 1.0 / 4, 3.0 / 8, 1.0 / 4, 1.0 / 16};  // B3
constexpr int bins = 2048;
constexpr double binsPerOctave = 64.0;
constexpr double lowestOctave = -20.0;
constexpr double medianOfUnitNoise = 0.45034;

double luminance(const double* c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

double squaredDistance(const double* a, const double* b) {
  double sum = 0.0;
  for (int c = 0; c < 3; ++c) {
    sum += (a[c] - b[c]) * (a[c] - b[c]);
  }
  return sum;
}

// Normalised weighted mean over the taps inside the image; alpha stays.
void filterPixel(const Picture& in, int x, int y, int dilation, double sigma, double* out) {
  const double* centre = in.at(x, y);
  double sum[3] = {};
  double total = 0.0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      if (in.contains(x + i * dilation, y + j * dilation)) {
        const double* tap = in.at(x + i * dilation, y + j * dilation);
        const double weight =
            spline[i + 2] * spline[j + 2] * std::exp(-squaredDistance(tap, centre) / (2.0 * sigma * sigma));
        total += weight;
        for (int c = 0; c < 3; ++c) {
          sum[c] += weight * tap[c];
        }
      }
    }
  }
  for (int c = 0; c < 3; ++c) {
    out[c] = sum[c] / total;
  }
  out[3] = centre[3];
}

double residual(const Picture& in, int x, int y) {
  double sum = 0.0;
  double total = 0.0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      if (in.contains(x + i, y + j)) {
        sum += spline[i + 2] * spline[j + 2] * luminance(in.at(x + i, y + j));
        total += spline[i + 2] * spline[j + 2];
      }
    }
  }
  return std::abs(luminance(in.at(x, y)) - sum / total);
}

std::string list(const char* name, const std::array<double, 8>& values) {
  std::string text = fmt::format("param:eaw:01:{}", name);
  for (const double value : values) {
    text += fmt::format(":{:.6f}", value);
  }
  return text + "\n";
}

}  // namespace

std::string EawParameters::text() const {
  return fmt::format("param:eaw:01:levels:{}\nparam:eaw:01:noise:{:.6f}\nparam:eaw:01:precision:{}\n", levels,
                     noise, name(precision)) +
         list("edges", edges) + list("thresholds", thresholds) + list("gains", gains);
}

double estimatedNoise(const Picture& input, Format precision, double scale) {
  Picture state = input;
  roundTo(state, precision);
  std::vector<double> histogram(bins, 0.0);
  for (int y = 0; y < state.height; ++y) {
    for (int x = 0; x < state.width; ++x) {
      const double r = rounded(residual(state, x, y), precision) * scale;
      const double position = (std::log2(std::max(r, 1e-30)) - lowestOctave) * binsPerOctave;
      const int bin = std::min(std::max(static_cast<int>(position), 0), bins - 1);
      histogram[static_cast<size_t>(bin)] += 1.0;
    }
  }
  const double middle = 0.5 * state.width * state.height;
  double below = 0.0;
  int bin = 0;
  while (histogram[static_cast<size_t>(bin)] == 0.0 || below + histogram[static_cast<size_t>(bin)] < middle) {
    below += histogram[static_cast<size_t>(bin++)];
  }
  const double position = bin + (middle - below) / histogram[static_cast<size_t>(bin)];
  return std::exp2(position / binsPerOctave + lowestOctave) / medianOfUnitNoise;
}

std::vector<Picture> eawLevels(const Picture& input, const EawParameters& parameters, double noise) {
  std::vector<Picture> levels = {input};
  roundTo(levels.front(), parameters.precision);
  for (int level = 0; level < parameters.levels; ++level) {
    const Picture& fine = levels.back();
    const double sigma = parameters.edges[static_cast<size_t>(level)] * std::max(noise, 1e-6);
    Picture coarse(fine.width, fine.height, 4);
    for (int y = 0; y < fine.height; ++y) {
      for (int x = 0; x < fine.width; ++x) {
        filterPixel(fine, x, y, 1 << level, sigma, coarse.at(x, y));
      }
    }
    roundTo(coarse, parameters.precision);
    levels.push_back(std::move(coarse));
  }
  return levels;
}

Picture eawSynthesis(const std::vector<Picture>& levels, const EawParameters& parameters, double noise) {
  Picture out = levels.back();
  for (size_t level = 0; level + 1 < levels.size(); ++level) {
    for (size_t i = 0; i < out.values.size(); ++i) {
      const double detail = levels[level].values[i] - levels[level + 1].values[i];
      const double kept = std::max(std::abs(detail) - parameters.thresholds[level] * noise, 0.0);
      out.values[i] += i % 4 == 3 ? 0.0 : std::copysign(kept, detail) * parameters.gains[level];
    }
  }
  return out;
}

}  // namespace lacuna::test
