// A search that reads the other pixels' histograms through shared memory: those that a row of the search
// window needs, in a ring of rows. The next row of the window replaces the oldest one. Szeracki et al. 2015,
// section 3.3 and figure 2.


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
    for (int w = 0; w < words; ++w) { ring[cellWord(cell + i, w)] = globalWord(at, w); }
  }
#endif
}

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
