// Bias and ReLU of a layer's sums, for unfused layers.

#include "activated.glsl"
#include "pass.glsl"

uvec4 computed(int block, int row, int column) {
  uvec4 eight = inRows(quads_source0.data[place0(block, row, column) + laneOf()]);
  int first = firstBias + 4 * block + laneOf() % 2 * 2;
  vec4 low = uintBitsToFloat(quads_bias.data[first]), high = uintBitsToFloat(quads_bias.data[first + 1]);
  return activatedEight(uvec4(
      packHalf2x16(unpackHalf2x16(eight.x) + low.xy), packHalf2x16(unpackHalf2x16(eight.y) + low.zw),
      packHalf2x16(unpackHalf2x16(eight.z) + high.xy), packHalf2x16(unpackHalf2x16(eight.w) + high.zw)));
}
