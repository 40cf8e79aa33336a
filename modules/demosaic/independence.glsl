// How independently of green the colours change, 0 to 1: from the contrasts of 5x5 blocks.
const float leastContrast = 0.0025;
const float lead = 1.03;  // by which plain must have less contrast
const float decision = 20.0;
const float least = 0.06;  // what is below it is texture and noise

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_result))) return;
  ivec2 last = extent_contrasts - 1;
  vec2 sum = vec2(leastContrast);
  for (int y = -2; y <= 2; ++y) {
    int row = clamp(p.position.y + y, 0, last.y);
    for (int x = -2; x <= 2; ++x) sum += load_contrasts(ivec2(clamp(p.position.x + x, 0, last.x), row));
  }
  float share = 1.0 / (1.0 + pow(lead * sum.y / sum.x, decision));
  store_result(p.position, max(share - least, 0.0) / (1.0 - least));
}
