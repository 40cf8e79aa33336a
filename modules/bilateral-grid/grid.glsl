// The bilateral grid of Chen, Paris and Durand 2007: a third dimension, along which pixels lie by
// their value. There an edge is a distance, and the bilateral filter (Larsson 2015, equation 2.8) is a
// Gaussian blur of sums and of weights, for which a coarse grid suffices. We differ: each channel has
// its own grid, cells are blurred by the Gaussian's variance less that of adding pixels to cells and
// of reading between cells, and a pixel counts linearly for the two levels around it instead of the
// nearest one.

#include "shared/bilateral_taps.glsl"
#include "shared/colour.glsl"
#include "shared/finite.glsl"

// The value that decides a pixel's place among the levels.
#if DISTANCE == 0 && SAME_CHANNELS
WEIGHT valueOf(GUIDE edges) { return edges; }
#else
#if channels_guide > 0
const int tagOfEdges = colour_guide;
#else
const int tagOfEdges = colour_input;
#endif
WEIGHT valueOf(GUIDE edges) { return luminanceOf(edges, tagOfEdges); }
#endif

const float unitOfEdges = format_edges <= format_u16 ? 255.0 : 1.0;

// The level of a value, from 0 to LEVELS - 1; 0 if black equals white.
WEIGHT levelOf(Tap t) {
  float span = unitOfEdges * (param.white - param.black);
  float scale = span == 0.0 ? 0.0 : float(LEVELS - 1) / span;
  return clamp((valueOf(edgesOf(t)) - unitOfEdges * param.black) * scale, WEIGHT(0.0),
               WEIGHT(float(LEVELS - 1)));
}

// Pixels that are not finite have no weight, and stay unchanged.
bool counts(Tap t) { return isFinite(t.colour) && isFinite(edgesOf(t)); }
