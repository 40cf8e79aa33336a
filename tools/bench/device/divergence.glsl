#version 450
#extension GL_EXT_control_flow_attributes : require
// 32 threads in up to 32 branches, which all take the same time: 64 multiply-adds a step (Vannson 2023,
// section 3.2.4).
layout(local_size_x = 32) in;
layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Branches { uint branch[32]; };
layout(std430, binding = 2) writeonly buffer Result { uint steps; float last[32]; };

// Constants differ, so that no compiler makes one branch of two.
#define BRANCH(n)                                   \
  case n:                                           \
    for (; i < count; ++i) {                        \
      [[unroll]] for (int k = 0; k < 64; ++k) {     \
        v = fma(v, 0.25 + n / 128.0, 1.0 + n);      \
      }                                             \
    }                                               \
    break;

void main() {
  float v = float(gl_LocalInvocationIndex);
  uint i = 0;
  switch (branch[gl_LocalInvocationIndex]) {
    BRANCH(0) BRANCH(1) BRANCH(2) BRANCH(3) BRANCH(4) BRANCH(5) BRANCH(6) BRANCH(7)
    BRANCH(8) BRANCH(9) BRANCH(10) BRANCH(11) BRANCH(12) BRANCH(13) BRANCH(14) BRANCH(15)
    BRANCH(16) BRANCH(17) BRANCH(18) BRANCH(19) BRANCH(20) BRANCH(21) BRANCH(22) BRANCH(23)
    BRANCH(24) BRANCH(25) BRANCH(26) BRANCH(27) BRANCH(28) BRANCH(29) BRANCH(30) BRANCH(31)
  }
  last[gl_LocalInvocationIndex] = v;
  if (gl_LocalInvocationIndex == 0) {
    steps = i;
  }
}
