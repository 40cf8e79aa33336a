// The factor of histograms of a coarser scale.

shared vec2 sums[256];

void run(Pixel pixel) {
  int own = int(gl_LocalInvocationIndex);
  vec2 sum = vec2(0.0);
  for (int i = own; i < count_sums; i += 256) {
    sum += vec2(array_sums.data[2 * i], array_sums.data[2 * i + 1]);
  }
  sums[own] = sum;
  for (int half_ = 128; half_ > 0; half_ /= 2) {
    barrier();
    if (own < half_) { sums[own] += sums[own + half_]; }
  }
  if (own == 0) { array_factor.data[0] = sums[0].y != 0.0 ? sums[0].x / sums[0].y : 1.0; }
}
