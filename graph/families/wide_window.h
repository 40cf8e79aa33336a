#pragma once
// Windows so wide that their taps are loops in the shader: unrolled, compilers take minutes for them, and
// they run no faster (graph/shader/README.md has figures).

#include <algorithm>

namespace lacuna {

constexpr int mostUnrolled = 50;  // taps of a window

constexpr bool isWide(int radius) {
  return (2 * radius + 1) * (2 * radius + 1) > mostUnrolled;
}

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

// The number of a row's taps that a thread holds at a time.
constexpr int tapsAtATime(int radius, int pixels) {
  return isWide(radius) ? tapsTogether(2 * radius + 1, pixels) : 2 * radius + 1;
}

}  // namespace lacuna
