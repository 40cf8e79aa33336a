// Distances of a pixel's patch from those in one row of the search window: Delbracio et al. 2014, section 3.
// A distance is added up pixel by pixel of the patch, row by row, and for each pixel over all bins.
// `theirPlace`, `theirWord` and `theirSamples` say where the histograms of other pixels are read, `isUsed`
// which words may count.

// The number of candidates at a time: the pixel's own histogram is loaded once for all of them.
#ifndef CANDIDATES
#define CANDIDATES 1
#endif

// The number of words in each iteration: CPU drivers end loops after 65535 iterations in all (search.h
// refuses more).
const int blocks = (words + 15) / 16;
const int block = (words + blocks - 1) / blocks;

struct Distances {
  float sum[CANDIDATES];
  float terms[CANDIDATES];
};

// Adds the distances of the pixel at p to those from q on, which are side by side.
void addPixels(inout Distances d, ivec2 p, ivec2 q, int last) {
  int at = indexOf(p);
  float ours = globalSamples(at);
  int places[CANDIDATES];
  float theirs[CANDIDATES];
  float sum[CANDIDATES];
  float terms[CANDIDATES];
  [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
    places[c] = theirPlace(ivec2(min(q.x + c, last), q.y));
    theirs[c] = theirSamples(places[c]);
    sum[c] = 0.0;
    terms[c] = 0.0;
  }
  for (int first = 0; first < words; first += block) {
    [[unroll]] for (int k = 0; k < block; ++k) {
      if ((words % block != 0 && first + k >= words) || !isUsed(first + k)) { continue; }
      float own[WORD_BINS];
      unpack(globalWord(at, first + k), ours, own);
      [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
        float other[WORD_BINS];
        unpack(theirWord(places[c], first + k), theirs[c], other);
        [[unroll]] for (int b = 0; b < WORD_BINS; ++b) {
          float both = own[b] + other[b];
          float difference = fma(own[b], theirs[c], -(other[b] * ours));
          bool counts = both > 1.0;
          sum[c] = counts ? fma(difference, difference / both, sum[c]) : sum[c];
          terms[c] += counts ? 1.0 : 0.0;
        }
      }
    }
  }
  [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
    float product = ours * theirs[c];
    if (product != 0.0) {
      d.sum[c] += sum[c] / product;
      d.terms[c] += terms[c];
    }
  }
}

#ifdef EARLY
// Whether a patch with this many remaining bins can't get below the limit, because sums only grow. Includes a
// margin for rounding.
bool isBeyond(float sum, float terms, float left, float limit) {
  const float surely = 1.0001;
  return isFinest ? sum > limit * surely * (terms + left + 1e-4) : sum > limit * surely * (terms + left);
}

// The limit above which nothing changes.
float limitOf(Found f) {
  return isFinest && f.below <= K ? max(param.threshold, f.distance[K]) : param.threshold;
}
#endif

// The distances of p from p + o and the next candidates in its row.
void rowDistances(Found f, ivec2 p, ivec2 o, int room, out float distance[CANDIDATES]) {
  Distances d;
  [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
    d.sum[c] = 0.0;
    d.terms[c] = 0.0;
  }
  bool beyond = false;
#ifdef EARLY
  float limit = limitOf(f);
  float left = float((2 * room + 1) * (2 * room + 1) * bins);
#endif
  for (int j = -room; j <= room && !beyond; ++j) {
    for (int i = -room; i <= room && !beyond; ++i) {
      addPixels(d, p + ivec2(i, j), p + o + ivec2(i, j), p.x + SEARCH + i);
#ifdef EARLY
      left -= float(bins);
      beyond = true;
      [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
        beyond = beyond && isBeyond(d.sum[c], d.terms[c], left, limit);
      }
#endif
    }
  }
  [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
    distance[c] = o == ivec2(-c, 0) ? (isFinest ? 0.0 : -1.0)
                  : beyond          ? farAway
                                    : distanceOf(d.sum[c], d.terms[c]);
  }
}

#ifdef TRACKED
// All distances first; then the nearest; then the sum.
float tracked[side * side];

void searchRow(inout Found f, ivec2 p, int dy, int room) {
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    float distance[1] = {farAway};
    if (isCandidate(p + ivec2(dx, dy), room)) { rowDistances(f, p, ivec2(dx, dy), room, distance); }
    tracked[(dy + SEARCH) * side + dx + SEARCH] = distance[0];
  }
}

void endSearch(inout Found f, ivec2 p, int room) {
  for (int i = 0; i < side * side; ++i) {
    ivec2 o = ivec2(i % side, i / side) - SEARCH;
    if (isCandidate(p + o, room)) { take(f, p, o, room, tracked[i]); }
  }
}
#else
// Patches are summed when found, and only the nearest are kept.
void searchRow(inout Found f, ivec2 p, int dy, int room) {
  for (int dx = -SEARCH; dx <= SEARCH; dx += CANDIDATES) {
    uint candidates = 0u;
    [[unroll]] for (int c = 0; c < CANDIDATES; ++c) {
      candidates |= dx + c <= SEARCH && isCandidate(p + ivec2(dx + c, dy), room) ? 1u << c : 0u;
    }
    if (candidates == 0u) { continue; }
    float distance[CANDIDATES];
    rowDistances(f, p, ivec2(dx, dy), room, distance);
    for (; candidates != 0u; candidates &= candidates - 1u) {
      int c = findLSB(candidates);
      take(f, p, ivec2(dx + c, dy), room, distance[c]);
    }
  }
}

void endSearch(inout Found f, ivec2 p, int room) {}
#endif
