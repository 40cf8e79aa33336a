#pragma once
// The noise of each level relative to white noise of the curve, in double precision, as eaw estimates it from
// a picture whose neighbours share noise (demosaiced, scaled, JPEG).

#include "tests/references/noise_curve.h"

namespace lacuna::test {

struct LevelNoise {
  double fine = 1.0;    // of brightness, at level 0
  double coarse = 1.0;  // at all others
  double colourFine = 1.0;
  double colourCoarse = 1.0;
};

// Mean squares of the details that a level removes in a tile, relative to white noise, and the tile's values,
// in standard deviations of the noise.
struct NoiseTile {
  double squares[4] = {};  // brightness at levels 0 and 1, colours at 0 and 2
  double darkest = 0.0;    // of the means of red, green and blue
  double brightest = 0.0;
  double least = 0.0;  // of all values
  double greatest = 0.0;
};

// 16 by 16 of them; none if the picture is smaller than one and its surroundings.
std::vector<NoiseTile> noiseTiles(const Picture& input, const NoiseCurve& curve);

LevelNoise estimatedLevelNoise(const std::vector<NoiseTile>& tiles);

}  // namespace lacuna::test
