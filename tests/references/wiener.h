#pragma once
// The collaborative Wiener filter in double precision, from modules/wiener/README.md and Dabov, Foi,
// Katkovnik, Egiazarian 2007, Image denoising by sparse 3-D transform-domain collaborative filtering, section
// III.B.

#include <string>
#include <vector>

#include "tests/references/level_noise.h"

namespace lacuna::test {

struct WienerParameters {
  int search = 19, spacing = 1, group = 32, step = 4;
  double strength = 1.0;
  NoiseCurve curve{.noise = 0.05};
  LevelNoise levelNoise;
  bool bounded = false;
  Format precision = Format::f32;
  bool arrays = false;  // the noise comes in arrays, so that its parameters aren't given

  std::string text() const;  // `param` lines for wiener:01
};

struct Place {
  int x = 0, y = 0;
  bool operator==(const Place&) const = default;
};

// Brightness and two opponent colours, in standard deviations of the noise, rounded to the precision, and the
// pilot's as they are. Pictures of three components.
struct WienerValues {
  Picture pilot, noisy, light;
};
WienerValues wienerValues(const Picture& input, const Picture& pilot, const WienerParameters& parameters);

// The first blocks of all groups, row by row.
std::vector<Place> firstBlocks(int width, int height, int step);

struct Candidate {
  Place place;
  double distance = 0.0;
};
// Means of 2x2 pixels of the pilot's brightness, rounded to half.
Picture meansOfPilot(const WienerValues& values);
// All blocks that may be in the group of this first one, itself among them.
std::vector<Candidate> candidates(const Picture& means, Place first, const WienerParameters& parameters);

struct WienerResult {
  Picture picture;
  // At each pixel: the blocks that were added up, the sum of their weights, the largest deviation of the mean
  // from the pilot.
  Picture sums;
};
// `groups`: the blocks of each group, in order.
WienerResult wiener(const Picture& input, const WienerValues& values,
                    const std::vector<std::vector<Place>>& groups, const WienerParameters& parameters);

}  // namespace lacuna::test
