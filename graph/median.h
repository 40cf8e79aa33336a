#pragma once
// The median of what was measured.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lacuna {

// The median; for an even number of values the upper one of the two in the middle. Needs: at least one value.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lacuna
