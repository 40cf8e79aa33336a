#include "tests/references/eaw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lacuna::test {
namespace {

// Factors of edges and of thresholds for the opponent colours.
constexpr double colourEdges = 0.58;
constexpr double colourThresholds = 2.8;

// For brightness (or red) and for colours: the standard deviations to which weights are relative.
using Edges = std::array<double, 3>;

double squaredDistance(const double* a, const double* b, const Edges& edges) {
  double sum = 0.0;
  for (size_t c = 0; c < 3; ++c)
    sum += std::pow((a[c] - b[c]) / edges[c], 2.0);
  return sum;
}

// Normalised weighted mean over the taps inside the image; alpha stays.
void filterPixel(const Picture& in, int x, int y, int dilation, const Edges& edges, double* out) {
  const double* centre = in.at(x, y);
  double sum[3] = {};
  double total = 0.0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      if (in.contains(x + i * dilation, y + j * dilation)) {
        const double* tap = in.at(x + i * dilation, y + j * dilation);
        const double weight =
            spline[i + 2] * spline[j + 2] * std::exp(-squaredDistance(tap, centre, edges) / 2.0);
        total += weight;
        for (int c = 0; c < 3; ++c)
          sum[c] += weight * tap[c];
      }
    }
  }
  for (int c = 0; c < 3; ++c)
    out[c] = sum[c] / total;
  out[3] = centre[3];
}

// The noise of a state's components.
double noiseOfState(const EawParameters& p) {
  return p.curve.noise / (p.isStabilised() ? std::sqrt(3.0) : 1.0);
}

// Relative to white noise.
double noiseOfLevel(const EawParameters& p, size_t level, size_t component) {
  const LevelNoise& noise = p.levelNoise;
  if (!p.isStabilised())
    return 1.0;
  return component == 0 ? (level == 0 ? noise.fine : noise.coarse)
                        : (level == 0 ? noise.colourFine : noise.colourCoarse);
}

// If colours aren't separated from brightness they count in full, so noise and edges are wider.
Edges edgesOf(const EawParameters& p, size_t level) {
  const double apart = p.isStabilised() ? 1.0 : std::sqrt(3.0 / (1.0 + 2.0 * colourEdges * colourEdges));
  Edges edges{};
  for (size_t component = 0; component < 3; ++component) {
    edges[component] =
        apart * p.edges[level] * std::max(noiseOfState(p), 1e-6) * noiseOfLevel(p, level, component);
  }
  return edges;
}

double threshold(const EawParameters& p, size_t level, size_t component) {
  const bool isColour = p.isStabilised() && component > 0;
  return p.thresholds[level] * noiseOfState(p) * noiseOfLevel(p, level, component) *
         (isColour ? colourEdges * colourThresholds : 1.0);
}

// Brightness, red against blue, both against green: an orthonormal transform over the square root of three,
// and less of the colours.
void toOpponent(double* c) {
  const double r = c[0], g = c[1], b = c[2];
  c[0] = (r + g + b) / 3.0;
  c[1] = colourEdges * (r - b) / std::sqrt(6.0);
  c[2] = colourEdges * (r - 2.0 * g + b) / std::sqrt(18.0);
}

void fromOpponent(double* c) {
  const double y = c[0], u = c[1] / colourEdges * std::sqrt(1.5), v = c[2] / colourEdges * std::sqrt(0.5);
  c[0] = y + u + v;
  c[1] = y - 2.0 * v;
  c[2] = y - u + v;
}

template <typename Change>
Picture forEachColour(Picture picture, const Change& change) {
  for (size_t i = 0; i < picture.values.size(); i += 4)
    change(&picture.values[i]);
  return picture;
}

std::string list(const char* name, const std::array<double, 8>& values) {
  std::string text = fmt::format("param:eaw:01:{}", name);
  for (const double value : values)
    text += fmt::format(":{:.6f}", value);
  return text + "\n";
}

}  // namespace

std::string EawParameters::text() const {
  return fmt::format("param:eaw:01:levels:{}\nparam:eaw:01:precision:{}\n", levels, name(precision)) +
         fmt::format("param:eaw:01:noise:{:.6f}\nparam:eaw:01:noise_power:{:.6f}\n", curve.noise,
                     curve.power) +
         fmt::format("param:eaw:01:noise_offset:{:.6f}\nparam:eaw:01:clipped:{}\n", curve.offset,
                     curve.clipped) +
         fmt::format("param:eaw:01:bounded:{}\n", bounded) +
         fmt::format("param:eaw:01:fine:{:.6f}\nparam:eaw:01:coarse:{:.6f}\n", levelNoise.fine,
                     levelNoise.coarse) +
         fmt::format("param:eaw:01:colour_fine:{:.6f}\nparam:eaw:01:colour_coarse:{:.6f}\n",
                     levelNoise.colourFine, levelNoise.colourCoarse) +
         list("edges", edges) + list("thresholds", thresholds) + list("gains", gains);
}

std::vector<Picture> eawLevels(const Picture& input, const EawParameters& p) {
  std::vector<Picture> levels = {input};
  if (p.isStabilised()) {
    levels.front() = forEachColour(input, [&](double* c) {
      std::transform(c, c + 3, c, [&](double x) { return stabilised(p.curve, x); });
      toOpponent(c);
    });
  }
  roundTo(levels.front(), p.precision);
  for (int level = 0; level < p.levels; ++level) {
    const Picture& fine = levels.back();
    const Edges edges = edgesOf(p, static_cast<size_t>(level));
    Picture coarse(fine.width, fine.height, 4);
    for (int y = 0; y < fine.height; ++y)
      for (int x = 0; x < fine.width; ++x)
        filterPixel(fine, x, y, 1 << level, edges, coarse.at(x, y));
    roundTo(coarse, p.precision);
    levels.push_back(std::move(coarse));
  }
  return levels;
}

Picture eawSynthesis(const std::vector<Picture>& levels, const EawParameters& p) {
  Picture out = levels.back();
  for (size_t level = 0; level + 1 < levels.size(); ++level) {
    for (size_t i = 0; i < out.values.size(); ++i) {
      const double detail = levels[level].values[i] - levels[level + 1].values[i];
      const double kept = std::max(std::abs(detail) - threshold(p, level, i % 4), 0.0);
      out.values[i] += i % 4 == 3 ? 0.0 : std::copysign(kept, detail) * p.gains[level];
    }
  }
  return out;
}

Picture eawOutput(const Picture& sum, const EawParameters& p) {
  if (!p.isStabilised())
    return sum;
  return forEachColour(sum, [&](double* c) {
    fromOpponent(c);
    std::transform(c, c + 3, c, [&](double v) {
      return restored(p.curve, p.bounded               ? unclippedBetween(p.curve, v)
                               : p.curve.clipped > 0.0 ? unclipped(p.curve, v)
                                                       : v);
    });
  });
}

}  // namespace lacuna::test
