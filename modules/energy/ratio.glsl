// How much brighter the noisy picture is around a block, as far as that is certain. A kernel, because it weighs
// two pictures, and by squared weights, too.

const int radius = 5;

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 light = vec3(0.0), sum = vec3(0.0), squares = vec3(0.0), part = vec3(0.0);
  float total = 0.0, totalOfSquares = 0.0;
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec2 step_ = vec2(ivec2(x, y) - p.position);
      float w = exp(-dot(step_, step_) / 8.0);
      vec3 d = load_difference(ivec2(x, y)).rgb;
      light = fma(vec3(w), load_light(ivec2(x, y)).rgb, light);
      sum = fma(vec3(w), d, sum);
      part = fma(vec3(w * w), d, part);
      squares = fma(w * w * d, d, squares);
      total += w;
      totalOfSquares = fma(w, w, totalOfSquares);
    }
  }
  vec3 mean = sum / total;
  vec3 variance = max(squares - 2.0 * mean * part + mean * mean * totalOfSquares, 0.0) / (total * total);
  vec3 power = mean * mean;
  vec3 certain = power / max(power + param.caution * param.caution * variance, 1e-37);
  vec3 change = certain * sum / max(light, 1e-30);
  store_ratio(p.position, vec4(clamp(1.0 + change, 1.0 - param.limit, 1.0 + param.limit), 1.0));
}
