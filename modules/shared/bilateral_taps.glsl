// Input of a bilateral filter: pixels' colours, and the values of their weights. A kernel that includes this
// has an image `input` and perhaps an image `guide` to be weighed by; it defines DISTANCE
// (bilateral_types.glsl), and format_values where `input` holds values of an image of another format than its
// own.

#ifndef format_values
#define format_values format_input
#endif
#define CHANNELS channels_input
#include "shared/bilateral_types.glsl"

// 8-bit integers are exact, so that a difference of levels is the same number wherever it comes from.
void bytes(uint w, out vec3 levels) { levels = vec3(uvec3(w, w >> 8u, w >> 16u) & 255u); }
void bytes(uint w, out vec2 levels) { levels = vec2(uvec2(w, w >> 8u) & 255u); }
void bytes(uint w, out float levels) { levels = float(w & 255u); }

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

// The filter's view of a pixel.
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
