#include "shared/full.glsl"

// A full colour is at least as bright as the sensor can measure. Its value follows from its neighbours' that aren't
// full and from the colour of the light around; or else, towards full neighbours, becomes neutral.
const float weightOfWhite = 0.05;  // the gain of each colour; and 1 if the colour is not full
const float mostTimes = 4.0;       // of a full colour's value
const float leastShare = 0.02;
const float leadingShare = 0.33;   // of a colour that is full where the light around is: its value bounds the others'
const float doubtful = 0.1;        // of squared logarithms of ratios: less says nothing

// The colours beside a full one: means of its neighbours', the share of these that is full, which there are, and of each
// what counts: 1 if none is full.
struct Near { vec3 mean; vec3 full; vec3 isOther; vec3 open; };

// If only green is full, white stays white; full colours count if they are above those that are not full. If all
// are full, all become the largest gain.
float neutral(vec3 gains, Near n) {
  float light = dot(n.open, n.mean) + weightOfWhite * max(gains.r, max(gains.g, gains.b));
  float weight = dot(n.open, vec3(1.0)) + weightOfWhite;
  vec3 above = n.isOther * n.full * vec3(greaterThan(n.mean, vec3(light / weight)));
  return (light + dot(above, n.mean)) / (weight + dot(above, vec3(1.0)));
}

// Between the cells' centres.
vec4 lightAround(ivec2 p, int once) {
  vec2 place = (vec2(p) + 0.5) / float(cellSide) - 0.5;
  ivec2 first = ivec2(floor(place));
  vec2 share = place - vec2(first);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 4 * once; ++k) {
    ivec2 next = ivec2(k % 2, k / 2);
    vec2 w = mix(1.0 - share, share, vec2(next));
    sum += w.x * w.y * load_light(clamp(first + next, ivec2(0), extent_light - 1));
  }
  return sum;
}

float logOfRatio(vec3 v, int own) {
  vec2 pair = max(own == 0 ? v.gb : own == 1 ? v.rb : v.rg, vec2(1e-4));
  return log(pair.x / pair.y);
}

// How far to trust the colour around: less, the less coloured the other two are here than there; and not where all
// colours are nearly full.
float trust(vec3 gains, Near n, vec3 light, int own) {
  float here = logOfRatio(n.mean, own), there = logOfRatio(light, own);
  float likeness = clamp((here * there + doubtful) / (there * there + doubtful), 0.0, 1.0);
  vec3 fullness = mix(vec3(1e30), max(n.mean / gains, n.full), greaterThan(n.isOther, vec3(0.0)));
  float least = min(fullness.r, min(fullness.g, fullness.b));
  float known = clamp(dot(n.open, vec3(1.0)) - 1.0, 0.0, 1.0);
  return mix(1.0 - smoothstep(0.2, 0.6, least), likeness * (1.0 - smoothstep(0.9, 1.0, least)), known);
}

float rebuilt(vec3 gains, Near n, vec4 light, int own, float value) {
  float white = max(value, neutral(gains, n));
  vec3 isOwn = vec3(equal(ivec3(own), ivec3(0, 1, 2)));
  vec3 atLeast = n.isOther * n.mean / max(light.rgb, vec3(leastShare)) *
                 vec3(greaterThan(n.full, vec3(0.0))) * vec3(greaterThan(light.rgb, vec3(leadingShare)));
  float whole = max(dot(n.open, n.mean) / max(dot(n.open, light.rgb), leastShare),
                    max(atLeast.r, max(atLeast.g, atLeast.b)));
  float coloured = min(max(value, dot(isOwn, light.rgb) * whole), mostTimes * dot(isOwn, gains));
  bool isKnown = light.a > 0.0 && dot(n.open, vec3(1.0)) > 0.0;
  return isKnown ? mix(white, coloured, trust(gains, n, light.rgb, own)) : white;
}
