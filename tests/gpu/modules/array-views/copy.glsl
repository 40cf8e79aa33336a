void run(Pixel p) {
  int i = p.position.x;
  if (i >= count_words) { return; }
  words_words.data[i] = i + 1 < count_words ? words_input.data[i] : 1u;
  if (4 * i < count_quads) { quads_quads.data[i] = quads_input.data[i]; }
}
