#include "camera.glsl"

// The colour at p in the pattern for which the camera's black levels are given: 1 red, 2 green, 3 blue, 0
// unknown.
int letter(ivec2 p) {
  int i = p.y % 6 * 6 + p.x % 6;
  return int(camera(21 + i / 12, 0.0)) >> (2 * (i % 12)) & 3;
}

bool beginsAt(ivec2 first) {
  for (int i = 0; i < 36; ++i) {
    ivec2 p = ivec2(i % 6, i / 6);
    if (letter(first + p) != colourAt_input(p) + 1) return false;
  }
  return true;
}

// The mosaic's first pixel in the camera's picture, if it is a window of that.
ivec2 window() {
  for (int i = 0; i < 36; ++i) {
    ivec2 first = ivec2(i % 6, i / 6);
    if (beginsAt(first)) return first;
  }
  return ivec2(0);
}

// The black level of the mosaic's pixel (k % 2, k / 2).
float blackOf(int k, ivec2 first, float otherwise) {
  return camera((first.y + k / 2) % 2 * 2 + (first.x + k) % 2, otherwise);
}

void run(Pixel p) {
  ivec2 first = count_camera > 0 ? window() : ivec2(0);
  array_black_00.data[0] = blackOf(0, first, param.black_00);
  array_black_10.data[0] = blackOf(1, first, param.black_10);
  array_black_01.data[0] = blackOf(2, first, param.black_01);
  array_black_11.data[0] = blackOf(3, first, param.black_11);
  array_white.data[0] = camera(4, param.white);
  vec3 g = gains();
  array_red.data[0] = g.r;
  array_green.data[0] = g.g;
  array_blue.data[0] = g.b;
  vec2 known = knownNoise();
  array_noise_a.data[0] = known.x;
  array_noise_b.data[0] = known.y;
}
