// Colours of the filtered image, and the pixels of a patch.

#include "histogram.glsl"
#include "shared/colour.glsl"
#include "shared/finite.glsl"

// The patch of p covers the pixel in its middle, and those around it inside the image.
bool covers(ivec2 p, ivec2 k) { return contains(p) && max(abs(k.x), abs(k.y)) <= roomAt(p); }

vec4 colourAt(ivec2 p) { return asColour(load_input(p)); }

// Colours that aren't numbers weigh nothing.
float weightOf(vec4 v) { return isFinite(v) ? 1.0 : 0.0; }
