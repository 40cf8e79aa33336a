#pragma once
// The light that GGX microfacets reflect in all directions by single scattering, without Fresnel's effect:
// Kulla and Conty 2017 (Revisiting Physically Based Shading at Imageworks) restore the rest.

#include <array>

#include "pathtrace/scene/device_scene.h"

namespace lacuna::pathtrace {

// With height-correlated Smith masking, seen under a cosine in [0, 1]; alpha in (0, 1].
double directionalAlbedo(double alpha, double cosine);

// A row of StaticScene::energy: directional albedo, then its mean, computed from the row with linear
// interpolation.
std::array<float, energySize + 1> energyRow(double alpha);

}  // namespace lacuna::pathtrace
