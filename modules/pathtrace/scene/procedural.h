#pragma once
// Pictures that are computed, as textures of random scenes. They repeat without a seam.

#include "pathtrace/scene/random_numbers.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

enum class Pattern { marble, planks, weave, speckles };
constexpr int patternCount = 4;

// From one colour to the other one. `name` becomes the image's.
Image drawPattern(Pattern pattern, const Vec3& first, const Vec3& second, RandomNumbers& random);

}  // namespace lacuna::pathtrace
