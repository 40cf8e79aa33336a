#pragma once
// Searches in lists of things that have names; the median of measurements; the base of what can't be copied.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace lacuna {

struct NoCopy {
  NoCopy() = default;
  NoCopy(const NoCopy&) = delete;
  NoCopy& operator=(const NoCopy&) = delete;
};

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::ranges::find(list, value) != std::ranges::end(list);
}

// The first that is so; nullptr if there is none.
template <typename List, typename Is>
auto findWhere(List& list, const Is& is) -> decltype(&*list.begin()) {
  const auto found = std::ranges::find_if(list, is);
  return found == list.end() ? nullptr : &*found;
}

template <typename List, typename Name>
auto findNamed(List& list, const Name& name) {
  return findWhere(list, [&](const auto& each) { return each.name == name; });
}

inline constexpr auto keepAll = [](const auto&) { return true; };

template <typename List, typename Keeps = decltype(keepAll)>
std::vector<std::string> namesIn(const List& list, const Keeps& keeps = keepAll) {
  std::vector<std::string> names;
  for (const auto& each : list)
    if (keeps(each))
      names.emplace_back(each.name);
  return names;
}

// The median; for an even number of values the upper one of the middle two. Needs: at least one value.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lacuna
