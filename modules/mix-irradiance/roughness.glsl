// Sums over a block of 8x8 pixels. rough: squared second differences of the logarithms of both pictures'
// irradiance, and their number. light: irradiance and luminance of the first, squares of what was removed, and
// the number of pixels.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

const int reach = 2;  // of a difference, in pixels

shared vec4 sums[64];
shared vec2 logs[64];
shared bool counts[64];

vec4 sumOfBlock(int own, vec4 value) {
  barrier();
  sums[own] = value;
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (own < half_) { sums[own] += sums[own + half_]; }
    barrier();
  }
  return sums[0];
}

// As svgf's: black is a lamp or a mirror, which has no texture.
float divisorOf(vec3 albedo) {
  float grey = luminanceOf(vec4(toUnit(albedo), 1.0), colour_input);
  return grey < 1.0 / 1024.0 ? 1.0 : max(grey, 0.02);
}

// From the pixels `step_` before and behind in the block.
vec3 differenceAt(int own, int step_) {
  if (!(counts[own] && counts[own - step_] && counts[own + step_])) { return vec3(0.0); }
  vec2 d = logs[own] - 0.5 * (logs[own - step_] + logs[own + step_]);
  return vec3(min(d * d, 1.0), 1.0);
}

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  ivec2 place = ivec2(own % blockSide, own / blockSide);
  bool inside = all(lessThan(p.position, p.extent));
  vec4 first = vec4(0.0), other = vec4(0.0), noisy = vec4(0.0);
  float divisor = 1.0;
  if (inside) {
    first = asColour(load_input(p.position));
    other = asColour(load_other(p.position));
    noisy = asColour(load_noisy(p.position));
    divisor = divisorOf(load_albedo(p.position).rgb);
  }
  bool count = inside && isLight(first.rgb) && isLight(other.rgb) && isLight(noisy.rgb);
  float luminance = luminanceOf(first, colour_input);
  float removed = luminanceOf(noisy, colour_input) - luminance;
  vec2 irradiance = vec2(luminance, luminanceOf(other, colour_input)) / divisor;
  vec4 light = sumOfBlock(own, count ? vec4(irradiance.x, luminance, removed * removed, 1.0) : vec4(0.0));
  counts[own] = count;
  logs[own] = count ? log(irradiance + 0.05 * light.x / light.w + 1e-20) : vec2(0.0);
  barrier();
  vec3 rough = vec3(0.0);
  if (place.x >= reach && place.x < blockSide - reach) { rough += differenceAt(own, reach); }
  if (place.y >= reach && place.y < blockSide - reach) { rough += differenceAt(own, reach * blockSide); }
  vec4 sum = sumOfBlock(own, vec4(rough, 0.0));
  if (own == 0) {
    store_rough(p.position / blockSide, sum);
    store_light(p.position / blockSide, light);
  }
}
