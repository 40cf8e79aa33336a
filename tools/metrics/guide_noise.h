#pragma once
// Whether a render's normals and depths are noisy: by blur of a lens or motion, or by what is thinner than a
// pixel.

#include <string>

namespace lacuna {

// The share of pixels whose value is like that of none of their four neighbours, of the plane where it is
// larger. Edges and textures have few of them: below 5% in rooms, 30 to 60% in a meadow. Throws FileError.
double shareOfNoisyGuides(const std::string& exr, bool hasNormal, bool hasDepth);

}  // namespace lacuna
