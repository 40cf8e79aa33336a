// The layout of layers in memory. A picture is cut into 4 x 4 parts of `across` x `down` pixels. A fragment
// holds the 16 pixels at one place of all parts, 16 channels of each: a matrix. So convolutions, pooling and
// upsampling combine whole fragments. Around them is a ring of fragments with the pixels beyond each part's
// edges, which are those of the next part, or zeros outside the picture: [block of 16
// channels][row][column][pixel][channel], in halves or in floats. A group has an invocation for each cell of 16
// bytes of a fragment.
//
// A pixel's channels are in a row, except where matrices are used and the device keeps them in an order of
// its own (shared/matrix.glsl). The native code defines across, down, width and height (of the picture in
// pixels) of the kernel's output.

#include "arithmetic.glsl"

#if defined(LANES)
int laneNow = 0, groupNow = 0;  // a subgroup does the work of groups, eight cells at a time
int laneOf() { return laneNow; }
int groupOf() { return groupNow; }
#else
int laneOf() { return int(gl_LocalInvocationIndex) % FRAGMENT_CELLS; }
int groupOf() { return int(gl_LocalInvocationIndex) / FRAGMENT_CELLS; }
#endif

// `blocks_`: rows of workgroups go through the picture so many times.
int workgroupAt(int blocks_) {
  int rows_ = int(gl_NumWorkGroups.y) / blocks_;
  return int(gl_WorkGroupID.y) % rows_ * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x);
}

ivec2 positionOf(int row, int column, int pixel) {
  return ivec2(pixel % 4 * across + column, pixel / 4 * down + row);
}
bool isInPicture(ivec2 position) { return all(lessThan(position, ivec2(width, height))); }
