// Owen-scrambled Sobol points: Burley 2020, Practical Hash-based Owen Scrambling. Two dimensions at a time
// (the first two of Sobol's, a (0, 2)-sequence), in an order that is shuffled for each pair of dimensions and
// pixel. All of it is integer arithmetic, so it is the same on every device.

#include "shared/random.glsl"

struct Points { uint index; uvec2 seed; };  // of a sample of the pixel

// Nested uniform scrambling of a number whose bits are reversed (Laine, Karras 2011; multipliers by Vegdahl
// 2021).
uint scramble(uint x, uint seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16u) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return x;
}

// Sobol's second dimension, with its bits reversed: bit r is the sum, modulo 2, of all bits c of the index
// for which r is a submask of c (Pascal's triangle modulo 2, by Lucas's theorem).
uint secondReversed(uint index) {
  index ^= (index & 0xaaaaaaaau) >> 1u;
  index ^= (index & 0xccccccccu) >> 2u;
  index ^= (index & 0xf0f0f0f0u) >> 4u;
  index ^= (index & 0xff00ff00u) >> 8u;
  index ^= (index & 0xffff0000u) >> 16u;
  return index;
}

vec2 pointOf(Points points, uint pair) {
  uvec4 seeds = hash4(uvec4(points.seed, pair, 0x5bd1e995u));
  uint index = bitfieldReverse(scramble(bitfieldReverse(points.index), seeds.x));
  uvec2 bits = bitfieldReverse(uvec2(scramble(index, seeds.y), scramble(secondReversed(index), seeds.z)));
  return vec2(bits >> 8u) * (1.0 / 16777216.0);
}

Points pointsOf(ivec2 pixel, uint index, int seed) {
  return Points(index, hash4(uvec4(uvec2(pixel), uint(seed), 0x2545f491u)).xy);
}
