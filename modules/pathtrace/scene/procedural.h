#pragma once
// Pictures that are computed, as textures of random scenes. They repeat without a seam.

#include <cstdint>
#include <random>

#include "pathtrace/scene/scene.h"
#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace {

// Random numbers that are the same everywhere: the standard defines mt19937's numbers, but not those of its
// distributions.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint32_t seed) : engine_(seed) {}

  double between(double least, double most) { return least + (most - least) * (next() / 4294967296.0); }
  int whole(int least, int most) {  // both included
    return least + static_cast<int>(next() % static_cast<uint32_t>(most - least + 1));
  }
  bool chance(double probability) { return between(0, 1) < probability; }
  Vec3 vector(double least, double most) {
    const double x = between(least, most), y = between(least, most);
    return {x, y, between(least, most)};
  }

 private:
  uint32_t next() { return static_cast<uint32_t>(engine_()); }
  std::mt19937 engine_;
};

enum class Pattern { marble, planks, weave, speckles };
constexpr int patternCount = 4;

// From one colour to the other. `name` becomes the image's.
Image drawPattern(Pattern pattern, const Vec3& first, const Vec3& second, RandomNumbers& random);

}  // namespace lacuna::pathtrace
