// Which bins hold more than 1/2 in some pixel of a block of pixels: a bit each. Two numbers of at most 1/2 never count in a
// distance. An invocation takes a column of a block.

#include "histogram.glsl"

const int words = (bins + 31) / 32;
const int blocks = int(gl_WorkGroupSize.x) / blockSide;

shared uint found[words * blocks];

void run(Pixel pixel) {
  store_grid(pixel.position, 0.0);
  int own = int(gl_LocalInvocationID.x);
  int x = min(pixel.position.x, width - 1);
  int y = pixel.position.y * blockSide;
  for (int i = own; i < words * blocks; i += int(gl_WorkGroupSize.x)) { found[i] = 0u; }
  barrier();
  for (int w = 0; w < words; ++w) {
    uint bits = 0u;
    for (int bin = 32 * w; bin < min(32 * w + 32, bins); ++bin) {
      bool any_ = false;
      for (int row = y; row < min(y + blockSide, height); ++row) {
        any_ = at_histogram(bin, row * width + x) > 0.5 || any_;
      }
      bits |= any_ ? 1u << (bin - 32 * w) : 0u;
    }
    atomicOr(found[w * blocks + own / blockSide], bits);
  }
  barrier();
  int block = pixel.position.x / blockSide;
  if (own % blockSide == 0 && block < blockColumns) {
    for (int w = 0; w < words; ++w) {
      array_used.data[(w * blockRows + pixel.position.y) * blockColumns + block] = found[w * blocks + own / blockSide];
    }
  }
}
