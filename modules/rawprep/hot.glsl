// A hot pixel is brighter than its colour around by more than noise, and more than all colours around differ. The
// optics spread a star or a glint, so its neighbours are brighter, too, than what is further off; and where there
// are glints or print, there is other texture.
#include "sensor.glsl"

const float noiseFactor = 4.0;
const float leastExcess = 0.02;   // of white
const float leastOfLight = 0.4;   // of its colour around: less is hardly visible
const float starFactor = 12.0;    // a star of 1.5 pixels gives its neighbours 0.29 of its light
const float starNoise = 0.6;      // standard deviations of noise that may hide that
const float textureFactor = 1.0;  // of the range of each colour around
const float pairFactor = 1.7;     // the same, if the brightest one around is left out: it may be hot, too
const float spikeFactor = 9.0;    // of the mean deviation of pixels in 9x9 from those around
const float pairSpikeFactor = 4.0;
const float spikeOfNoise = 0.9;   // that deviation, of noise alone, in standard deviations
const float none = 1e30;

float deviation(Sensor s, float gain, float light) {
  return sqrt(gain * (s.noise.x * max(light, 0.0) + gain * s.noise.y));
}
// The least excess over `light` that isn't noise.
float margin(Sensor s, float gain, float light) {
  return fma(noiseFactor, deviation(s, gain, light), leastExcess * gain + leastOfLight * max(light, 0.0));
}

// Whether it is above the four nearest of its colour in a Bayer pattern, one of them left out.
bool mayBeHot(Sensor s, ivec2 p, float value) {
  int colour = colourAt_state(p);
  float gain = gainOf(s, colour);
  float second = -none;
#if pattern_state == 2
  ivec2 along = colour == 1 ? ivec2(1, 1) : ivec2(2, 0);
  float most = -none, least = none, low = none;
  for (int k = 0; k < 4; ++k) {
    float v = valueAt(p + along);
    bool isIn = isInside(p + along);
    float upper = isIn ? v : -none, lower = isIn ? v : none;
    second = max(second, min(most, upper));
    most = max(most, upper);
    low = min(low, max(least, lower));
    least = min(least, lower);
    along = ivec2(-along.y, along.x);
  }
  if (second > -none && value - second <= textureFactor * (second - low)) return false;
#endif
  return second > -none ? value - second > margin(s, gain, second) : value > leastExcess * gain;
}

// Of each colour in 5x5 pixels without the centre: the two largest values, where the largest is, the smallest.
struct Around { vec3 most; vec3 second; vec3 least; vec3 place; float count; };

ivec2 stepTo(float place) { return ivec2(int(place) % 5, int(place) / 5) - 2; }

Around around(ivec2 p, int once) {
  Around a = Around(vec3(-none), vec3(-none), vec3(none), vec3(12.0), 0.0);
  int own = colourAt_state(p);
  for (int k = 0; k < 25 * once; ++k) {
    ivec2 q = p + stepTo(float(k));
    int colour = k != 12 && isInside(q) ? colourAt_state(q) : -1;
    bvec3 isOf = equal(ivec3(colour), ivec3(0, 1, 2));
    float v = valueAt(q);
    vec3 upper = mix(vec3(-none), vec3(v), isOf);
    a.place = mix(a.place, vec3(k), greaterThan(upper, a.most));
    a.second = max(a.second, min(a.most, upper));
    a.most = max(a.most, upper);
    a.least = min(a.least, mix(vec3(none), vec3(v), isOf));
    a.count += float(colour == own);
  }
  return a;
}

bool isOfColour(ivec2 q, int colour) { return isInside(q) && colourAt_state(q) == colour; }

// Of each colour in 5x5 pixels without the centre: the mean of the two in the middle if their number is even.
vec3 medians(ivec2 p, int once) {
  vec3 sum = vec3(0.0), count = vec3(0.0);
  for (int k = 0; k < 25 * once; ++k) {
    ivec2 q = p + stepTo(float(k));
    float v = valueAt(q);
    int colour = k != 12 && isInside(q) ? colourAt_state(q) : -1;
    int below = 0, all = 0;
    for (int other = 0; other < 25 * once; ++other) {
      ivec2 o = p + stepTo(float(other));
      bool counts = other != 12 && isOfColour(o, colour);
      float w = valueAt(o);
      all += counts ? 1 : 0;
      below += counts && (w < v || (w == v && other < k)) ? 1 : 0;
    }
    bool isMiddle = below == (all - 1) / 2 || below == all / 2;
    vec3 counts = vec3(equal(ivec3(isMiddle ? colour : -1), ivec3(0, 1, 2)));
    sum += v * counts;
    count += counts;
  }
  return sum / max(count, vec3(1.0));
}

// How much brighter than `background` the four nearest are: the mean without the largest and the smallest.
float spreadLight(ivec2 p, vec3 background, int once) {
  float sum = 0.0, count = 0.0, most = -none, least = none;
  ivec2 along = ivec2(1, 0);
  for (int k = 0; k < 4 * once; ++k) {
    bool isIn = isInside(p + along);
    float v = valueAt(p + along) - dot(background, vec3(equal(ivec3(colourAt_state(p + along)), ivec3(0, 1, 2))));
    sum += isIn ? v : 0.0;
    count += float(isIn);
    most = isIn ? max(most, v) : most;
    least = isIn ? min(least, v) : least;
    along = ivec2(-along.y, along.x);
  }
  return count > 2.0 ? (sum - most - least) / (count - 2.0) : most;
}

// How far pixels in 9x9, without 3x3, are from the four of their colour around, without the largest and the smallest.
float meanSpike(ivec2 p, int once) {
  float sum = 0.0, count = 0.0;
  for (int k = 0; k < 81 * once; ++k) {
    ivec2 d = ivec2(k % 9, k / 9) - 4;
    ivec2 q = p + d;
    ivec2 along = pattern_state == 6 ? ivec2(3, 3) : ivec2(2, 0);
    bool counts = max(abs(d.x), abs(d.y)) > 1 && isInside(q - along.x) && isInside(q + along.x);
    float four = 0.0, most = -none, least = none;
    for (int side = 0; side < 4 * once; ++side) {
      float v = valueAt(q + along);
      four += v;
      most = max(most, v);
      least = min(least, v);
      along = ivec2(-along.y, along.x);
    }
    sum += counts ? abs(valueAt(q) - 0.5 * (four - most - least)) : 0.0;
    count += float(counts);
  }
  return sum / max(count, 1.0);
}

// 2: hot. 1: hot if the brightest pixel around, at `partner`, is so as well.
int verdict(Sensor s, ivec2 p, float value, int once, out ivec2 partner) {
  Around a = around(p, once);
  bvec3 isOwn = equal(ivec3(colourAt_state(p)), ivec3(0, 1, 2));
  float gain = dot(s.gains, vec3(isOwn));
  vec3 range = mix(vec3(0.0), a.most - a.least, greaterThan(a.most, vec3(-none)));
  vec3 rangeOfOthers = mix(vec3(0.0), a.second - a.least, greaterThan(a.second, vec3(-none)));
  vec3 own = mix(vec3(0.0), vec3(1.0), isOwn);
  float most = dot(own, a.most), second = dot(own, a.second);
  vec3 gap = range - rangeOfOthers;
  partner = p + stepTo(gap.r >= max(gap.g, gap.b) ? a.place.r : gap.g >= gap.b ? a.place.g : a.place.b);
  vec2 excess = value - vec2(most, second);
  bvec2 isHot = bvec2(excess.x > margin(s, gain, most) && all(greaterThan(vec3(excess.x), textureFactor * range)),
                      excess.y > margin(s, gain, second) && all(greaterThan(vec3(excess.y), pairFactor * rangeOfOthers)));
  for (int turns = a.count >= 3.0 && any(isHot) ? once : 0; turns > 0; --turns) {
    vec3 background = medians(p, turns);
    float light = dot(own, background);
    float noise = deviation(s, gain, light);
    float spike = meanSpike(p, turns) - spikeOfNoise * noise;
    bool isSharp = value - light > starFactor * (spreadLight(p, background, turns) + starNoise * noise);
    isHot = bvec2(isHot.x && isSharp && excess.x > spikeFactor * spike,
                  isHot.y && isSharp && excess.y > pairSpikeFactor * spike);
  }
  return a.count < 3.0 ? 0 : isHot.x ? 2 : isHot.y ? 1 : 0;
}

// The mean of its colour around, near pixels first, without the largest value and the smallest.
float meanAround(ivec2 p, int once) {
  float most = -none, least = none, weightOfMost = 0.0, weightOfLeast = 0.0, sum = 0.0, weight = 0.0;
  for (int k = 0; k < 25 * once; ++k) {
    ivec2 d = stepTo(float(k));
    bool counts = k != 12 && isInside(p + d) && colourAt_state(p + d) == colourAt_state(p);
    float v = valueAt(p + d);
    float square = dot(vec2(d), vec2(d));
    float w = counts ? 1.0 / (square * square) : 0.0;
    sum = fma(w, v, sum);
    weight += w;
    bool isMost = counts && v > most, isLeast = counts && v < least;
    most = isMost ? v : most;
    weightOfMost = isMost ? w : weightOfMost;
    least = isLeast ? v : least;
    weightOfLeast = isLeast ? w : weightOfLeast;
  }
  return (sum - weightOfMost * most - weightOfLeast * least) / max(weight - weightOfMost - weightOfLeast, 1e-6);
}

// The mean of its colour around, if the pixel is hot.
float withoutHeat(Sensor s, ivec2 p, float value, int once) {
  ivec2 q = p;
  int found = 0, other = 1;
  for (int k = 0; k < 2 * once; ++k) {
    ivec2 partner;
    other = verdict(s, q, valueAt(q), once, partner);
    if (k == 0) found = other;
    if (found != 1) break;
    q = partner;
  }
  return found > 0 && other > 0 ? meanAround(p, once) : value;
}
