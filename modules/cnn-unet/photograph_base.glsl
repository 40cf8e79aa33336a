// The picture that a network for photographs corrects, on the curve.

#include "cells.glsl"
#include "transfer.glsl"

#if pattern_input == 2
float encodedAt(ivec2 p) { return encode(vec3(valueAt(mirrored(p)))).x; }

// Malvar, He, Cutler 2004, High-quality linear interpolation for demosaicing of Bayer-patterned color images.
vec3 baseAt(ivec2 p) {
  float own = encodedAt(p);
  float beside = encodedAt(p - ivec2(1, 0)) + encodedAt(p + ivec2(1, 0)),
        above = encodedAt(p - ivec2(0, 1)) + encodedAt(p + ivec2(0, 1)),
        diagonal = encodedAt(p - ivec2(1, 1)) + encodedAt(p + ivec2(1, -1)) + encodedAt(p + ivec2(-1, 1)) +
                   encodedAt(p + ivec2(1, 1)),
        beside2 = encodedAt(p - ivec2(2, 0)) + encodedAt(p + ivec2(2, 0)),
        above2 = encodedAt(p - ivec2(0, 2)) + encodedAt(p + ivec2(0, 2));
  int colour = colourAt_input(p);
  if (colour == 1) {
    float row = 5.0 * own + 4.0 * beside - diagonal - beside2 + 0.5 * above2,
          column = 5.0 * own + 4.0 * above - diagonal - above2 + 0.5 * beside2;
    bool isRedBeside = colourAt_input(p + ivec2(1, 0)) == 0;
    return vec3(isRedBeside ? row : column, 8.0 * own, isRedBeside ? column : row) / 8.0;
  }
  float green = 4.0 * own + 2.0 * (beside + above) - beside2 - above2,
        other = 6.0 * own + 2.0 * diagonal - 1.5 * (beside2 + above2);
  return vec3(colour == 0 ? 8.0 * own : other, green, colour == 0 ? other : 8.0 * own) / 8.0;
}
#else
vec3 baseAt(ivec2 p) { return encode(valueAt(p)); }
#endif
