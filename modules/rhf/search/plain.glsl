// A search that reads all histograms from the device's memory.


int theirPlace(ivec2 q) { return indexOf(clamp(q, ivec2(0), ivec2(width, height) - 1)); }
Word theirWord(int place, int w) { return globalWord(place, w); }
float theirSamples(int place) { return globalSamples(place); }
bool isUsed(int w) { return true; }

#include "search/rows.glsl"

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (!contains(p)) { return; }
  int room = min(roomAt(p), PATCH);
  Found f = noneFound();
  for (int dy = -SEARCH; dy <= SEARCH; ++dy) { searchRow(f, p, dy, room); }
  endSearch(f, p, room);
  storeFound(f, p, room);
}
