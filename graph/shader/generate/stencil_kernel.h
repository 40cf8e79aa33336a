#pragma once
// A stencil's kernel weights, as text.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {

// The kernel along one axis.
class StencilKernel {
 public:
  static constexpr const char* noWeight = "-1e30";  // log2 of a weight of 0 that stays finite under addition

  // `radius` is that of the axis; for lines across it, it is 0, and the only tap has weight 1.
  StencilKernel(const StencilContext& context, int radius)
      : radius_(radius), isTable_(context.stencil().weight && (radius > 0 || context.use().isSquare())) {
    if (radius > 0 || context.use().isSquare())
      weights_.assign(context.stencil().weights.begin(), context.stencil().weights.end());
    weights_.resize(static_cast<size_t>(2 * radius + 1), 1.0);
  }

  int radius() const { return radius_; }
  bool isTable() const { return isTable_; }  // found once a frame: array_kernel

  std::string weight(int i) const {
    return isTable_ ? fmt::format("array_kernel.data[{}]", i) : literal(at(i));
  }
  // Bodies can't use it if a weight is below 0 (body_forbidden.cpp).
  std::string log2(int i) const {
    return isTable_    ? fmt::format("log2OfWeight({})", weight(i))
           : at(i) > 0 ? literal(std::log2(at(i)))
                       : noWeight;
  }

  // Whether there is a tap in column or row i. Taps of weight 0 don't count.
  bool hasTap(int i) const { return i >= 0 && i <= 2 * radius_ && at(i) != 0; }
  // All weights are one number, and not 0.
  bool isUniform() const {
    return !isTable_ && !hasZero() &&
           std::count(weights_.begin(), weights_.end(), weights_.front()) ==
               static_cast<std::ptrdiff_t>(weights_.size());
  }
  bool hasZero() const { return std::count(weights_.begin(), weights_.end(), 0.0) > 0; }

 private:
  double at(int i) const { return weights_[static_cast<size_t>(i)]; }

  int radius_;
  bool isTable_;
  std::vector<double> weights_;
};

// The kernels of both axes.
struct StencilKernels {
  explicit StencilKernels(const StencilContext& context)
      : x(context, context.use().radiusX()),
        y(context, context.use().radiusY()),
        isCircular(context.use().window == Support::circular) {}

  // Whether there is a tap in column i and row j.
  bool hasTap(int i, int j) const {
    const int dx = i - x.radius(), dy = j - y.radius();
    return x.hasTap(i) && y.hasTap(j) && (!isCircular || dx * dx + dy * dy <= x.radius() * x.radius());
  }

  StencilKernel x, y;
  bool isCircular;
};

}  // namespace lacuna
