#pragma once
// The value of a pixel outside an image, step by step: the rules of modules/shared/border.glsl, in its order.

#include <algorithm>
#include <optional>

namespace lacuna::test {

enum class Border { reflect101, clamp, validOnly, zeroWeight };
inline const char* const borderNames[] = {"reflect-101", "clamp", "valid-only", "zero-weight"};

// The position inside [0, side) that replaces i; none if i has no weight. Not for validOnly, where pixels
// with taps outside are not filtered.
inline std::optional<int> standIn(int i, int side, Border border) {
  if (border == Border::clamp)
    return std::clamp(i, 0, side - 1);
  if (border == Border::zeroWeight)
    return i >= 0 && i < side ? std::optional(i) : std::nullopt;
  while (i < 0 || i >= side)
    i = side == 1 ? 0 : i < 0 ? -i : 2 * (side - 1) - i;
  return i;
}

}  // namespace lacuna::test
