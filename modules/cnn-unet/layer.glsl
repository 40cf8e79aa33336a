// A 3x3 convolution with bias: each invocation computes 16 channels of 4 pixels that lie in a row.
//
// Channels lie in blocks of 16, zeros behind the last one: [block][pixel][16] in halves, pixel after pixel. Two neighbouring channels
// are a word. A word of the weights has those of two channels of the input: [block of outputs][block of inputs][tap][8 pairs][16].
// `read` takes one word of a source as numbers.

#define READ_AT(read, column) \
  mix(vec2(0.0), read(block, k, ivec2(clamp(x + column, 0, width - 1), clampedRow)), \
      bvec2(isRow && x + column >= 0 && x + column < width))

// 4 channels of the 4 pixels, of one tap.
#define ADD(quad, a, b, c, d) { \
  uvec4 words = quads_weights.data[place + quad]; \
  vec2 w0 = unpackHalf2x16(words.x), w1 = unpackHalf2x16(words.y), w2 = unpackHalf2x16(words.z), w3 = unpackHalf2x16(words.w); \
  vec4 low = vec4(w0.x, w1.x, w2.x, w3.x), high = vec4(w0.y, w1.y, w2.y, w3.y); \
  sums[quad] = fma(vec4(a.y), high, fma(vec4(a.x), low, sums[quad])); \
  sums[4 + quad] = fma(vec4(b.y), high, fma(vec4(b.x), low, sums[4 + quad])); \
  sums[8 + quad] = fma(vec4(c.y), high, fma(vec4(c.x), low, sums[8 + quad])); \
  sums[12 + quad] = fma(vec4(d.y), high, fma(vec4(d.x), low, sums[12 + quad])); }

#if QUADS == 1
#define ADD_TAP(tap, a, b, c, d) { int place = first + 32 * tap; ADD(0, a, b, c, d) }
#elif QUADS == 2
#define ADD_TAP(tap, a, b, c, d) { int place = first + 32 * tap; ADD(0, a, b, c, d) ADD(1, a, b, c, d) }
#else
#define ADD_TAP(tap, a, b, c, d) { int place = first + 32 * tap; \
  ADD(0, a, b, c, d) ADD(1, a, b, c, d) ADD(2, a, b, c, d) ADD(3, a, b, c, d) }
#endif

// Adds a source of `count` blocks, whose weights begin at block `begin`.
#define ADD_SOURCE(read, count, begin) \
  for (int block = 0; block < count; ++block) { \
    for (int dy = 0; dy < 3; ++dy) { \
      int row = y + dy - 1; \
      int clampedRow = clamp(row, 0, height - 1); \
      bool isRow = row >= 0 && row < height; \
      for (int k = 0; k < 8; ++k) { \
        int first = ((outputBlock * inputBlocks + begin + block) * 9 + 3 * dy) * 32 + 4 * k; \
        vec2 v0 = READ_AT(read, -1), v1 = READ_AT(read, 0), v2 = READ_AT(read, 1); \
        vec2 v3 = READ_AT(read, 2), v4 = READ_AT(read, 3), v5 = READ_AT(read, 4); \
        ADD_TAP(0, v0, v1, v2, v3) \
        ADD_TAP(1, v1, v2, v3, v4) \
        ADD_TAP(2, v2, v3, v4, v5) \
      } \
    } \
  }

vec4 biasOf(int quad) { return uintBitsToFloat(quads_bias.data[quad]); }

// Half holds no more; so nothing infinite comes up, and no NaN.
vec4 activated(vec4 sum) { return clamp(sum, isRelu ? 0.0 : -65504.0, 65504.0); }

uvec4 packedEight(vec4 a, vec4 b) {
  vec4 low = activated(a);
  vec4 high = activated(b);
  return uvec4(packHalf2x16(low.xy), packHalf2x16(low.zw), packHalf2x16(high.xy), packHalf2x16(high.zw));
}

#ifdef IS_LAST
#include "finish.glsl"
#define STORE(pixel) finish(ivec2(x + pixel, y), activated(sums[4 * pixel]).xyz);
#else
#define STORE(pixel) \
  if (x + pixel < width) { \
    int place = 2 * ((outputBlock * height + y) * width + x + pixel); \
    quads_output.data[place] = packedEight(sums[4 * pixel], sums[4 * pixel + 1]); \
    quads_output.data[place + 1] = packedEight(sums[4 * pixel + 2], sums[4 * pixel + 3]); \
  }
#endif

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  const int across_ = (width + 3) / 4;
  int outputBlock = int(gl_WorkGroupID.y) / workgroupRows;
  int group = (int(gl_WorkGroupID.y) % workgroupRows * workgroupColumns + int(gl_WorkGroupID.x)) * 64 + int(gl_LocalInvocationID.x);
  int x = 4 * (group % across_);
  int y = group / across_;
  if (y >= height) { return; }
  vec4 sums[16];  // [pixel][4 channels]
  sums[0] = biasOf(4 * outputBlock);
  sums[1] = biasOf(4 * outputBlock + 1);
  sums[2] = biasOf(4 * outputBlock + 2);
  sums[3] = biasOf(4 * outputBlock + 3);
  sums[4] = sums[0];
  sums[5] = sums[1];
  sums[6] = sums[2];
  sums[7] = sums[3];
  sums[8] = sums[0];
  sums[9] = sums[1];
  sums[10] = sums[2];
  sums[11] = sums[3];
  sums[12] = sums[0];
  sums[13] = sums[1];
  sums[14] = sums[2];
  sums[15] = sums[3];
  ADD_SOURCES
  STORE(0)
  STORE(1)
  STORE(2)
  STORE(3)
}
