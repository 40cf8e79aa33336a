#pragma once
// Windows so wide that their taps are loops in the shader: unrolled, compilers take minutes for them, and
// they run no faster (graph/shader/README.md has figures).

namespace lacuna {

constexpr int mostUnrolled = 50;  // taps of a window

constexpr bool isWide(int radius) {
  return (2 * radius + 1) * (2 * radius + 1) > mostUnrolled;
}

// How many of `count` columns each turn of the loop takes: few are left behind it.
constexpr int tapsTogether(int count) {
  int best = 4;
  for (int together = 5; together <= 8; ++together) {
    best = count % together <= count % best ? together : best;
  }
  return best;
}

// Of a row, how many taps a thread holds together.
constexpr int tapsAtATime(int radius) {
  return isWide(radius) ? tapsTogether(2 * radius + 1) : 2 * radius + 1;
}

}  // namespace lacuna
