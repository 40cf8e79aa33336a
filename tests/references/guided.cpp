#include "tests/references/guided.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lacuna::test {
namespace {

constexpr double snorm = 32767.0;
constexpr double farthest = 1e10;
constexpr double leastCosine = 1e-6;
constexpr double leastFalloff = 1e-4;

double luminance(const double* c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// Cigolle et al. 2014: the octahedron's lower half is folded outwards.
void decodeOctahedral(const double coordinates[2], double* normal) {
  const double u = coordinates[0];
  const double v = coordinates[1];
  double n[3] = {u, v, 1.0 - std::abs(u) - std::abs(v)};
  if (n[2] < 0.0) {
    n[0] = (1.0 - std::abs(v)) * (u >= 0.0 ? 1.0 : -1.0);
    n[1] = (1.0 - std::abs(u)) * (v >= 0.0 ? 1.0 : -1.0);
  }
  const double length = std::hypot(n[0], n[1], n[2]);
  for (int i = 0; i < 3; ++i)
    normal[i] = n[i] / length;
}

// Normal, of unit length after its quantisation, and depth.
Picture packedGeometry(const GuidedInput& input) {
  Picture geometry(input.colour.width, input.colour.height, 4);
  for (int y = 0; y < geometry.height; ++y) {
    for (int x = 0; x < geometry.width; ++x) {
      double coordinates[2];
      octahedral(input.normal.at(x, y), coordinates);
      for (double& c : coordinates)
        c = std::round(c) / snorm;
      decodeOctahedral(coordinates, geometry.at(x, y));
      const double depth = *input.depth.at(x, y);
      geometry.at(x, y)[3] = std::isnan(depth) ? farthest : std::clamp(depth, -farthest, farthest);
    }
  }
  return geometry;
}

struct GuidedFilter {
  const Picture& geometry;
  const GuidedParameters& parameters;
  int dilation = 1;

  // The weight of a tap i, j steps away by normals, and by the depth's difference relative to a slope in
  // proportion to the depth.
  double geometryWeight(int x, int y, int i, int j) const {
    const double* a = geometry.at(x, y);
    const double* b = geometry.at(x + i * dilation, y + j * dilation);
    const double cosine = std::max(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], leastCosine);
    const double steps = i == 0 && j == 0 ? 1.0 : std::hypot(i, j);
    const double allowed = (parameters.sigmaDepth * std::abs(a[3]) * dilation + leastFalloff) * steps;
    return std::pow(cosine, parameters.sigmaNormal) * std::exp(-std::abs(a[3] - b[3]) / allowed);
  }
  bool inside(int x, int y, int i, int j) const {
    return geometry.contains(x + i * dilation, y + j * dilation);
  }
};

// Luminance's standard deviation over 7x7 pixels, weighted by geometry, in place of alpha.
Picture withDeviation(const Picture& colour, const GuidedFilter& filter) {
  Picture out = colour;
  for (int y = 0; y < colour.height; ++y) {
    for (int x = 0; x < colour.width; ++x) {
      double sum = 0.0;
      double squares = 0.0;
      double total = 0.0;
      for (int j = -3; j <= 3; ++j) {
        for (int i = -3; i <= 3; ++i) {
          if (filter.inside(x, y, i, j)) {
            const double weight = filter.geometryWeight(x, y, i, j);
            const double l = luminance(colour.at(x + i, y + j));
            sum += weight * l;
            squares += weight * l * l;
            total += weight;
          }
        }
      }
      const double mean = sum / total;
      out.at(x, y)[3] = std::sqrt(std::max(squares / total - mean * mean, 0.0));
    }
  }
  return out;
}

void filterPixel(const Picture& in, const GuidedFilter& filter, int x, int y, double* out) {
  const double* centre = in.at(x, y);
  const double allowed = filter.parameters.sigmaLuminance * centre[3] + leastFalloff;
  double sum[4] = {};
  double total = 0.0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      if (filter.inside(x, y, i, j)) {
        const double* tap = in.at(x + i * filter.dilation, y + j * filter.dilation);
        const double difference = std::abs(luminance(tap) - luminance(centre));
        const double weight = spline[i + 2] * spline[j + 2] * filter.geometryWeight(x, y, i, j) *
                              std::exp(-difference / allowed);
        for (int c = 0; c < 3; ++c)
          sum[c] += weight * tap[c];
        sum[3] += weight * weight * tap[3] * tap[3];
        total += weight;
      }
    }
  }
  for (int c = 0; c < 3; ++c)
    out[c] = sum[c] / total;
  out[3] = std::sqrt(sum[3]) / total;
}

}  // namespace

std::string GuidedParameters::text() const {
  return fmt::format(
      "param:atrous-guided:01:levels:{}\nparam:atrous-guided:01:sigma_luminance:{:.6f}\n"
      "param:atrous-guided:01:sigma_normal:{:.6f}\nparam:atrous-guided:01:sigma_depth:{:.6f}\n"
      "param:atrous-guided:01:precision:{}\n",
      levels, sigmaLuminance, sigmaNormal, sigmaDepth, name(precision));
}

void octahedral(const double* n, double out[2]) {
  const double length1 = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
  if (!(length1 > 1e-20 && length1 < 1e20)) {
    out[0] = out[1] = 0.0;
    return;
  }
  const double u = n[0] / length1;
  const double v = n[1] / length1;
  const bool lower = n[2] < 0.0;
  out[0] = snorm * (lower ? (1.0 - std::abs(v)) * (u >= 0.0 ? 1.0 : -1.0) : u);
  out[1] = snorm * (lower ? (1.0 - std::abs(u)) * (v >= 0.0 ? 1.0 : -1.0) : v);
}

Picture guided(const GuidedInput& input, const GuidedParameters& parameters) {
  const Picture geometry = packedGeometry(input);
  Picture state = input.colour;
  roundTo(state, parameters.precision);
  state = withDeviation(state, {geometry, parameters});
  roundTo(state, parameters.precision);
  for (int level = 0; level < parameters.levels; ++level) {
    const GuidedFilter filter{geometry, parameters, 1 << level};
    Picture next(state.width, state.height, 4);
    for (int y = 0; y < state.height; ++y)
      for (int x = 0; x < state.width; ++x)
        filterPixel(state, filter, x, y, next.at(x, y));
    roundTo(next, parameters.precision);
    state = std::move(next);
  }
  for (size_t i = 3; i < state.values.size(); i += 4)
    state.values[i] = input.colour.values[i];
  return state;
}

}  // namespace lacuna::test
