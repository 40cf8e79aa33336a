// Pairs of numbers as halves in a word, as words and as elements of four.

void run(Pixel p) {
  const int i = p.position.x;
  if (i < count_words_a) {
    array_words_a.data[i] = packHalf2x16(vec2(array_a.data[2 * i], array_a.data[2 * i + 1]));
    array_quads_a.data[i] = array_words_a.data[i];
  }
  if (i < count_words_b) {
    array_words_b.data[i] = packHalf2x16(vec2(array_b.data[2 * i], array_b.data[2 * i + 1]));
    array_quads_b.data[i] = array_words_b.data[i];
  }
}
