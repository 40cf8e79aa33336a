#include "camera.glsl"

void run(Pixel p) {
  array_black_00.data[0] = camera(0, param.black_00);
  array_black_10.data[0] = camera(1, param.black_10);
  array_black_01.data[0] = camera(2, param.black_01);
  array_black_11.data[0] = camera(3, param.black_11);
  array_white.data[0] = camera(4, param.white);
  vec3 g = gains();
  array_red.data[0] = g.r;
  array_green.data[0] = g.g;
  array_blue.data[0] = g.b;
  vec2 known = knownNoise();
  array_noise_a.data[0] = known.x;
  array_noise_b.data[0] = known.y;
}
