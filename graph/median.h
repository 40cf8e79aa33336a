#pragma once
// The median of measurements.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lacuna {

// The median; for an even number of values the upper one of the middle two. Needs: at least one value.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lacuna
