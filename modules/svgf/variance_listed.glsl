// A workgroup lists its pixels of short history, so that their taps fill whole subgroups: in most subgroups some
// pixel has one.
#include "deviation.glsl"

const int columns = int(gl_WorkGroupSize.x), threads = columns * int(gl_WorkGroupSize.y);
shared uint shortCount;
shared uint shortPixels[threads];

void run(Pixel p) {
  if (gl_LocalInvocationIndex == 0u) { shortCount = 0u; }
  barrier();
  if (all(lessThan(p.position, p.extent))) {
    vec4 state = load_state(p.position);
    if (state.a >= 0.0) {
      store_output(p.position, vec4(state.rgb, blurred(state.a, p)));
    } else {
      shortPixels[atomicAdd(shortCount, 1u)] = gl_LocalInvocationIndex;
    }
  }
  barrier();
  Pixel each = p;
  for (uint i = gl_LocalInvocationIndex; i < shortCount; i += uint(threads)) {
    int at = int(shortPixels[i]);
    each.position = p.position - ivec2(gl_LocalInvocationID.xy) + ivec2(at % columns, at / columns);
    store_output(each.position, spatial(load_state(each.position).rgb, each));
  }
}
