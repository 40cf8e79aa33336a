#include "shared/colour.glsl"
#include "shared/random.glsl"
#include "like.glsl"

// Converts light in Rec. 2020 to the values of a camera's pixels, before white balance.
vec3 seen(vec3 light) {
  mat3 rows;
  for (int k = 0; k < 9; ++k) { rows[k / 3][k % 3] = of(8 + k, param.matrix[k]); }
  return (inverse(transpose(rows)) * light) / vec3(of(5, param.red), of(6, 1.0), of(7, param.blue));
}

const int noColours = 5;  // of `pattern`

void run(Pixel p) {
  if (p.position.x >= p.extent.x || p.position.y >= p.extent.y) { return; }
  vec3 light = vec3(load_input(p.position).rgb);
  int colour = colourAt_output(p.position);
  float x = param.pattern == noColours ? luminanceOf(light, colour_input) : seen(light)[colour];
  uvec4 key = uvec4(uvec2(p.position), uint(param.seed), uint(frame.index));
  float noise = sqrt(max(fma(param.a, x, param.b), 0.0)) * toNormal(hash4(key)).x;
  int place = (p.position.y & 1) * 2 + (p.position.x & 1);
  float black = of(place, param.black[place]), white = of(4, param.white);
  store_output(p.position, clamp(floor(fma(x + noise, white - black, black) + 0.5), 0.0, white));
}
