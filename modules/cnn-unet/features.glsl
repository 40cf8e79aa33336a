// The network's input: 16 channels of each pixel in each of `blocks`, with the size extended by reflection at
// the last column and row. Each group of 32 invocations writes two fragments (lattice.glsl).

#include "clean.glsl"
#define FINISHED(eight) (eight)
#include "keep.glsl"
#include "transfer.glsl"

vec3 colourAt(ivec2 p) {
  vec3 colour = exposureOf() * cleanColour(load_input(p).rgb);
  return encode(demodulates ? colour / networkDivisor(load_albedo(p).rgb) : colour);
}
vec3 albedoAt(ivec2 p) { return cleanAlbedo(load_albedo(p).rgb); }
vec3 normalAt(ivec2 p) { return cleanNormal(load_normal(p)); }
#if channels_depth > 0
float depthAt(ivec2 p) {
  float near = cleanNearness(load_depth(p));
  float mean = array_nearness.data[0];
  return near > 0.0 ? mean / (mean + near) : 1.0;
}
#else
float depthAt(ivec2 p) { return 0.5; }  // unknown depths are at the mean distance
#endif

#if HAS_PAST
vec3 accumulatedAt(ivec2 p) { return load_accumulated(p).rgb; }
vec2 doubtAt(ivec2 p) { return vec2(load_accumulated(p).a, load_relit(p).a); }
vec3 warpedAt(ivec2 p) { return load_warped(p).rgb; }
vec3 relitAt(ivec2 p) { return load_relit(p).rgb; }
float validAt(ivec2 p) { return load_warped(p).a; }
#endif
#if HAS_FILTERED
vec3 filteredAt(ivec2 p) { return encode(exposureOf() * cleanColour(load_filtered(p).rgb)); }
#endif

DEFINE_RING(outputAt, isAtEdge, keepRing, quads_output.data, across, down)

const int perWorkgroup = int(gl_WorkGroupSize.y) * 2;
const int blockCells = perWorkgroup * FRAGMENT_CELLS;
shared uvec4 made[blocks * blockCells];

uvec4 eightOf(float v[16 * blocks], int i) {
  return uvec4(packHalf2x16(vec2(v[i], v[i + 1])), packHalf2x16(vec2(v[i + 2], v[i + 3])),
               packHalf2x16(vec2(v[i + 4], v[i + 5])), packHalf2x16(vec2(v[i + 6], v[i + 7])));
}

// fedcb|abcdef|edcba
ivec2 reflected(ivec2 p) {
  ivec2 last = ivec2(inputWidth, inputHeight) - 1;
  return last - abs(last - p % max(2 * last, 1));
}

// POOL x POOL pixels of the picture become one.
void makePixel(int cell, ivec2 position) {
  float v[16 * blocks];
  for (int y = 0; y < POOL; ++y) {
    for (int x = 0; x < POOL; ++x) {
      ivec2 p = partOrigin() + reflected(POOL * position + ivec2(x, y));
      float of[16 * blocks];
      FILL
      for (int i = 0; i < 16 * blocks; ++i) { v[i] = x + y == 0 ? of[i] : max(v[i], of[i]); }
    }
  }
  bool isThere = isInPicture(position);
  [[unroll]] for (int block = 0; block < blocks; ++block) {
    made[block * blockCells + cell] = isThere ? eightOf(v, 16 * block) : uvec4(0u);
    made[block * blockCells + cell + 1] = isThere ? eightOf(v, 16 * block + 8) : uvec4(0u);
  }
}

void run(Pixel unused) {
  int fragments = across * down, first = workgroupAt() * perWorkgroup, local = int(gl_LocalInvocationIndex);
  // Neighbours load neighbouring pixels.
  int own = min(first + local % perWorkgroup, fragments - 1), pixel = local / perWorkgroup;
  makePixel(local % perWorkgroup * FRAGMENT_CELLS + 2 * pixel, positionOf(own / across, own % across, pixel));
  barrier();
  [[unroll]] for (int i = 0; i < 2 * blocks; ++i) {
    int fragment = groupOf() * 2 + i % 2, at = first + fragment, block = i / 2,
        cell = block * blockCells + fragment * FRAGMENT_CELLS;
    if (at < fragments) {
      KEEP_CELLS(quads_output.data, outputAt(block, at / across, at % across), made, cell)
      if (isAtEdge(at / across, 1, at % across)) {
        keepRing(block, at / across, at % across, made[cell + laneOf()]);
      }
    }
  }
}
