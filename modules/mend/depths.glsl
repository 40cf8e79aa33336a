// The most that a block's colours are below zero; 0 if none is.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

shared vec3 most[64];

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  bool inside = param.lift && all(lessThan(p.position, p.extent));
  most[own] = inside ? max(-asColour(load_input(p.position)).rgb, vec3(0.0)) : vec3(0.0);
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (own < half_) { most[own] = max(most[own], most[own + half_]); }
    barrier();
  }
  if (own == 0) { store_below(p.position / blockSide, vec4(most[0], 0.0)); }
}
