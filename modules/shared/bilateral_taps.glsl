// What a bilateral filter works on: pixels' colours, and what they are weighed by. A kernel that includes this has an image
// `input` and perhaps an image `guide` to be weighed by; it defines DISTANCE, 0 where each channel is weighed alone,
// and format_values where `input` holds values of an image of another format than its own.
// Pixels are in 8-bit levels where they are integers, else as they are.

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
#define format_edges format_values
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

#ifndef format_values
#define format_values format_input
#endif
#if format_values <= format_u16
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
