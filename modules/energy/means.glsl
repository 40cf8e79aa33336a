// Sums over a block of 8x8 pixels: the light of the denoised picture, and what the noisy one has more, with its
// squares. Pixels that are not finite, or negative, in either count in neither; light.a is the number of the others.
#include "shared/block_cells.glsl"
#include "shared/colour.glsl"

shared vec3 lights[threads], differences[threads], squares[threads];
shared float counts[threads];

void run(Pixel p) {
  int cell = ownCell(), first = firstCell(), own = first + cell;
  bool inside = all(lessThan(p.position, p.extent));
  vec3 noisy = inside ? asColour(load_noisy(p.position)).rgb : vec3(0.0);
  vec3 light = inside ? asColour(load_input(p.position)).rgb : vec3(0.0);
  bool count = inside && isLight(noisy) && isLight(light);
  vec3 difference = count ? noisy - light : vec3(0.0);
  lights[own] = count ? light : vec3(0.0);
  differences[own] = difference;
  squares[own] = difference * difference;
  counts[own] = count ? 1.0 : 0.0;
  barrier();
  for (int half_ = blockCells / 2; half_ > 0; half_ /= 2) {
    if (cell < half_) {
      lights[own] += lights[own + half_];
      differences[own] += differences[own + half_];
      squares[own] += squares[own + half_];
      counts[own] += counts[own + half_];
    }
    barrier();
  }
  if (cell == 0 && inside) {
    store_light(p.position / blockSide, vec4(lights[first], counts[first]));
    store_difference(p.position / blockSide, vec4(differences[first], 0.0));
    store_squares(p.position / blockSide, vec4(squares[first], 0.0));
  }
}
