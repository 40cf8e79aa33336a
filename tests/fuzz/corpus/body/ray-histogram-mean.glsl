#include "sample.glsl"

// Last frame's values are zeros in the first frame.
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 light;
  bool counts = takeSample(asColour(i.input), light);
  vec4 mean = premultiplied(asColour(i.mean));
  o.count = i.counted + (counts ? 1.0 : 0.0);
  if (counts) { mean += (light - mean) / o.count; }
  narrow(unpremultiplied(mean), o.output);
}
