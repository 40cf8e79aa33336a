// Copies a factor into panels: 16 numbers of each line, line by line, then the next 16.

#include "pack.glsl"

void run(Pixel pixel) {
  int quad = pixel.position.x;
  int panel = pixel.position.y;
  if (quad < lines16 * 2 && panel < BATCH * panels) {
    quads_output.data[panel * lines16 * 2 + quad] = packed(panel, quad / 2, quad % 2 * 8);
  }
}
