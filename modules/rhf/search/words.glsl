// How histograms lie in memory: numbers, or several bins in a word. `packed` holds words; the number of
// samples is one of its own.

#ifdef HALVES
#define Word uint
#define WORD_BINS 2
#elif defined BYTES
#define Word uint
#define WORD_BINS 4
#else
#define Word float
#define WORD_BINS 1
#endif

const int words = (bins + WORD_BINS - 1) / WORD_BINS;

// `samples`: of the pixel. Bytes hold roots of shares of the samples, which all have equal noise.
void unpack(Word word, float samples, out float h[WORD_BINS]) {
#ifdef HALVES
  vec2 v = unpackHalf2x16(word);
  h[0] = v.x;
  h[1] = v.y;
#elif defined BYTES
  vec4 v = unpackUnorm4x8(word);
  v *= v * samples;
  [[unroll]] for (int b = 0; b < 4; ++b) { h[b] = v[b]; }
#else
  h[0] = word;
#endif
}
