// Larsson 2015, equation 2.5, for differences of 8-bit levels: what mean.glsl computes for each tap.

void run(Pixel p) {
  int d = p.position.x;
  if (d >= 766) { return; }
  float k = -0.72134752 / (param.sigma_range * param.sigma_range);  // -log2(e) / 2
  array_ranges.data[d] = exp2(float(d) * float(d) * k);
}
