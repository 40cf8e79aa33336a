#include "like.glsl"

// Twelve pixels of the pattern, two bits each: 1 red, 2 green, 3 blue.
float letters(int word) {
  int bits = 0;
#if pattern_sensor != 0
  for (int k = 0; k < 12; ++k) { bits |= (colourAt_sensor(ivec2(k % 6, 2 * word + k / 6)) + 1) << (2 * k); }
#endif
  return float(bits);
}

void run(Pixel p) {
  int i = p.position.x;
  if (i >= count_camera) { return; }
  float value = 0.0;
  if (i < 4) { value = param.black[i]; }
  if (i == 4) { value = param.white; }
  if (i == 5) { value = param.red; }
  if (i == 6) { value = 1.0; }
  if (i == 7) { value = param.blue; }
  if (i >= 8 && i < 17) { value = param.matrix[i - 8]; }
  value = of(i, value);
  if (i == 17) { value = param.a; }
  if (i == 18) { value = param.b; }
  if (i >= 21 && i < 24) { value = letters(i - 21); }
  array_camera.data[i] = value;
}
