#version 450
#extension GL_EXT_control_flow_attributes : require
// The taps of a window around each pixel of a workgroup, from a tile in shared memory, by subgroups of a
// shape (Dolp, Hanika, Dachsbacher 2024, section 3.5 and supplementary): models/bank_shapes.h in GLSL.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int width = 16;    // of the workgroup
layout(constant_id = 2) const int tileWidth = 20;
layout(constant_id = 3) const int tileCells = 400;
layout(constant_id = 4) const int patternWidth = 4;
layout(constant_id = 5) const int patternHeight = 8;
layout(constant_id = 6) const int shapeWidth = 4;
layout(constant_id = 7) const int shapeHeight = 8;
layout(constant_id = 8) const int shift = 0;
const int taps = 5;  // across and down
layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Tile { uint none; uint words[]; };
layout(std430, binding = 2) writeonly buffer Result { uint steps; uint sums[]; };
shared uint tile[tileCells];

ivec2 cellOf(int i) {
  int lane = i % (shapeWidth * shapeHeight), subgroup = i / (shapeWidth * shapeHeight);
  ivec2 cell = ivec2(subgroup % (width / shapeWidth), subgroup / (width / shapeWidth));
  cell = cell * ivec2(shapeWidth, shapeHeight) + ivec2(lane % shapeWidth, lane / shapeWidth);
  ivec2 first = cell / ivec2(patternWidth, patternHeight) * ivec2(patternWidth, patternHeight);
  if (shapeHeight < patternHeight) {
    cell.y = first.y + (cell.y - first.y + cell.x / patternWidth * shift) % patternHeight;
  } else if (shapeHeight > patternHeight) {
    cell.x = first.x + (cell.x - first.x + cell.y / patternHeight * shift) % patternWidth;
  }
  return cell;
}

void main() {
  int own = int(gl_LocalInvocationIndex);
  for (int i = own; i < tileCells; i += int(gl_WorkGroupSize.x)) { tile[i] = words[i]; }
  barrier();
  ivec2 cell = cellOf(own);
  int at = cell.y * tileWidth + cell.x;
  uint sum = 0u, i = 0u;
  for (; i < count; ++i) {
    at += int(sum & none);  // 0, so that no step is left out
    sum = 0u;
    [[unroll]] for (int y = 0; y < taps; ++y) {
      [[unroll]] for (int x = 0; x < taps; ++x) { sum += tile[at + y * tileWidth + x]; }
    }
  }
  sums[cell.y * width + cell.x] = sum;
  if (own == 0) { steps = i; }
}
