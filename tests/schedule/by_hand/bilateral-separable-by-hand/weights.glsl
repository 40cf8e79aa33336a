// Larsson 2015, equation 2.4, without its factor, which cancels.

void run(Pixel p) {
  int d = p.position.x;
  if (d > param.radius) { return; }
  float falloff = -0.72134752 / (param.sigma_space * param.sigma_space);  // -log2(e) / 2
  array_weights.data[d] = exp2(float(d * d) * falloff);
}
