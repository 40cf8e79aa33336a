// Copies a factor into panels: 16 numbers of each line, line by line, then the next 16; halves. Lines and depth are filled up with zeros to
// multiples of 16. The native code defines LINES, DEPTH and BATCH, and `numberAt(batch, line, k)`.

const int lines16 = (LINES + 15) / 16 * 16;
const int panels = (DEPTH + 15) / 16;

float numberOf(int batch, int line, int k) { return line < LINES && k < DEPTH ? numberAt(batch, line, k) : 0.0; }

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  int quad = pixel.position.x;
  int panel = pixel.position.y;
  if (quad >= lines16 * 2 || panel >= BATCH * panels) { return; }
  int line = quad / 2;
  int k = panel % panels * 16 + quad % 2 * 8;
  uvec4 v;
  for (int i = 0; i < 4; ++i) {
    v[i] = packHalf2x16(vec2(numberOf(panel / panels, line, k + 2 * i), numberOf(panel / panels, line, k + 2 * i + 1)));
  }
  quads_output.data[panel * lines16 * 2 + quad] = v;
}
