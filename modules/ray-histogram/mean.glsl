#include "shared/colour.glsl"
#include "shared/finite.glsl"

// Last frame's values are zeros in the first frame. Pixels with a NaN or an infinity are not counted.
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 light = asColour(i.input);
  bool counts = isFinite(light);
  vec4 mean = asColour(i.mean);
  o.count = i.counted + (counts ? 1.0 : 0.0);
  if (counts) { mean += (light - mean) / o.count; }
  narrow(mean, o.output);
}
