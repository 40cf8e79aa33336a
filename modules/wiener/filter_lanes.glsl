// A group of blocks, by a workgroup of eight, which is one subgroup on devices whose subgroups have eight
// invocations: one has every eighth block, or all blocks' coefficients at every eighth four frequencies, or
// every eighth column. A block's columns lie one after the other, in fours.

#extension GL_KHR_shader_subgroup_basic : enable
#include "shared.glsl"

#define Value vec4
#include "transform.glsl"
#include "spectrum.glsl"
#include "sums.glsl"

const int QUADS = PIXELS / 4;

shared vec4 blocks[GROUP * QUADS];
shared uint squares[3];

void await() {
  if (gl_SubgroupSize == 8u) {
    subgroupBarrier();
  } else {
    barrier();
  }
}

void loadBlock(int k, int place, ivec2 extent, int plane) {
  ivec2 corner = ivec2(place & 0xffff, place >> 16);
  for (int x = 0; x < 8; ++x) {
    int first = plane * extent.x * extent.y + min(corner.x + x, extent.x - 1);
    float v[8];
    [[unroll]] for (int y = 0; y < 8; ++y) {
      v[y] = float(array_planes.data[first + min(corner.y + y, extent.y - 1) * extent.x]);
    }
    transformEight(v);
    blocks[k * QUADS + 2 * x] = vec4(v[0], v[1], v[2], v[3]);
    blocks[k * QUADS + 2 * x + 1] = vec4(v[4], v[5], v[6], v[7]);
  }
}

#define ROWS(change)                                                                          \
  for (int i = int(gl_LocalInvocationID.x); i < 2 * GROUP; i += 8) {                          \
    int first = i / 2 * QUADS + i % 2;                                                        \
    vec4 v[8];                                                                                \
    [[unroll]] for (int x = 0; x < 8; ++x) { v[x] = blocks[first + 2 * x]; }                  \
    change(v);                                                                                \
    [[unroll]] for (int x = 0; x < 8; ++x) { blocks[first + 2 * x] = v[x]; }                  \
  }

void loadBlocks(int first, ivec2 extent, int plane) {
  for (int k = int(gl_LocalInvocationID.x); k < GROUP; k += 8) {
    loadBlock(k, int(array_places.data[first + k]), extent, plane);
  }
  await();
  ROWS(transformEight)
  await();
}

void addColumns(int first, ivec2 extent, int c) {
  int x = int(gl_LocalInvocationID.x), plane = extent.x * extent.y;
  float weight = weightOf(float(squares[0]) / squaresOne);
  for (int k = 0; k < GROUP; ++k) {
    int place = int(array_places.data[first + k]);
    ivec2 corner = ivec2(place & 0xffff, place >> 16);
    vec4 low = blocks[k * QUADS + 2 * x], high = blocks[k * QUADS + 2 * x + 1];
    float v[8] = float[](low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w);
    restoreEight(v);
    [[unroll]] for (int y = 0; y < 8; ++y) {
      ivec2 at = corner + ivec2(x, y);
      if (all(lessThan(at, extent))) {
        float w = weightAt(weight, x, y);
        addValue(at.y * extent.x + at.x, plane, c, w, v[y]);
        if (c == 0) { addWeight(at.y * extent.x + at.x, plane, w); }
      }
    }
  }
}

vec4 variancesAt(Spectrum s, int c, int quad) {
  vec4 v;
  for (int i = 0; i < 4; ++i) { v[i] = varianceAt(s, c, quad / 2, quad % 2 * 4 + i); }
  return v;
}

void run(Pixel unused) {
  ivec2 extent = extentOfPlanes(), groups = extentOfGroups(), group = ivec2(gl_WorkGroupID.xy);
  int lane = int(gl_LocalInvocationID.x);
  int first = (group.y * groups.x + group.x) * GROUP;
  Spectrum s = spectrumOfNoise();
  if (lane < 3) { squares[lane] = 0u; }
  for (int c = 0; c < 3; ++c) {
    vec4 pilots[2 * GROUP];
    loadBlocks(first, extent, c);
    float mean = varianceAt(s, c, 0, 0);
    [[unroll]] for (int turn = 0; turn < 2; ++turn) {
      int quad = lane + 8 * turn;
      vec4 v[GROUP];
      [[unroll]] for (int k = 0; k < GROUP; ++k) { v[k] = blocks[k * QUADS + quad]; }
      vec4 variance = variancesAt(s, c, quad);
      vec4 sums = squaresOf(v, variance);
      [[unroll]] for (int k = 0; k < GROUP; ++k) { pilots[turn * GROUP + k] = v[k]; }
      uvec4 whole = uvec4(wholeSquares(sums, variance / mean));
      atomicAdd(squares[c], whole.x + whole.y + whole.z + whole.w);
    }
    await();
    loadBlocks(first, extent, c + 3);
    [[unroll]] for (int turn = 0; turn < 2; ++turn) {
      int quad = lane + 8 * turn;
      vec4 v[GROUP], pilot[GROUP];
      [[unroll]] for (int k = 0; k < GROUP; ++k) {
        v[k] = blocks[k * QUADS + quad];
        pilot[k] = pilots[turn * GROUP + k];
      }
      filterGroup(v, pilot, variancesAt(s, c, quad));
      [[unroll]] for (int k = 0; k < GROUP; ++k) { blocks[k * QUADS + quad] = v[k]; }
    }
    await();
    ROWS(restoreEight)
    await();
    addColumns(first, extent, c);
    await();
  }
}
