// The standard deviation of luminance that guides the levels: of history, blurred once over 3x3, or, if
// history is short, of differences of pairs among 7x7 pixels of the same surface (Schied et al. 2017, section
// 4.2, take their variance). A deviation below 0 in temporal's state means that the history is short.
#include "demodulate.glsl"
#include "weights.glsl"

bool isInside(ivec2 q, ivec2 extent) { return q == clamp(q, ivec2(0), extent - 1); }

// taps: 9, or 0 where the result isn't needed.
float blurred(float own, Pixel p, int taps) {
  float sum = 4.0 * own * own;
  float weight = 4.0;
  for (int k = 0; k < taps; ++k) {
    ivec2 d = ivec2(k % 3, k / 3) - 1;
    ivec2 q = p.position + d;
    float s = load_state(clamp(q, ivec2(0), p.extent - 1)).a;
    float w = k != 4 && s >= 0.0 && isInside(q, p.extent) ? (d.x == 0 || d.y == 0 ? 2.0 : 1.0) : 0.0;
    sum = fma(w * s, s, sum);
    weight += w;
  }
  return sqrt(sum / weight);
}

// Weights below 2^-40 count as 0: products of two would come near the least float, where devices flush to 0.
const float leastLog2Weight = -40.0;

// A neighbour in the sums.
struct Neighbour {
  float mean;    // of luminance
  float weight;  // by normal and depth; 0: outside
};
const Neighbour noNeighbour = Neighbour(0.0, 0.0);

// Share of the sums over all directions, added to those of each.
const float shareOfAll = 1.0 / 64.0;

struct Sums {
  vec3 colour;
  float deviations;  // squared: from history
  float weight;
  vec4 squares;  // sums of squared differences of pairs along rows, columns, and both diagonals
  vec4 pairs;    // their weights
};

// What of a neighbour doesn't depend on the pixel in the middle.
struct Near {
  vec4 surface;  // normal and depth
  float mean;
  float deviation;
  bool counts;
};

Near nearAt(ivec2 q, ivec2 extent) {
  ivec2 at = clamp(q, ivec2(0), extent - 1);
  vec4 moments = load_moments(at);
  Surface s = unpackSurface(load_geometry(at));
  return Near(vec4(s.normal, s.depth), moments.x, moments.y, q == at && moments.z > 0.0);
}

float weightOf(Near n, ivec2 steps, vec4 centre, float falloff) {
  float log2Weight = log2GeometryWeight(centre, falloff, n.surface, steps, 0.0);
  return !n.counts || log2Weight < leastLog2Weight ? 0.0 : exp2(log2Weight);
}

Neighbour addNeighbour(inout Sums a, Near n, float w) {
  a.deviations = fma(w * n.deviation, n.deviation, a.deviations);
  a.weight += w;
  return Neighbour(n.mean, w);
}

void addPair(inout Sums a, int direction, Neighbour s, Neighbour t) {
  float w = s.weight * t.weight;
  float difference = t.mean - s.mean;
  a.squares[direction] = fma(w * difference, difference, a.squares[direction]);
  a.pairs[direction] += w;
}

// A row of seven neighbours, and none at both ends; the row above becomes this one.
void addRow(inout Sums a, inout Neighbour above[9], Neighbour row[9]) {
  for (int x = 1; x < 8; ++x) {
    addPair(a, 0, row[x - 1], row[x]);
    addPair(a, 1, above[x], row[x]);
    addPair(a, 2, above[x - 1], row[x]);
    addPair(a, 3, above[x + 1], row[x]);
  }
  above = row;
}

const Sums noSums = Sums(vec3(0.0), 0.0, 0.0, vec4(0.0), vec4(0.0));
const Neighbour noRow[9] = Neighbour[](noNeighbour, noNeighbour, noNeighbour, noNeighbour, noNeighbour,
                                       noNeighbour, noNeighbour, noNeighbour, noNeighbour);

// Noise changes from pixel to pixel in all directions, but an edge of a shadow or highlight doesn't change
// along itself, so the least mean counts. A direction that has hardly any pairs gets the mean of all.
float noiseVariance(Sums a) {
  float squares = a.squares.x + a.squares.y + a.squares.z + a.squares.w;
  float pairs = a.pairs.x + a.pairs.y + a.pairs.z + a.pairs.w;
  if (!(pairs > 0.0)) { return 0.0; }
  vec4 means = fma(vec4(squares), vec4(shareOfAll), a.squares) / fma(vec4(pairs), vec4(shareOfAll), a.pairs);
  return 0.5 * min(min(means.x, means.y), min(means.z, means.w));
}

vec4 spatial(vec3 colour, float frames, Sums a) {
  if (!(a.weight > 0.0)) { return vec4(0.0); }
  float variance = (noiseVariance(a) + a.deviations / a.weight) * 4.0 / max(frames, 1.0);
  return vec4(frames > 0.0 ? colour : a.colour / a.weight, min(sqrt(variance), format_state == format_f16 ? largestHalf : largestFloat));
}
