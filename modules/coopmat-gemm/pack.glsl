// A quad of a packed factor: eight numbers of a line, halves. Beyond lines and depth there are zeros, up to
// multiples of 16. The native code defines LINES, DEPTH and BATCH, and `numberAt(batch, line, k)`.

const int lines16 = (LINES + 15) / 16 * 16;
const int panels = (DEPTH + 15) / 16;

float numberOf(int batch, int line, int k) {
  return line < LINES && k < DEPTH ? numberAt(batch, line, k) : 0.0;
}

// A quad of the panel with this index; a batch's panels follow one another.
uvec4 packed(int panel, int line, int k) {
  int batch = panel / panels;
  k += panel % panels * 16;
  uvec4 v;
  for (int i = 0; i < 4; ++i) {
    v[i] = packHalf2x16(vec2(numberOf(batch, line, k + 2 * i), numberOf(batch, line, k + 2 * i + 1)));
  }
  return v;
}
