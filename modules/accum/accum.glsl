#include "shared/finite.glsl"

// Last frame's values are zeros in the first frame. Values that aren't finite are omitted: they would stay
// forever.
void apply(Inputs i, inout Outputs o, Pixel p) {
  float before = param.reset ? 0.0 : i.counted;
  bool counts = isFinite(i.input);
  float n = before + (counts ? 1.0 : 0.0);
  if (param.window > 0) { n = min(n, float(param.window)); }
  o.count = n;
  o.output = i.mean * min(before, 1.0);
  if (counts) { o.output += (i.input - o.output) / n; }
}
