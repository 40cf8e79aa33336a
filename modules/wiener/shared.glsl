// What match and the filters share: blocks, and where groups lie.

#extension GL_EXT_control_flow_attributes : enable

const int BLOCK = 8;
const int PIXELS = BLOCK * BLOCK;

ivec2 extentOfPlanes() { return ivec2(array_size.data[0], array_size.data[1]); }
ivec2 extentOfGroups() { return ivec2(array_size.data[2], array_size.data[3]); }

// The last block's corner. A picture smaller than a block has one.
ivec2 lastBlock(ivec2 extent) { return max(extent - BLOCK, 0); }

// The corner of a group's first block.
ivec2 cornerOf(ivec2 group, ivec2 extent) { return min(STEP * group, lastBlock(extent)); }
