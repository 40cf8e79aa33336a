// The mean of similar patches, put in each pixel's place; where patches overlap, their mean: Delbracio et al.
// 2014, section 3. The pixel at x + o is averaged into x by every patch around x that includes the one at
// distance o. An invocation takes ROWS pixels below each other.

#extension GL_EXT_control_flow_attributes : enable
#include "store.glsl"

const int side = 2 * SEARCH + 1;
const int sharePlane = SEARCH + 1;  // the plane of each patch's own contribution
const int around = 2 * PATCH + 1;
const int patches = around * (ROWS + 2 * PATCH);

// Patch after patch, each by the weights of its own colours.
vec3 fusedByWeight(ivec2 x, vec3 otherwise) {
  vec3 sum = vec3(0.0);
  float count = 0.0;
  for (int j = -PATCH; j <= PATCH; ++j) {
    for (int i = -PATCH; i <= PATCH; ++i) {
      ivec2 p = x - ivec2(i, j);
      if (!covers(p, ivec2(i, j))) { continue; }
      vec4 mean = vec4(0.0);
      for (int dx = 0; dx <= SEARCH; ++dx) {
        for (uint word = at_masks(dx, p.y * width + p.x); word != 0u; word &= word - 1u) {
          int bit = findLSB(word);
          vec4 v = colourAt(x + (bit < 16 ? ivec2(-dx, bit - SEARCH) : ivec2(dx, bit - 16 - SEARCH)));
          float w = weightOf(v);
          if (w != 0.0) { mean += vec4(v.rgb * w, w); }
        }
      }
      if (mean.a != 0.0) {
        sum += mean.rgb / mean.a;
        count += 1.0;
      }
    }
  }
  return count > 0.0 ? sum / count : otherwise;
}

ivec2 inside(ivec2 p) { return clamp(p, ivec2(0), ivec2(width, height) - 1); }

// Colours of the workgroup's pixels and of those that they are averaged with.
const int tileWidth = int(gl_WorkGroupSize.x) + 2 * SEARCH;
const int tileHeight = int(gl_WorkGroupSize.y) * ROWS + 2 * SEARCH;
shared float red[tileWidth * tileHeight];
shared float green[tileWidth * tileHeight];
shared float blue[tileWidth * tileHeight];
shared uint others;  // colours whose weight is not 1

void fillTile(ivec2 first) {
  int own = int(gl_LocalInvocationIndex);
  if (own == 0) { others = 0u; }
  barrier();
  for (int i = own; i < tileWidth * tileHeight; i += int(gl_WorkGroupSize.x * gl_WorkGroupSize.y)) {
    vec4 v = colourAt(inside(first + ivec2(i % tileWidth, i / tileWidth) - SEARCH));
    red[i] = v.r;
    green[i] = v.g;
    blue[i] = v.b;
    if (weightOf(v) != 1.0) { atomicOr(others, 1u); }
  }
  barrier();
}

// The own contribution of p's patch to each of its pixels: the bits of the number, without its sign.
uint shareOf(ivec2 p) { return at_masks(sharePlane, p.y * width + p.x) & 0x7fffffffu; }

// Adds a patch's contribution from the pixel of bit i: nothing, or its share.
void give(inout float sum, uint word, uint share, int i) {
  if ((word & 1u << i) != 0u) { sum += uintBitsToFloat(share); }
}

vec4 tileColour(int place) { return vec4(red[place], green[place], blue[place], 1.0); }

// For pixels whose patches, and those that cover them, are all whole: the pixels share rows of patches. In a
// word half 0 is the column at -dx, half 1 the one at dx.
void addWhole(inout vec4 sums[ROWS], ivec2 first, int place) {
  uint share[patches];
  int corner = (first.y - PATCH) * width + first.x - PATCH;
  [[unroll]] for (int k = 0; k < patches; ++k) {
    share[k] = at_masks(sharePlane, corner + k / around * width + k % around) & 0x7fffffffu;
  }
  for (int dx = 0; dx <= SEARCH; ++dx) {
    uint words[patches];
    [[unroll]] for (int k = 0; k < patches; ++k) {
      words[k] = at_masks(dx, corner + k / around * width + k % around);
    }
    for (int half_ = dx > 0 ? 1 : 0; half_ >= 0; --half_) {
      int column = place + (half_ == 0 ? -dx : dx);
      [[unroll]] for (int i = 0; i < side; ++i) {
        float rows[ROWS + 2 * PATCH];
        [[unroll]] for (int r = 0; r < ROWS + 2 * PATCH; ++r) {
          rows[r] = 0.0;
          [[unroll]] for (int c = 0; c < around; ++c) {
            give(rows[r], words[r * around + c] >> 16 * half_, share[r * around + c], i);
          }
        }
        [[unroll]] for (int j = 0; j < ROWS; ++j) {
          float w = 0.0;
          [[unroll]] for (int r = j; r <= j + 2 * PATCH; ++r) { w += rows[r]; }
          sums[j] = fma(vec4(w), tileColour(column + (i + j) * tileWidth), sums[j]);
        }
      }
    }
  }
}

// For a pixel near the border, where patches are smaller.
vec4 sumNearBorder(ivec2 x, int place) {
  uint share[around * around];
  [[unroll]] for (int k = 0; k < around * around; ++k) {
    ivec2 by = PATCH - ivec2(k % around, k / around);
    share[k] = covers(x - by, by) ? shareOf(inside(x - by)) : 0u;
  }
  vec4 sum = vec4(0.0);
  for (int dx = 0; dx <= SEARCH; ++dx) {
    uint words[around * around];
    [[unroll]] for (int k = 0; k < around * around; ++k) {
      ivec2 p = inside(x + ivec2(k % around, k / around) - PATCH);
      words[k] = at_masks(dx, p.y * width + p.x);
    }
    for (int half_ = dx > 0 ? 1 : 0; half_ >= 0; --half_) {
      int column = place + (half_ == 0 ? -dx : dx);
      [[unroll]] for (int i = 0; i < side; ++i) {
        float w = 0.0;
        [[unroll]] for (int k = 0; k < around * around; ++k) {
          give(w, words[k] >> 16 * half_, share[k], i);
        }
        sum = fma(vec4(w), tileColour(column + i * tileWidth), sum);
      }
    }
  }
  return sum;
}

void run(Pixel pixel) {
  fillTile(ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) * ivec2(1, ROWS));
  ivec2 first = pixel.position * ivec2(1, ROWS);
  if (!contains(first)) { return; }
  int place = int(gl_LocalInvocationID.y) * ROWS * tileWidth + int(gl_LocalInvocationID.x) + SEARCH;
  bool alike = others == 0u;
  vec4 sums[ROWS];
  [[unroll]] for (int j = 0; j < ROWS; ++j) { sums[j] = vec4(0.0); }
  if (alike && min(roomAt(first), roomAt(first + ivec2(0, ROWS - 1))) >= 2 * PATCH) {
    addWhole(sums, first, place);
  } else if (alike) {
    [[unroll]] for (int j = 0; j < ROWS; ++j) {
      sums[j] = sumNearBorder(first + ivec2(0, j), place + j * tileWidth);
    }
  }
  [[unroll]] for (int j = 0; j < ROWS; ++j) {
    ivec2 x = first + ivec2(0, j);
    if (contains(x)) { store(x, alike ? sums[j].rgb / sums[j].a : fusedByWeight(x, colourAt(x).rgb)); }
  }
}
