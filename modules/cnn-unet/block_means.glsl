// Mean luminance of the clean colours of each block of pixels; those at the right and the bottom may be smaller.

#include "clean.glsl"

void run(Pixel pixel) {
  ivec2 size = extent_input;
  ivec2 begin = pixel.position * block;
  if (any(greaterThanEqual(begin, size))) { return; }
  ivec2 end = min(begin + block, size);
  float sum = 0.0;
  for (int y = begin.y; y < end.y; ++y) {
    for (int x = begin.x; x < end.x; ++x) {
      sum += dot(cleanColour(load_input(ivec2(x, y)).rgb), vec3(0.2126, 0.7152, 0.0722));
    }
  }
  store_mean(pixel.position, sum / float((end.x - begin.x) * (end.y - begin.y)));
}
