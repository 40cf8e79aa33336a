#pragma once
// Windows that are loops in the shader because they are wide (StencilUse::loops).

#include <algorithm>

namespace lacuna {

constexpr int mostUnrolled = 50;      // taps of a window
constexpr int mostGathers = 300;      // of a thread, all its pixels together
constexpr int mostLineGathers = 150;  // for rows and columns, whose filters weigh each channel separately

// The number of columns in each turn of the loop, of `count`, for threads of so many pixels: 24
// gathers at most, so that threads of many pixels compile fast and few columns remain behind the
// loop.
constexpr int tapsTogether(int count, int pixels) {
  const int most = std::clamp(24 / pixels, 2, 8);
  int best = (most + 1) / 2;
  for (int together = best + 1; together <= most; ++together) {
    best = count % together <= count % best ? together : best;
  }
  return best;
}

}  // namespace lacuna
