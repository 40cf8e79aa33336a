// For workgroups of whole blocks of 8x8 pixels, whose cells lie one after another in shared memory.
#include "shared/blocks.glsl"

const int threads = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
const int blockCells = blockSide * blockSide;

// The invocation's place in its block.
int ownCell() {
  return int(gl_LocalInvocationID.y) % blockSide * blockSide + int(gl_LocalInvocationID.x) % blockSide;
}

// The first cell of its block.
int firstCell() {
  ivec2 block = ivec2(gl_LocalInvocationID.xy) / blockSide;
  return blockCells * (block.y * (int(gl_WorkGroupSize.x) / blockSide) + block.x);
}
