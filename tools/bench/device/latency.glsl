#version 450
#extension GL_EXT_control_flow_attributes : require
// Loads from global memory, each at the address that the previous one returned, so that nothing overlaps
// (Vannson 2023, section 3.2.1). 64 a step.
layout(local_size_x = 1) in;
layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Memory { uint next[]; };
layout(std430, binding = 2) writeonly buffer Result { uint steps; uint last; };

void main() {
  uint at = 0;
  uint i = 0;
  for (; i < count; ++i) {
    [[unroll]] for (int load = 0; load < 64; ++load) {
      at = next[at];
    }
  }
  steps = i;
  last = at;
}
