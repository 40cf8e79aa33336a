#version 450
// The entries of a ring, one in each cache line, for latency.glsl.
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint lineWords = 32;
layout(std430, binding = 1) readonly buffer Ring { uint ring[]; };
layout(std430, binding = 2) writeonly buffer Memory { uint memory[]; };

void main() {
  const uint entry = gl_GlobalInvocationID.x;
  if (entry < ring.length()) {
    memory[entry * lineWords] = ring[entry] * lineWords;
  }
}
