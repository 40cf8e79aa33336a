// How much brighter the noisy picture is around a block, as far as that is certain by the spread of differences
// within blocks. A kernel, because it weighs several pictures, and by squared weights, too.

const int radius = 5;
const float brighter = 32.0;  // so many times as bright is another light

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 light = vec3(0.0), sum = vec3(0.0), variance = vec3(0.0);
  vec4 own = load_light(p.position);
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      ivec2 at = ivec2(x, y);
      vec2 step_ = vec2(at - p.position);
      vec4 l = load_light(at);
      vec3 k = own.a * l.rgb / max(l.a * own.rgb, 1e-30) / brighter, k2 = k * k;
      vec3 w = exp(-dot(step_, step_) / 8.0) / fma(k2, k2, vec3(1.0));
      vec3 d = load_difference(at).rgb;
      light = fma(w, l.rgb, light);
      sum = fma(w, d, sum);
      vec3 spread = max(load_squares(at).rgb - d * d / max(l.a, 1.0), 0.0) * (l.a / max(l.a - 1.0, 1.0));
      variance = fma(w * w, spread, variance);
    }
  }
  vec3 power = sum * sum;
  vec3 certain = power / max(power + param.caution * param.caution * variance, 1e-37);
  vec3 change = certain * sum / max(light, 1e-30);
  store_ratio(p.position, vec4(clamp(1.0 + change, 1.0 - param.limit, 1.0 + param.limit), 1.0));
}
