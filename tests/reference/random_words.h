#pragma once
// The numbers of modules/shared/random.glsl, by their definition.

#include <array>
#include <cstdint>

namespace lacuna::test {

// Mark Jarzynski, Marc Olano, Hash Functions for GPU Rendering, JCGT 9(3), 2020: listing of pcg4d.
std::array<uint32_t, 4> pcg4d(std::array<uint32_t, 4> v);

// Above 0, at most 1, from 24 bits of a word.
double uniformSample(uint32_t word);

// Box and Muller 1958.
std::array<double, 3> normalSamples(const std::array<uint32_t, 4>& words);

}  // namespace lacuna::test
