#include "tests/reference/svgf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/reference/svgf_surface.h"

namespace lacuna::test {
namespace {

constexpr double kernel[5] = {1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16};
constexpr double leastWeight = 0x1p-40;  // smaller ones are 0
constexpr int longEnough = 4;            // frames whose variance is trusted

double dotOf(const SvgfSurface& a, const SvgfSurface& b) {
  return a.normal[0] * b.normal[0] + a.normal[1] * b.normal[1] + a.normal[2] * b.normal[2];
}

}  // namespace

std::string SvgfParameters::text() const {
  return fmt::format(
      "param:svgf:01:levels:{}\nparam:svgf:01:history:{}\n"
      "param:svgf:01:sigma_luminance:{:.9f}\nparam:svgf:01:sigma_normal:{:.9f}\nparam:svgf:01:sigma_depth:{:."
      "9f}\n"
      "param:svgf:01:depth_tolerance:{:.9f}\nparam:svgf:01:normal_tolerance:{:.9f}\n"
      "param:svgf:01:firefly:{:.9f}\nparam:svgf:01:cut_share:{:.9f}\nparam:svgf:01:precision:{}\n",
      levels, history, sigmaLuminance, sigmaNormal, sigmaDepth, depthTolerance, normalTolerance, firefly,
      cutShare, name(precision));
}

// Step 4, without camera cuts.
SvgfReference::Carried SvgfReference::carried(const SvgfFrame& frame, int x, int y) const {
  Carried sum;
  const float px = static_cast<float>(x + frame.motion.at(x, y)[0]);
  const float py = static_cast<float>(y + frame.motion.at(x, y)[1]);
  if (first_ || !frame.hasMotion ||
      !(px > -1.0F && px < static_cast<float>(width_) && py > -1.0F && py < static_cast<float>(height_)))
    return sum;
  const SvgfSurface& p = surfaces_[static_cast<size_t>(at(x, y))];
  const double fx = px - std::floor(px);
  const double fy = py - std::floor(py);
  double weights[4];
  int taps[4];
  double total = 0.0;
  for (int k = 0; k < 4; ++k) {
    const int i = static_cast<int>(std::floor(px)) + k % 2;
    const int j = static_cast<int>(std::floor(py)) + k / 2;
    weights[k] = 0.0;
    taps[k] = 0;
    if (!state_.contains(i, j))
      continue;
    taps[k] = at(i, j);
    const SvgfSurface& q = earlierSurfaces_[static_cast<size_t>(taps[k])];
    const double allowed = parameters_.depthTolerance * std::abs(p.depth) + 2.0 * p.slope;
    if (earlierMoments_[static_cast<size_t>(taps[k])].length > 0 && std::abs(q.depth - p.depth) <= allowed &&
        dotOf(p, q) >= parameters_.normalTolerance && p.id == q.id) {
      weights[k] = (k % 2 == 0 ? 1.0 - fx : fx) * (k / 2 == 0 ? 1.0 - fy : fy);
      total += weights[k];
    }
  }
  if (!(total > 0.01))
    return sum;
  double length = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double w = weights[k] / total;
    const Moments& m = earlierMoments_[static_cast<size_t>(taps[k])];
    for (int c = 0; c < 3; ++c)
      sum.colour[c] += w == 0.0 ? 0.0 : w * history_.values[static_cast<size_t>(4 * taps[k] + c)];
    sum.mean += w * m.mean;
    length += w * m.length;
  }
  for (int k = 0; k < 4; ++k) {
    const Moments& m = earlierMoments_[static_cast<size_t>(taps[k])];
    sum.variance +=
        weights[k] / total * (m.deviation * m.deviation + (m.mean - sum.mean) * (m.mean - sum.mean));
  }
  sum.length = static_cast<int>(std::floor(length + 0.513));
  sum.any = true;
  return sum;
}

// Step 3.
bool SvgfReference::isCut(const SvgfFrame& frame) const {
  int failed = 0;
  int all = 0;
  for (int y = 0; y < (height_ + 7) / 8; ++y) {
    for (int x = 0; x < (width_ + 7) / 8; ++x) {
      ++all;
      failed += carried(frame, std::min(8 * x + 4, width_ - 1), std::min(8 * y + 4, height_ - 1)).any ? 0 : 1;
    }
  }
  return frame.cut || failed > parameters_.cutShare * all;
}

// Step 5.
void SvgfReference::accumulate(const SvgfFrame& frame, const Picture& demodulated) {
  wasCut_ = isCut(frame);
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const Carried past = wasCut_ ? Carried{} : carried(frame, x, y);
      const double* colour = demodulated.at(x, y);
      const bool missing = colour[3] != 0.0;
      const double l = missing ? 0.0 : svgfLuminance(colour);
      const int length =
          past.any ? std::min(past.length + (missing ? 0 : 1), parameters_.history) : (missing ? 0 : 1);
      // The new frame's part, which is everything if there is no history.
      const double a = missing ? 0.0 : past.any ? 1.0 / length : 1.0;
      const double step = l - past.mean;
      const double variance = past.any ? (1.0 - a) * (past.variance + a * step * step) : 0.0;
      Moments& m = moments_[static_cast<size_t>(at(x, y))];
      m.length = length;
      m.mean = rounded(past.mean + a * step, parameters_.precision);
      double* out = state_.at(x, y);
      for (int c = 0; c < 3; ++c)
        out[c] = past.colour[c] + (missing ? 0.0 : a * (colour[c] - past.colour[c]));
      const double deviation = std::min(std::sqrt(variance), svgfLargest(parameters_.precision));
      m.deviation = rounded(deviation, parameters_.precision);
      out[3] = length >= longEnough ? deviation / std::sqrt(length) : -1.0;
    }
  }
  settle(state_);
}

// To the format in which states are kept.
void SvgfReference::settle(Picture& state) const {
  roundTo(state, parameters_.precision);
  for (double& each : state.values)
    each = jittered(each);
}

double SvgfReference::jittered(double value) const {
  return jitter_ > 0.0 ? value * std::uniform_real_distribution(1.0 - jitter_, 1.0 + jitter_)(random_)
                       : value;
}

double SvgfReference::edgeWeight(int p, int q, int dilation, double steps) const {
  const SvgfSurface& a = surfaces_[static_cast<size_t>(p)];
  const SvgfSurface& b = surfaces_[static_cast<size_t>(q)];
  const double normals = parameters_.sigmaNormal * std::log(std::max(jittered(dotOf(a, b)), 1e-6));
  const double allowed = parameters_.sigmaDepth * a.slope * dilation * steps;
  return std::exp(p == q ? normals : normals - std::abs(b.depth - a.depth) / allowed);
}

// Step 6 where the history is long.
void SvgfReference::blurDeviation(int x, int y, double* out) const {
  double sum = 0.0;
  double total = 0.0;
  for (int j = -1; j <= 1; ++j) {
    for (int i = -1; i <= 1; ++i) {
      if (!state_.contains(x + i, y + j))
        continue;
      const double s = state_.at(x + i, y + j)[3];
      const double k = (2.0 - std::abs(i)) * (2.0 - std::abs(j)) / 16.0;
      sum += s >= 0.0 ? k * s * s : 0.0;
      total += s >= 0.0 ? k : 0.0;
    }
  }
  out[3] = std::sqrt(sum / total);
}

// Step 6 for short history: from the 7x7 pixels around (x, y), row by row, weighted by normal and depth; 0 if
// none counts.
std::vector<double> SvgfReference::weightsAround(int x, int y) const {
  std::vector<double> weights(49, 0.0);
  for (int k = 0; k < 49; ++k) {
    const int i = k % 7 - 3;
    const int j = k / 7 - 3;
    if (state_.contains(x + i, y + j) && moments_[static_cast<size_t>(at(x + i, y + j))].length > 0) {
      const double w = edgeWeight(at(x, y), at(x + i, y + j), 1, std::hypot(i, j));
      weights[static_cast<size_t>(k)] = w < leastWeight ? 0.0 : w;
    }
  }
  return weights;
}

// V of step 6.
double SvgfReference::noiseVariance(int x, int y, const std::vector<double>& weights) const {
  constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  double squares[4] = {};
  double pairs[4] = {};
  for (int d = 0; d < 4; ++d) {
    for (int k = 0; k < 49; ++k) {
      const int i = k % 7 + steps[d][0];
      const int j = k / 7 + steps[d][1];
      if (i < 0 || i > 6 || j > 6)
        continue;
      const double w = weights[static_cast<size_t>(k)] * weights[static_cast<size_t>(7 * j + i)];
      if (w > 0.0) {
        const double difference = moments_[static_cast<size_t>(at(x + i - 3, y + j - 3))].mean -
                                  moments_[static_cast<size_t>(at(x + k % 7 - 3, y + k / 7 - 3))].mean;
        squares[d] += w * difference * difference;
        pairs[d] += w;
      }
    }
  }
  const double allSquares = std::accumulate(squares, squares + 4, 0.0);
  const double allPairs = std::accumulate(pairs, pairs + 4, 0.0);
  double least = allPairs > 0.0 ? HUGE_VAL : 0.0;
  for (int d = 0; d < 4 && allPairs > 0.0; ++d)
    least = std::min(least, (squares[d] + allSquares / 64) / (2.0 * (pairs[d] + allPairs / 64)));
  return least;
}

void SvgfReference::spatialVariance(int x, int y, double* out) const {
  const std::vector<double> weights = weightsAround(x, y);
  const int length = moments_[static_cast<size_t>(at(x, y))].length;
  double total = 0.0;
  double deviations = 0.0;
  double colour[3] = {};
  for (int k = 0; k < 49; ++k) {
    const double w = weights[static_cast<size_t>(k)];
    if (w > 0.0) {
      const int q = at(x + k % 7 - 3, y + k / 7 - 3);
      const double deviation = moments_[static_cast<size_t>(q)].deviation;
      total += w;
      deviations += w * deviation * deviation;
      for (int c = 0; c < 3; ++c)
        colour[c] += w * state_.values[static_cast<size_t>(4 * q + c)];
    }
  }
  const double variance = total > 0.0 ? noiseVariance(x, y, weights) + deviations / total : 0.0;
  out[3] = std::min(std::sqrt(variance * 4.0 / std::max(length, 1)), svgfLargest(parameters_.precision));
  for (int c = 0; c < 3 && length == 0; ++c)
    out[c] = total > 0.0 ? colour[c] / total : 0.0;
}

void SvgfReference::estimateVariance() {
  Picture next = state_;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x)
      if (state_.at(x, y)[3] >= 0.0)
        blurDeviation(x, y, next.at(x, y));
      else
        spatialVariance(x, y, next.at(x, y));
  }
  settle(next);
  state_ = std::move(next);
}

// Step 7.
void SvgfReference::filterLevel(int level) {
  const int dilation = 1 << level;
  Picture next(width_, height_, 4);
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const double* centre = state_.at(x, y);
      const double own = svgfLuminance(centre);
      const double allowed = parameters_.sigmaLuminance * centre[3] + 0.001 * std::abs(own) + 1e-6;
      double sum[4] = {};
      double total = 0.0;
      for (int k = 0; k < 25; ++k) {
        const int i = x + (k % 5 - 2) * dilation;
        const int j = y + (k / 5 - 2) * dilation;
        if (!state_.contains(i, j))
          continue;
        const double* tap = state_.at(i, j);
        const double steps = std::hypot(k % 5 - 2, k / 5 - 2);
        const double w = kernel[k % 5] * kernel[k / 5] * edgeWeight(at(x, y), at(i, j), dilation, steps) *
                         std::exp(-std::abs(svgfLuminance(tap) - own) / allowed);
        for (int c = 0; c < 3; ++c)
          sum[c] += w * tap[c];
        sum[3] += w * w * tap[3] * tap[3];
        total += w;
      }
      double* out = next.at(x, y);
      for (int c = 0; c < 3; ++c)
        out[c] = sum[c] / total;
      out[3] = std::min(std::sqrt(sum[3]) / total, svgfLargest(parameters_.precision));
    }
  }
  settle(next);
  state_ = std::move(next);
}

Picture SvgfReference::next(const SvgfFrame& frame) {
  width_ = frame.colour.width;
  height_ = frame.colour.height;
  earlierSurfaces_ = std::move(surfaces_);
  earlierMoments_ = std::move(moments_);
  surfaces_ = svgfSurfaces(frame, Emitters::turnedAround);
  moments_.assign(surfaces_.size(), {});
  if (first_)
    state_ = Picture(width_, height_, 4);
  accumulate(frame, svgfDemodulated(frame, parameters_.firefly, parameters_.precision));
  first_ = false;
  estimateVariance();
  for (int level = 0; level < parameters_.levels; ++level) {
    filterLevel(level);
    if (level == 0)
      history_ = state_;
  }
  Picture out(width_, height_, 4);
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      double d[3];
      svgfDivisor(frame.albedo.at(x, y), frame.colour.at(x, y), parameters_.precision, d);
      for (int c = 0; c < 3; ++c)
        out.at(x, y)[c] = state_.at(x, y)[c] * d[c];
      out.at(x, y)[3] = frame.colour.at(x, y)[3];
    }
  }
  return out;
}

}  // namespace lacuna::test
