#version 450
#extension GL_EXT_control_flow_attributes : require
// Loads from shared memory by 32 threads at once, each at the address of its previous load, 64 a step. The
// table keeps threads in the banks that they start in (Vannson 2023, section 3.2.3).
layout(local_size_x = 32) in;
const uint words = 2048;
layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Table { uint next[words]; };
layout(std430, binding = 2) readonly buffer Start { uint start[32]; };
layout(std430, binding = 3) writeonly buffer Result { uint steps; uint last[32]; };
shared uint cells[words];

void main() {
  for (uint i = gl_LocalInvocationIndex; i < words; i += 32) {
    cells[i] = next[i];
  }
  barrier();
  uint at = start[gl_LocalInvocationIndex];
  uint i = 0;
  for (; i < count; ++i) {
    [[unroll]] for (int load = 0; load < 64; ++load) {
      at = cells[at];
    }
  }
  last[gl_LocalInvocationIndex] = at;
  if (gl_LocalInvocationIndex == 0) {
    steps = i;
  }
}
