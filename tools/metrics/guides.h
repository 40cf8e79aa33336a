#pragma once
// A render's planes as floats, and whether its normals and depths are noisy: by blur of a lens or motion, or
// by what is thinner than a pixel.

#include <string>
#include <string_view>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna {

// A pixel's components one after the other.
struct FloatPlane {
  size_t components = 0;
  Extent extent{};
  std::vector<float> values;
};

// `plane`: `output`, or one of an OpenEXR file. Throws FileError, also for files of integers.
FloatPlane readFloats(const std::string& path, const std::string& plane, const ReadOptions& options = {});

// The share of pixels whose value is like that of none of their four neighbours. `plane`: normal or depth.
// Edges and textures have few of them: below 5% in rooms, 30 to 60% in a meadow.
double shareOfNoise(FloatPlane values, std::string_view plane);

// The share of pixels whose normal is the mean of several surfaces': shorter than 0.9, but not none. With
// many samples a pixel such means are smooth.
double shareOfMixtures(const FloatPlane& normals);

}  // namespace lacuna
