// Temporal anti-aliasing: Karis 2014, High-Quality Temporal Supersampling (blending in tonemapped values),
// and Salvi 2016, An Excursion in Temporal Supersampling (history is clipped to the mean and deviation of the
// neighbourhood, in YCoCg). For kernels with the inputs `input`, `history`, `motion` and `depth`.
#include "shared/colour.glsl"
#include "shared/finite.glsl"

const float largestHalf = 65504.0;

vec3 tonemapped(vec3 c) { return c / (1.0 + max(luminanceOf(c, colour_input), 0.0)); }
vec3 linearAgain(vec3 t) { return t / max(1.0 - max(luminanceOf(t, colour_input), 0.0), 1.0 / largestHalf); }

vec3 toYCoCg(vec3 c) {
  float y = fma(0.5, c.g, 0.25 * (c.r + c.b));
  return vec3(y, 0.5 * (c.r - c.b), fma(0.5, c.g, -0.25 * (c.r + c.b)));
}
vec3 fromYCoCg(vec3 v) { return vec3(v.x + v.y - v.z, v.x + v.z, v.x - v.y - v.z); }

bool isInside(ivec2 q, ivec2 extent) { return q == clamp(q, ivec2(0), extent - 1); }

struct Neighbourhood {
  vec3 mean;
  vec3 deviation;
  int count;
};

// The sums are of differences to one of the pixels. With the values themselves, mean of squares and squared
// mean cancel in an even neighbourhood: the deviation of equal pixels would be up to 4e-4 of their value, and
// history would pass. Because one of the n differences is 0, the variance is at least 1/n of their mean
// square (Cauchy and Schwarz), and its relative error at most 9 times theirs.
Neighbourhood neighbourhoodOf(Pixel p) {
  Neighbourhood n = Neighbourhood(vec3(0.0), vec3(0.0), 0);
  vec3 origin = vec3(0.0);
  vec3 squares = vec3(0.0);
  for (int k = 0; k < 9; ++k) {
    ivec2 q = p.position + ivec2(k % 3, k / 3) - 1;
    vec3 c = load_input(clamp(q, ivec2(0), p.extent - 1)).rgb;
    if (isInside(q, p.extent) && isFinite(c)) {
      vec3 v = toYCoCg(tonemapped(c));
      origin = n.count == 0 ? v : origin;
      n.mean += v - origin;
      squares = fma(v - origin, v - origin, squares);
      n.count += 1;
    }
  }
  float r = 1.0 / float(max(n.count, 1));
  n.mean *= r;
  n.deviation = sqrt(max(fma(-n.mean, n.mean, squares * r), 0.0));
  n.mean += origin;
  return n;
}

// Edges move with the object in front.
vec2 motionOf(Pixel p) {
  ivec2 nearest = p.position;
  float least = uintBitsToFloat(0x7f800000u);
  for (int k = 0; has_depth && k < 9; ++k) {
    ivec2 q = p.position + ivec2(k % 3, k / 3) - 1;
    float depth = load_depth(clamp(q, ivec2(0), p.extent - 1));
    if (isInside(q, p.extent) && depth < least) {
      least = depth;
      nearest = q;
    }
  }
  return load_motion(nearest);
}

vec4 catmullRom(float t) {
  float t2 = t * t;
  float t3 = t2 * t;
  return vec4(fma(-0.5, t + t3, t2), fma(1.5, t3, fma(-2.5, t2, 1.0)), fma(-1.5, t3, fma(2.0, t2, 0.5 * t)),
              0.5 * (t3 - t2));
}
vec4 linearWeights(float t) { return vec4(0.0, 1.0 - t, t, 0.0); }

struct Settings {
  float blend;  // weight of the new frame
  float gamma;  // size of the box, in standard deviations
  bool sharp;   // Catmull-Rom, else bilinear
  bool anew;    // there is no history
};

vec3 historyAt(vec2 previous, bool sharp, ivec2 extent) {
  ivec2 base = ivec2(floor(previous));
  vec2 f = previous - floor(previous);
  vec4 columns = sharp ? catmullRom(f.x) : linearWeights(f.x);
  vec4 rows = sharp ? catmullRom(f.y) : linearWeights(f.y);
  vec3 sum = vec3(0.0);
  for (int j = sharp ? 0 : 1; j < (sharp ? 4 : 3); ++j) {
    for (int i = sharp ? 0 : 1; i < (sharp ? 4 : 3); ++i) {
      vec3 tap = load_history(clamp(base + ivec2(i, j) - 1, ivec2(0), extent - 1)).rgb;
      sum = fma(vec3(columns[i] * rows[j]), tap, sum);
    }
  }
  return sharp ? max(sum, vec3(0.0)) : sum;
}

vec3 clipped(vec3 v, Neighbourhood n, float gamma) {
  if (n.count == 0) { return v; }
  vec3 off = abs(v - n.mean) / max(gamma * n.deviation, vec3(1e-6));
  float u = max(off.x, max(off.y, off.z));
  return u > 1.0 ? n.mean + (v - n.mean) / u : v;
}

vec4 resolved(Settings settings, Pixel p) {
  vec4 own = load_input(p.position);
  bool there = isFinite(own.rgb);
  Neighbourhood n = neighbourhoodOf(p);
  vec2 previous = vec2(p.position) + motionOf(p);
  bool found = !frame.first && !settings.anew && all(greaterThanEqual(previous, vec2(-0.5))) &&
               all(lessThanEqual(previous, vec2(p.extent) - 0.5));
  if (!found) {
    return vec4(there ? own.rgb : n.count > 0 ? linearAgain(fromYCoCg(n.mean)) : vec3(0.0), own.a);
  }
  vec3 history = tonemapped(historyAt(previous, settings.sharp, p.extent));
  vec3 t = fromYCoCg(clipped(toYCoCg(history), n, settings.gamma));
  if (there) { t = fma(vec3(settings.blend), tonemapped(own.rgb) - t, t); }
  return vec4(clamp(linearAgain(t), -largestHalf, largestHalf), own.a);
}
