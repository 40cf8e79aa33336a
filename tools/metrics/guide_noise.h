#pragma once
// Whether a render's normals and depths are noisy: by blur of a lens or motion, or by what is thinner than a
// pixel.

#include <string_view>

#include "tools/metrics/float_plane.h"

namespace lacuna {

// The share of pixels whose value is like that of none of their four neighbours. `plane`: normal or depth.
// Edges and textures have few of them: below 5% in rooms, 30 to 60% in a meadow.
double shareOfNoise(FloatPlane values, std::string_view plane);

// The share of pixels whose normal is the mean of several surfaces': shorter than 0.9, but not none. With
// many samples a pixel such means are smooth.
double shareOfMixtures(const FloatPlane& normals);

}  // namespace lacuna
