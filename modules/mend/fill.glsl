// Fills pixels that aren't finite, and lone ones that are brighter than their surroundings together. A kernel, because
// it looks further only where neighbours leave doubt.
#extension GL_EXT_control_flow_attributes : enable
#include "shared/colour.glsl"
#include "shared/finite.glsl"

const int nearPx = 8, farPx = 32;  // of surroundings
const float alike = 0.25;          // of a pixel's light: another one with as much is of its kind
const int fewAlike = 3;            // so many of a kind are light that few samples find

const float absent = -1.0;
const float counted = 1.0;  // in the alpha of `lamps`: a pixel whose light is dropped

bool isInside(ivec2 q) { return all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, extent_input)); }
vec4 pixelAt(ivec2 q) { return asColour(load_input(q)); }
float amountOf(vec4 v) { return max(max(abs(v.r), abs(v.g)), abs(v.b)); }
// Of its light, or absent.
float amountAt(ivec2 q) {
  if (!isInside(q)) { return absent; }
  vec4 v = pixelAt(q);
  return isFinite(v) ? amountOf(v) : absent;
}

// Whether the pixel has more light than all others within a radius together, but the brightest: that may be another
// such pixel. At the picture's edges their mean counts.
bool exceeds(float own, ivec2 p, int radius) {
  float most = 0.0, others = 0.0;
  int count = 0;
  for (int y = -radius; y <= radius && others < own; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      float amount = x == 0 && y == 0 ? absent : amountAt(p + ivec2(x, y));
      if (amount >= 0.0) {
        others += min(most, amount);
        most = max(most, amount);
        ++count;
      }
    }
  }
  int whole = (2 * radius + 1) * (2 * radius + 1) - 1;
  return count >= 3 && own * float(count) > others * float(whole);
}

bool hasFewAlike(float own, ivec2 p) {
  int count = -1;  // not the pixel itself
  ivec2 first = max(p - farPx, ivec2(0)), last = min(p + farPx, extent_input - 1);
  for (int y = first.y; y <= last.y && count < fewAlike; ++y) {
    for (int x = first.x; x <= last.x; ++x) { count += amountAt(ivec2(x, y)) >= alike * own ? 1 : 0; }
  }
  return count < fewAlike;
}

bool isOtherSurface(ivec2 p, ivec2 q) {
  bool isOther = false;
  if (has_albedo) { isOther = any(greaterThan(abs(load_albedo(p).rgb - load_albedo(q).rgb), vec3(0.1))); }
  if (has_normal) {
    vec3 a = load_normal(p), b = load_normal(q);
    isOther = isOther || dot(a, b) < 0.9 * sqrt(dot(a, a) * dot(b, b));
  }
  if (has_depth) {
    float a = load_depth(p), b = load_depth(q);
    isOther = isOther || abs(a - b) > 0.1 * min(abs(a), abs(b));
  }
  return isOther;
}

// A small lamp: no neighbour on its surface is dark.
bool isLamp(float own, ivec2 p) {
  bool lights = has_albedo || has_normal || has_depth;
  [[dont_unroll]] for (int k = 0; k < 9; ++k) {
    ivec2 q = p + ivec2(k % 3, k / 3) - 1;
    float amount = k == 4 ? absent : amountAt(q);
    if (amount >= 0.0 && amount < alike * own) { lights = lights && isOtherSurface(p, q); }
  }
  return lights;
}

// The neighbour of median luminance; if none is finite, the mean of the nearest ones that are.
vec4 surroundingsOf(ivec2 p) {
  vec4 colours[8];
  float luminances[8];
  int count = 0;
  [[dont_unroll]] for (int k = 0; k < 9; ++k) {
    ivec2 q = p + ivec2(k % 3, k / 3) - 1;
    if (k != 4 && amountAt(q) >= 0.0) {
      vec4 colour = pixelAt(q);
      float l = luminanceOf(colour, colour_input);
      int at = count++;
      for (; at > 0 && luminances[at - 1] > l; --at) {
        luminances[at] = luminances[at - 1];
        colours[at] = colours[at - 1];
      }
      luminances[at] = l;
      colours[at] = colour;
    }
  }
  if (count > 0) { return colours[(count - 1) / 2]; }
  for (int radius = 2; radius <= farPx; ++radius) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8 * radius; ++i) {
      int side = i / (2 * radius), along = i % (2 * radius) - radius;
      ivec2 d = side == 0 ? ivec2(along, -radius)
              : side == 1 ? ivec2(radius, along)
              : side == 2 ? ivec2(-along, radius)
                          : ivec2(-radius, -along);
      if (amountAt(p + d) >= 0.0) {
        sum += pixelAt(p + d);
        ++count;
      }
    }
    if (count > 0) { return sum / float(count); }
  }
  return vec4(0.0);
}

void run(Pixel p) {
  ivec2 at = p.position;
  if (any(greaterThanEqual(at, extent_input))) { return; }
  vec4 own = pixelAt(at);
  bool isNumber = isFinite(own);
  float amount = amountOf(own);
  bool isLone = isNumber && exceeds(amount, at, 1) && exceeds(amount, at, nearPx) && hasFewAlike(amount, at);
  vec4 lamp = vec4(0.0), mended = own;
  if (!isNumber || isLone) { mended = surroundingsOf(at); }
  if (isLone) {
    mended.a = own.a;
    lamp = isLamp(amount, at) ? vec4(own.rgb - mended.rgb, 0.0) : vec4(0.0, 0.0, 0.0, counted);
  }
  Inputs i;
  narrow(mended, i.input);
  store_output(at, i.input);
  store_lamps(at, lamp);
}
