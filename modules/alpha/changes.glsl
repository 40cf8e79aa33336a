// Along an edge alpha stays; noise changes it in all directions. A block's sums of both changes show which of
// them it has.

#define RADIUS 2
#include "tile.glsl"

shared vec2 partial[64];

void run(Pixel p) {
  fillTile(p);
  barrier();
  int own = int(gl_LocalInvocationIndex);
  bool isThere = all(lessThan(p.position, p.extent));
  partial[own] = isThere ? sqrt(changesAround(ownPlace())) : vec2(0.0);
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (own < half_) { partial[own] += partial[own + half_]; }
    barrier();
  }
  if (own == 0) { store_blocks(p.position / 8, partial[0]); }
}
