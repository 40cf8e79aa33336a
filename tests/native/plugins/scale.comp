#version 450
layout(local_size_x = 16, local_size_y = 8) in;
layout(push_constant) uniform Push { ivec2 extent; int level; int frameIndex; int frameFirst; } push;
layout(std140, binding = 0) uniform Parameters { int way; int seed; float gain; } param;
layout(std430, binding = 1) readonly buffer Input { float pixels[]; };
layout(std430, binding = 2) readonly buffer Weights { float w[]; };
layout(std430, binding = 3) writeonly buffer Output { float result[]; };

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, push.extent))) { return; }
  int i = p.y * push.extent.x + p.x;
  result[i] = (pixels[i] * w[0] + w[1]) * param.gain;
}
