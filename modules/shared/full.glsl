// Colours that are full: as bright as the sensor can measure; and the colour of light that nearly is.

// Share of a colour's largest value, its gain, from which it counts as full: sensors aren't full at the same value
// everywhere.
const float nearlyFull = 0.985;

const int cellSide = 12;  // of pixels whose light is one

struct Block { vec3 mean; bool counts; };  // counts: it has every colour, and none that is full

// Each colour's share of the sum, and a weight, the eighth power of the fullest: what is as bright as a highlight is
// most likely of its colour.
vec4 weighed(Block b, vec3 gains) {
  float light = dot(b.mean, vec3(1.0));
  vec3 fullness = b.mean / gains;
  float most = min(max(fullness.r, max(fullness.g, fullness.b)), 1.0);
  float square = most * most;
  float w = b.counts && light > 0.01 ? square * square * square * square : 0.0;
  return w * vec4(b.mean / max(light, 0.01), 1.0);
}

// Of a cell, whose `blocks` blocks have this sum.
vec4 lightOf(vec4 sum, int blocks) { return vec4(sum.rgb / max(sum.a, 1e-30), sum.a / float(blocks)); }
