// The network's input: 16 channels of each pixel in each of `blocks`, with the size extended by reflection at
// the last column and row, or by zeros. Each group writes as many fragments as a pixel has cells (lattice.glsl).

#include "clean.glsl"
#define FINISHED(eight) (eight)
#include "keep.glsl"
#include "transfer.glsl"

vec3 colourAt(ivec2 p) {
#if CURVE == CURVE_SIGNED_UNIT
  return encode(cleanNormal(load_input(p).rgb));
#else
  vec3 colour = exposureOf() * cleanColour(load_input(p).rgb);
  return encode(demodulates ? colour / networkDivisor(load_albedo(p).rgb) : colour);
#endif
}
vec3 albedoAt(ivec2 p) { return cleanAlbedo(load_albedo(p).rgb); }
vec3 normalAt(ivec2 p) {
  vec3 normal = cleanNormal(load_normal(p));
  return isOidn ? normal * 0.5 + 0.5 : normal;
}
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

const int perWorkgroup = int(gl_WorkGroupSize.y) * PIXEL_CELLS;
const int blockCells = perWorkgroup * FRAGMENT_CELLS;
shared uvec4 made[blocks * blockCells];

uvec4 cellFrom(float v[16 * blocks], int i) {
  int next = min(i + 4, 16 * blocks - 4);
  return cellOfChannels(vec4(v[i], v[i + 1], v[i + 2], v[i + 3]),
                        vec4(v[next], v[next + 1], v[next + 2], v[next + 3]));
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
      ivec2 at = POOL * position + ivec2(x, y), p = partOrigin() + reflected(at);
      float of[16 * blocks];
      FILL
      if (isOidn && any(greaterThanEqual(at, ivec2(inputWidth, inputHeight)))) {
        for (int i = 0; i < 16 * blocks; ++i) { of[i] = 0.0; }
      }
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
