#pragma once
// Windows so wide that their taps are loops in the shader (StencilUse::loops).

#include <algorithm>

namespace lacuna {

constexpr int mostUnrolled = 50;      // taps of a window
constexpr int mostGathers = 300;      // of a thread, all its pixels together
constexpr int mostLineGathers = 150;  // of rows and columns, whose filters weigh each channel alone

// How many of `count` columns each turn of the loop takes, of threads of so many pixels: 24 gathers at most,
// so that threads of many pixels, whose rows stand in the code one by one, don't take compilers long; and so
// that few columns are left behind the loop.
constexpr int tapsTogether(int count, int pixels) {
  const int most = std::clamp(24 / pixels, 2, 8);
  int best = (most + 1) / 2;
  for (int together = best + 1; together <= most; ++together) {
    best = count % together <= count % best ? together : best;
  }
  return best;
}

}  // namespace lacuna
