// Takes back changes of the filter that noise can't explain: Szeracki et al. 2015 ask for it in section 4.
// With V the input's variance and D^2 the squared change, both means over a window, D^2 - V is the squared
// bias, and V / D^2 the share of the filtered picture for which the squared error of the mixture is the least
// (James and Stein 1961 shrink estimates by it). Pixels, and their noise estimates, are weighted by the share
// of their patches that were averaged with similar ones.

#include "shared/colour.glsl"
#include "shared/finite.glsl"

const int reach = 6;

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, pixel.extent))) { return; }
  vec2 sum = vec2(0.0);
  for (int y = max(x.y - reach, 0); y <= min(x.y + reach, pixel.extent.y - 1); ++y) {
    for (int i = max(x.x - reach, 0); i <= min(x.x + reach, pixel.extent.x - 1); ++i) {
      vec4 v = load_change(ivec2(i, y));
      sum += v.x >= 0.0 ? v.xy * v.z : vec2(0.0);
    }
  }
  vec4 input_ = asColour(load_input(x));
  vec4 filtered = asColour(load_filtered(x));
  float share = (sum.x < sum.y ? sum.x / sum.y : 1.0) * load_change(x).z;
  vec3 mixture = isFinite(input_.rgb) ? mix(input_.rgb, filtered.rgb, share) : filtered.rgb;
  Inputs i;
  narrow(vec4(mixture, input_.a), i.input);
  store_output(x, i.input);
}
