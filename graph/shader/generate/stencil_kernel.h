#pragma once
// A stencil's kernel weights, as text.

#include <algorithm>
#include <cmath>

#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {

class StencilKernel {
 public:
  static constexpr const char* noWeight = "-1e30";  // log2 of a weight of 0 that stays finite under addition

  explicit StencilKernel(const StencilContext& context)
      : radius_(context.radius()), circular_(context.stencil().support == Support::circular) {
    for (const float w : context.stencil().weights) {
      weights_.push_back(w);
    }
    weights_.resize(static_cast<size_t>(context.taps()), 1.0);
  }

  std::string weight(int i) const { return literal(at(i)); }
  // Bodies don't ask for it where a weight is below 0 (body_forbidden.cpp).
  std::string log2(int i) const { return at(i) > 0 ? literal(std::log2(at(i))) : noWeight; }

  // Whether there is a tap in column i and row j. One of weight 0 is none.
  bool hasTap(int i, int j) const {
    const int dx = i - radius_, dy = j - radius_;
    return j >= 0 && j <= 2 * radius_ && at(i) != 0 && at(j) != 0 &&
           (!circular_ || dx * dx + dy * dy <= radius_ * radius_);
  }

  bool circular() const { return circular_; }
  // All weights are one number, and not 0.
  bool isUniform() const {
    return !hasZero() && std::count(weights_.begin(), weights_.end(), weights_.front()) ==
                             static_cast<std::ptrdiff_t>(weights_.size());
  }
  bool hasZero() const { return std::count(weights_.begin(), weights_.end(), 0.0) > 0; }

 private:
  double at(int i) const { return weights_[static_cast<size_t>(i)]; }

  int radius_;
  bool circular_;
  std::vector<double> weights_;
};

}  // namespace lacuna
