// The bins that hold more than 1/2 in some pixel of a block of pixels: a bit each. Two numbers of at most 1/2
// never count in a distance. An invocation takes a column of a block.

#extension GL_EXT_control_flow_attributes : enable
#include "histogram.glsl"

const int words = (bins + 31) / 32;
const int blocks = int(gl_WorkGroupSize.x) / blockSide;

shared uint found[words * blocks];

void run(Pixel pixel) {
  int own = int(gl_LocalInvocationID.x);
  int x = min(pixel.position.x, width - 1);
  int y = pixel.position.y * blockSide;
  for (int i = own; i < words * blocks; i += int(gl_WorkGroupSize.x)) { found[i] = 0u; }
  barrier();
  for (int w = 0; w < words; ++w) {
    uint bits = 0u;
    for (int bin = 32 * w; bin < min(32 * w + 32, bins); ++bin) {
      float most = 0.0;
      [[unroll]] for (int row = 0; row < blockSide; ++row) {
        float v = at_histogram(bin, min(y + row, height - 1) * width + x);
        most = v > most ? v : most;  // also beside NaN
      }
      bits |= most > 0.5 ? 1u << (bin - 32 * w) : 0u;
    }
    atomicOr(found[w * blocks + own / blockSide], bits);
  }
  barrier();
  int block = pixel.position.x / blockSide;
  if (own % blockSide == 0 && block < blockColumns) {
    for (int w = 0; w < words; ++w) {
      array_used.data[(w * blockRows + pixel.position.y) * blockColumns + block] =
          found[w * blocks + own / blockSide];
    }
  }
}
