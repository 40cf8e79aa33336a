#version 450
// Multiply-adds in f32, 64 a step: eight independent chains in a thread, so that none waits for another.
layout(local_size_x_id = 0) in;
layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Factors { float a, b; };
layout(std430, binding = 2) writeonly buffer Result { uint steps; float last; };

#define ROWS v0 = fma(v0, a, b); v1 = fma(v1, a, b); v2 = fma(v2, a, b); v3 = fma(v3, a, b); \
  v4 = fma(v4, a, b); v5 = fma(v5, a, b); v6 = fma(v6, a, b); v7 = fma(v7, a, b);

void main() {
  float v0 = float(gl_LocalInvocationIndex), v1 = v0 + 1.0, v2 = v0 + 2.0, v3 = v0 + 3.0;
  float v4 = v0 + 4.0, v5 = v0 + 5.0, v6 = v0 + 6.0, v7 = v0 + 7.0;
  uint i = 0;
  for (; i < count; ++i) {
    ROWS ROWS ROWS ROWS ROWS ROWS ROWS ROWS
  }
  const float sum = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;
  if (gl_GlobalInvocationID.x == 0) {
    steps = i;
  }
  if (isinf(sum)) {  // never true, which compilers can't know
    last = sum;
  }
}
