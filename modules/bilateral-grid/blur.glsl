// A Gaussian along one of the grid's axes. Nothing is outside the grid.

// `sigma` in cells, of the whole filter; `spent`, in cells squared, is the filter's variance without
// blurring. Taps are `stride` apart; `before` and `after` of them are in the grid.
void blur(ivec2 at, ivec2 stride, int before, int after, float sigma, float spent) {
  float variance = max(sigma * sigma - spent, 1e-6);
  int radius = int(min(ceil(3.0 * sqrt(variance)), 65536.0));
  vec2 sum = vec2(0.0);
  for (int d = -min(radius, before); d <= min(radius, after); ++d) {
    sum += exp2(float(d * d) * -0.72134752 / variance) * load_grid(at + d * stride);  // -log2(e) / 2
  }
  store_blurred(at, sum);
}
