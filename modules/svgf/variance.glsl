// An invocation for each pixel.
#include "deviation.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 state = load_state(p.position);
  store_output(p.position, state.a >= 0.0 ? vec4(state.rgb, blurred(state.a, p)) : spatial(state.rgb, p));
}
