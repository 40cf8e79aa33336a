// The bilateral filter: Larsson 2015, equations 2.8 and 2.9 (Tomasi and Manduchi 1998). Every schedule adds taps row by
// row from the top, each row from the left, with the arithmetic of gather(): so all give the same result.
// We differ: the range weight is exp2 with the Gaussian's constants drawn into one factor, and the input may be
// weighed by another image. Pixels are filtered in 8-bit levels where they are integers, else as they are.

#include "shared/border.glsl"

// What is filtered; alpha is not.
#if channels_input == 1
#define COLOUR float
#elif channels_input == 2
#define COLOUR vec2
#else
#define COLOUR vec3
#endif

// Where edges are looked for.
#if channels_guide == 0
#define GUIDE COLOUR
#define format_edges format_input
#elif channels_guide == 1
#define GUIDE float
#define format_edges format_guide
#elif channels_guide == 2
#define GUIDE vec2
#define format_edges format_guide
#else
#define GUIDE vec3
#define format_edges format_guide
#endif

// Channels have weights of their own where each is compared with itself; else one weight is for all.
#define SAME_CHANNELS (channels_guide == 0 || channels_guide == channels_input || (channels_guide >= 3 && channels_input >= 3))
#if DISTANCE == 0 && SAME_CHANNELS
#define WEIGHT COLOUR
#else
#define WEIGHT float
#endif

void take(vec4 v, out vec3 colour) { colour = v.rgb; }
void take(vec3 v, out vec3 colour) { colour = v; }
void take(vec2 v, out vec2 colour) { colour = v; }
void take(float v, out float colour) { colour = v; }

// 8-bit integers are exact, so that a difference of levels is the same number wherever it comes from.
void bytes(uint w, out vec3 levels) { levels = vec3(uvec3(w, w >> 8u, w >> 16u) & 255u); }
void bytes(uint w, out vec2 levels) { levels = vec2(uvec2(w, w >> 8u) & 255u); }
void bytes(uint w, out float levels) { levels = float(w & 255u); }

#if format_input <= format_u16
const float unit = 255.0;
#else
const float unit = 1.0;
#endif

COLOUR colourOf(word_input w) {
  COLOUR levels;
#if format_input == format_u8
  bytes(w, levels);
  return levels;
#else
  take(decode_input(w), levels);
  return levels * unit;
#endif
}

#if channels_guide > 0
GUIDE guideOf(word_guide w) {
  GUIDE levels;
#if format_guide == format_u8
  bytes(w, levels);
  return levels;
#else
  take(decode_guide(w), levels);
  return levels * (format_guide == format_u16 ? 255.0 : 1.0);
#endif
}
#endif

// What a pixel is to the filter.
struct Tap {
  COLOUR colour;
#if channels_guide > 0
  GUIDE guide;
#endif
};

GUIDE edgesOf(Tap t) {
#if channels_guide > 0
  return t.guide;
#else
  return t.colour;
#endif
}

Tap tapAt(ivec2 at) {
#if channels_guide > 0
  return Tap(colourOf(raw_input(at)), guideOf(raw_guide(at)));
#else
  return Tap(colourOf(raw_input(at)));
#endif
}

struct Acc {
  COLOUR sum;
  WEIGHT weight;
};

Acc start() { return Acc(COLOUR(0.0), WEIGHT(0.0)); }

float falloff() { return -0.72134752 / (param.sigma_range * param.sigma_range); }  // -log2(e) / 2

float squared(float d) { return d * d; }
float squared(vec2 d) { return fma(d.x, d.x, d.y * d.y); }
float squared(vec3 d) { return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)); }
float summed(float d) { return abs(d); }
float summed(vec2 d) { return abs(d.x) + abs(d.y); }
float summed(vec3 d) { return abs(d.x) + abs(d.y) + abs(d.z); }

// The squared difference that the range Gaussian is of.
WEIGHT squaredDistance(GUIDE d) {
#if DISTANCE == 0 && SAME_CHANNELS
  return d * d;
#elif DISTANCE == 3
  return WEIGHT(squared(summed(d)));
#else
  return WEIGHT(squared(d));
#endif
}

WEIGHT gaussianOf(GUIDE d, float falloff) { return exp2(squaredDistance(d) * falloff); }

// Variants may come by it in another way, and define OWN_TAP_WEIGHT and this function.
WEIGHT tapWeight(GUIDE d, float spatial, float falloff);
#ifndef OWN_TAP_WEIGHT
WEIGHT tapWeight(GUIDE d, float spatial, float falloff) { return spatial * gaussianOf(d, falloff); }
#endif

void gather(inout Acc a, GUIDE centre, Tap t, float spatial, float falloff) {
  WEIGHT w = tapWeight(edgesOf(t) - centre, spatial, falloff);
  a.sum = fma(COLOUR(w), t.colour, a.sum);
  a.weight += w;
}

// The input is there as often as the filter is applied; its alpha comes from the pixel itself.
void place(vec3 v, vec4 old, out vec4 pixel) { pixel = vec4(v, old.a); }
void place(vec3 v, vec3 old, out vec3 pixel) { pixel = v; }
void place(vec2 v, vec2 old, out vec2 pixel) { pixel = v; }
void place(float v, float old, out float pixel) { pixel = v; }

void finish(Acc a, ivec2 at) {
  Inputs i;
  i.input = decode_input(raw_input(at));
  place(a.sum * (1.0 / a.weight) * (1.0 / unit), i.input, i.input);
  store_output(at, i.input);
}

// Of pixels that stay as they are; false: the pixel is to be filtered.
bool isKept(ivec2 at, ivec2 extent) {
  bool keeps = borderKeeps(at, extent, param.radius, BORDER);
  if (keeps) {
    store_output(at, decode_input(raw_input(at)));
  }
  return keeps;
}

// The spatial weight, and the first and last column of a row's support.
float spatialWeight(int dx, int dy) {
  return array_weights.data[(dy + param.radius) * (2 * param.radius + 1) + dx + param.radius];
}
ivec2 reachOf(int dy, ivec2 columns) {
#if DISTANCE == 3
  int reach = int(array_weights.data[3969 + dy + param.radius]);
  return ivec2(max(-reach, columns.x), min(reach, columns.y));
#else
  return columns;
#endif
}
