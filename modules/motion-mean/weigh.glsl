// How much earlier frames count around a block: less where their light differs by more than noise explains.

const int radius = 2;

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 sum = vec4(0.0);
  float samples = 0.0, squares = 0.0;
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec2 away = vec2(ivec2(x, y) - p.position);
      float w = exp(-0.5 * dot(away, away));
      vec4 block = load_sums(ivec2(x, y));
      sum = fma(vec4(w), block, sum);
      samples = fma(w, load_samples(ivec2(x, y)), samples);
      squares = fma(w * w, block.w, squares);
    }
  }
  float count = max(sum.w, 1e-6), now = sum.x / count, before = sum.y / count;
  float variance = max(sum.z / count - now * now, 0.0) * squares / (count * count);
  float ofBoth = variance * (1.0 + count / max(samples, 1e-6)) * param.light_tolerance * param.light_tolerance;
  float excess = (now - before) * (now - before) / max(ofBoth, 1e-30);
  store_weight(p.position, 1.0 / (1.0 + 0.5 * max(excess - 1.0, 0.0)));
}
