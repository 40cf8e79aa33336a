// A search that reads the other pixels' histograms through shared memory: those that a row of the search
// window needs, in a ring of rows. The next row of the window replaces the oldest one. Szeracki et al. 2015,
// section 3.3 and figure 2. Where histograms lie bin after bin, only the bins are loaded that a comparison
// around the workgroup needs: two numbers of at most 1/2 never count.

const int ringWidth = int(gl_WorkGroupSize.x) + 2 * (SEARCH + PATCH);
const int ringRows = int(gl_WorkGroupSize.y) + 2 * PATCH;
const int cells = ringWidth * ringRows;
const int threads = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);

// Histogram after histogram, or bin after bin. The word of padding between histograms holds the number of
// samples.
#ifdef HISTOGRAM_WISE
#ifdef PADDED
const int stride = bins + 1;
#else
const int stride = bins;
#endif
int cellWord(int cell, int w) { return cell * stride + w; }
#else
const int stride = words;
int cellWord(int cell, int w) { return w * cells + cell; }
#endif

#ifndef ROOM
#define ROOM 0
#endif
shared Word ring[cells * stride + ROOM * 256];
#ifdef PADDED
float cellSamples(int cell) { return ring[cellWord(cell, bins)]; }
void keepSamples(int cell, float n) { ring[cellWord(cell, bins)] = n; }
#else
shared float samples[cells];
float cellSamples(int cell) { return samples[cell]; }
void keepSamples(int cell, float n) { samples[cell] = n; }
#endif

#ifdef HISTOGRAM_WISE
bool isUsed(int w) { return true; }
#else
const int blockSide = 8;  // of used.glsl
const int usedWords = (bins + 31) / 32;
shared uint used[usedWords];
uint usedBins[usedWords];  // the same for all of the workgroup

bool isUsed(int w) {
  int bin = w * WORD_BINS;
  return (usedBins[bin / 32] >> bin % 32 & (1u << WORD_BINS) - 1u) != 0u;
}
#endif

ivec2 ringFirst() { return ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) - (SEARCH + PATCH); }

// Row r, counted from the first one that the search needs; beyond the image those at its border.
void fillRow(int r) {
  ivec2 first = ringFirst();
  int row = clamp(first.y + r, 0, height - 1) * width;
  int cell = r % ringRows * ringWidth;
  int own = int(gl_LocalInvocationIndex);
  for (int i = own; i < ringWidth; i += threads) {
    keepSamples(cell + i, globalSamples(row + clamp(first.x + i, 0, width - 1)));
  }
#ifdef HISTOGRAM_WISE
  for (int i = own; i < ringWidth * bins; i += threads) {
    int at = row + clamp(first.x + i / bins, 0, width - 1);
    ring[cellWord(cell + i / bins, i % bins)] = globalWord(at, i % bins);
  }
#else
  for (int i = own; i < ringWidth; i += threads) {
    int at = row + clamp(first.x + i, 0, width - 1);
    for (int w = 0; w < words; ++w) {
      if (isUsed(w)) { ring[cellWord(cell + i, w)] = globalWord(at, w); }
    }
  }
#endif
}

#ifndef HISTOGRAM_WISE
void findUsed() {
  int own = int(gl_LocalInvocationIndex);
  ivec2 blocks = (ivec2(width, height) + blockSide - 1) / blockSide;
  ivec2 from = max(ringFirst(), 0) / blockSide;
  ivec2 reach = ivec2(ringWidth, int(gl_WorkGroupSize.y) + 2 * (SEARCH + PATCH));
  ivec2 size = min((ringFirst() + reach - 1) / blockSide + 1, blocks) - from;
  for (int w = own; w < usedWords; w += threads) { used[w] = 0u; }
  barrier();
  for (int i = own; i < size.x * size.y; i += threads) {
    ivec2 block = from + ivec2(i % size.x, i / size.x);
    for (int w = 0; w < usedWords; ++w) {
      atomicOr(used[w], array_used.data[(w * blocks.y + block.y) * blocks.x + block.x]);
    }
  }
  barrier();
  for (int w = 0; w < usedWords; ++w) { usedBins[w] = used[w]; }
}
#endif

int theirPlace(ivec2 q) {
  ivec2 at = q - ringFirst();
  return at.y % ringRows * ringWidth + at.x;
}
Word theirWord(int place, int w) { return ring[cellWord(place, w)]; }
float theirSamples(int place) { return cellSamples(place); }

#include "search/rows.glsl"

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  int room = min(roomAt(p), PATCH);
  Found f = noneFound();
#ifndef HISTOGRAM_WISE
  findUsed();
#endif
  for (int r = 0; r < ringRows - 1; ++r) { fillRow(r); }
  for (int dy = -SEARCH; dy <= SEARCH; ++dy) {
    fillRow(dy + SEARCH + ringRows - 1);
    barrier();
    if (contains(p)) { searchRow(f, p, dy, room); }
    barrier();
  }
  if (contains(p)) {
    endSearch(f, p, room);
    storeFound(f, p, room);
  }
}
