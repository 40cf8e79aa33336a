// Lee 1980, equations 3 and 4: a pixel moves towards the mean around it, by the share of the variance there
// that is noise. We differ: the noise isn't known, but found from how alpha changes across its gradient, and
// where the surroundings have none, nothing changes.

#define RADIUS 3
#include "tile.glsl"

const int reach = 2;                 // blocks around the four of 16x16 pixels
// Ratio of the changes across and along: up to the first it is shape, from the second on noise.
const vec2 clean = vec2(0.5, 0.62);
const float shape = 0.1;             // share of the change along an edge that its bends cause across it
const float gain = 1.5;              // factor, because the smaller of two changes is less than the noise

// 0 to 1: whether alpha is noisy here. All of 16x16 pixels have the same value.
float noisiness(Pixel p) {
  ivec2 own = p.position / 16 * 2;
  ivec2 first = max(own - reach, ivec2(0)), last = min(own + 1 + reach, extent_blocks - 1);
  vec2 sum = vec2(0.0);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) { sum += load_blocks(ivec2(x, y)); }
  }
  return sum.x > 0.0 ? smoothstep(clean.x, clean.y, sum.y / sum.x) : 0.0;
}

float filtered(int place, float noisy) {
  float own = alphas[place], sum = 0.0, squares = 0.0;
  for (int y = -RADIUS; y <= RADIUS; ++y) {
    for (int x = -RADIUS; x <= RADIUS; ++x) {
      float d = alphas[place + y * tileWidth + x] - own;
      sum += d;
      squares = fma(d, d, squares);
    }
  }
  float mean = sum / float(windowPixels), variance = squares / float(windowPixels) - mean * mean;
  vec2 changes = changesAround(place);
  // A difference has the noise of two pixels.
  float noise = 0.5 * gain * max(changes.y - shape * changes.x, 0.0);
  float share = noise >= variance ? 1.0 : noise / variance;
  return clamp(fma(noisy * share, mean, own), 0.0, 1.0);
}

void run(Pixel p) {
  float noisy = noisiness(p);
  fillTile(p);
  barrier();
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 own = load_input(p.position);
  bool isCover = own.a >= 0.0 && own.a <= 1.0;
  store_output(p.position, vec4(own.rgb, noisy > 0.0 && isCover ? filtered(ownPlace(), noisy) : own.a));
}
