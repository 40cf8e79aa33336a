// Larsson 2015, section 5.2.1: one thread for each pixel, every tap from the image. The weights are in global
// memory (version 1) or in constant memory (version 2), depending on the variant.

#include "bilateral.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent)) || isKept(p.position, p.extent)) { return; }
  GUIDE centre = edgesOf(tapAt(p.position));
  float k = falloff();
  Acc a = start();
  ivec2 rows = borderTaps(p.position.y, p.extent.y, param.radius, BORDER);
  ivec2 columns = borderTaps(p.position.x, p.extent.x, param.radius, BORDER);
  for (int dy = rows.x; dy <= rows.y; ++dy) {
    int y = borderIndex(p.position.y + dy, p.extent.y, BORDER);
    ivec2 reach = reachOf(dy, columns);
    for (int dx = reach.x; dx <= reach.y; ++dx) {
      int x = borderIndex(p.position.x + dx, p.extent.x, BORDER);
      gather(a, centre, tapAt(ivec2(x, y)), spatialWeight(dx, dy), k);
    }
  }
  finish(a, p.position);
}
