// The network's input: 16 channels of each pixel in each of `blocks`. Each group writes as many fragments as a pixel
// has cells (lattice.glsl).

#define FINISHED(eight) (eight)
#include "keep.glsl"
#include "features_at.glsl"

DEFINE_RING(outputAt, isAtEdge, keepRing, quads_output.data, across, down)

const int perWorkgroup = int(gl_WorkGroupSize.y) * PIXEL_CELLS;
const int blockCells = perWorkgroup * FRAGMENT_CELLS;
shared uvec4 made[blocks * blockCells];

uvec4 cellFrom(float v[16 * blocks], int i) {
  int next = min(i + 4, 16 * blocks - 4);
  return cellOfChannels(vec4(v[i], v[i + 1], v[i + 2], v[i + 3]),
                        vec4(v[next], v[next + 1], v[next + 2], v[next + 3]));
}

// POOL x POOL pixels of the picture become one.
void makePixel(int cell, ivec2 position) {
  float v[16 * blocks];
  for (int y = 0; y < POOL; ++y) {
    for (int x = 0; x < POOL; ++x) {
      float of[16 * blocks];
      featuresAt(POOL * position + ivec2(x, y), of);
      for (int i = 0; i < 16 * blocks; ++i) { v[i] = x + y == 0 ? of[i] : max(v[i], of[i]); }
    }
  }
  bool isThere = isInPicture(position);
  [[unroll]] for (int block = 0; block < blocks; ++block) {
    [[unroll]] for (int i = 0; i < PIXEL_CELLS; ++i) {
      made[block * blockCells + cell + i] =
          isThere ? cellFrom(v, 16 * block + CELL_CHANNELS * i) : uvec4(0u);
    }
  }
}

void run(Pixel unused) {
  int fragments = across * down, first = workgroupAt(1) * perWorkgroup, local = int(gl_LocalInvocationIndex);
  // Neighbours load neighbouring pixels.
  int own = min(first + local % perWorkgroup, fragments - 1), pixel = local / perWorkgroup;
  makePixel(local % perWorkgroup * FRAGMENT_CELLS + PIXEL_CELLS * pixel, positionOf(own / across, own % across, pixel));
  barrier();
  [[unroll]] for (int i = 0; i < PIXEL_CELLS * blocks; ++i) {
    int fragment = groupOf() * PIXEL_CELLS + i % PIXEL_CELLS, at = first + fragment, block = i / PIXEL_CELLS,
        cell = block * blockCells + fragment * FRAGMENT_CELLS;
    if (at < fragments) {
      KEEP_CELLS(quads_output.data, outputAt(block, at / across, at % across), made, cell)
      if (isAtEdge(at / across, 1, at % across)) {
        keepRing(block, at / across, at % across, made[cell + laneOf()]);
      }
    }
  }
}
