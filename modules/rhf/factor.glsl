// The factor of histograms of a coarser scale.

shared vec2 sums[256];

void run(Pixel pixel) {
  int own = int(gl_LocalInvocationIndex), threads = int(gl_WorkGroupSize.x);
  for (int part = own; part < 256; part += threads) {
    vec2 sum = vec2(0.0);
    for (int i = part; i < count_sums; i += 256) {
      sum += vec2(array_sums.data[2 * i], array_sums.data[2 * i + 1]);
    }
    sums[part] = sum;
  }
  for (int half_ = 128; half_ > 0; half_ /= 2) {
    barrier();
    for (int part = own; part < half_; part += threads) { sums[part] += sums[part + half_]; }
  }
  if (own == 0) { array_factor.data[0] = sums[0].y != 0.0 ? sums[0].x / sums[0].y : 1.0; }
}
