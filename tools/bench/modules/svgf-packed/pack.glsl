#include "packed.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  o.geometry = packGeometry(i.normal, i.depth);
  o.material = uvec2(0u);
}
