// What a network for photographs reads of a cell: values on the curve, and the standard deviations of their noise there.

#include "cells.glsl"
#include "transfer.glsl"

vec2 encodedPair(float x, float deviation) {
  vec3 three = encode(vec3(x, x + param.strength * deviation, x - param.strength * deviation));
  return vec2(three.x, 0.5 * (three.y - three.z));
}

#if pattern_input == 2
const int cellColours = 1;
// `sensor`: factors of red, green and blue, and a and b of the variance a x + b before them.
float deviationAt(ivec2 p, int unused, float x) {
  float gain = array_sensor.data[colourAt_input(p)];
  return gain * sqrt(max(array_sensor.data[3] * max(x / gain, 0.0) + array_sensor.data[4], 0.0));
}
float colourOf(float value, int unused) { return value; }
#else
const int cellColours = 3;
// `noise`: noise ((x + offset) / (1 + offset))^power.
float deviationAt(ivec2 p, int colour, float x) {
  float offset = max(array_noise.data[2], 1e-6);
  return array_noise.data[0] * pow((x + offset) / (1.0 + offset), array_noise.data[1]);
}
float colourOf(vec3 value, int colour) { return value[colour]; }
#endif

// Colour by colour, the four pixels of each row by row.
const int cellValues = 4 * cellColours;
void readCell(ivec2 cell, out float values[cellValues], out float sigmas[cellValues]) {
  ivec2 first = partOrigin() + 2 * cell - redPlace();
  for (int pixel = 0; pixel < 4; ++pixel) {
    ivec2 p = mirrored(first + ivec2(pixel % 2, pixel / 2));
    for (int colour = 0; colour < cellColours; ++colour) {
      float x = colourOf(valueAt(p), colour);
      vec2 pair = encodedPair(x, deviationAt(p, colour, x));
      values[4 * colour + pixel] = pair.x;
      sigmas[4 * colour + pixel] = pair.y;
    }
  }
}
