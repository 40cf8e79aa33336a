// The standard deviation of luminance that guides the levels: of history, blurred once over 3x3, or, where history is short, of
// 7x7 pixels of the same surface (Schied et al. 2017, section 4.2). A state of temporal's whose deviation is below 0 has a short one.
#include "demodulate.glsl"
#include "weights.glsl"

bool isInside(ivec2 q, ivec2 extent) { return q == clamp(q, ivec2(0), extent - 1); }

float blurred(float own, Pixel p) {
  float sum = 4.0 * own * own;
  float weight = 4.0;
  for (int k = 0; k < 9; ++k) {
    ivec2 d = ivec2(k % 3, k / 3) - 1;
    ivec2 q = p.position + d;
    float s = load_state(clamp(q, ivec2(0), p.extent - 1)).a;
    float w = k != 4 && s >= 0.0 && isInside(q, p.extent) ? (d.x == 0 || d.y == 0 ? 2.0 : 1.0) : 0.0;
    sum = fma(w * s, s, sum);
    weight += w;
  }
  return sqrt(sum / weight);
}

struct Sums {
  vec3 colour;
  float weight;
  float luminance;
  float squares;
};

// Smaller weights count as 0: products with them would come near the least float, where devices flush to 0.
const float leastLog2Weight = -100.0;

// Moments are taken about `mean`: about zero, those of a nearly even surface would cancel.
void addNeighbour(inout Sums a, ivec2 q, ivec2 steps, vec4 centre, float falloff, float mean) {
  vec4 moments = load_moments(q);
  if (!(moments.z > 0.0)) { return; }
  Surface s = unpackSurface(load_geometry(q));
  float log2Weight = log2GeometryWeight(centre, falloff, vec4(s.normal, s.depth), steps, 0.0);
  float w = log2Weight < leastLog2Weight ? 0.0 : exp2(log2Weight);
  float d = moments.x - mean;
  a.colour = fma(vec3(w), load_state(q).rgb, a.colour);
  a.weight += w;
  a.luminance = fma(w, d, a.luminance);
  a.squares = fma(w, fma(d, d, moments.y * moments.y), a.squares);
}

Sums sumsAround(Pixel p, float mean) {
  Surface own = unpackSurface(load_geometry(p.position));
  float falloff = depthFalloff(own.slope, 1);
  Sums a = Sums(vec3(0.0), 0.0, 0.0, 0.0);
  for (int y = -3; y <= 3; ++y) {
    for (int x = -3; x <= 3; ++x) {
      ivec2 q = p.position + ivec2(x, y);
      if (isInside(q, p.extent)) { addNeighbour(a, q, ivec2(x, y), vec4(own.normal, own.depth), falloff, mean); }
    }
  }
  return a;
}

vec4 spatial(vec3 colour, Pixel p) {
  vec4 moments = load_moments(p.position);
  Sums a = sumsAround(p, moments.x);
  if (!(a.weight > 0.0)) { return vec4(0.0); }
  // A missing pixel has no mean of its own; where one neighbour outweighs the others, only their mean will do.
  if (!(moments.z > 0.0)) { a = sumsAround(p, a.luminance / a.weight); }
  float mean = a.luminance / a.weight;
  float variance = max(fma(-mean, mean, a.squares / a.weight), 0.0) * 4.0 / max(moments.z, 1.0);
  return vec4(moments.z > 0.0 ? colour : a.colour / a.weight, min(sqrt(variance), largestHalf));
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 state = load_state(p.position);
  store_output(p.position, state.a >= 0.0 ? vec4(state.rgb, blurred(state.a, p)) : spatial(state.rgb, p));
}
