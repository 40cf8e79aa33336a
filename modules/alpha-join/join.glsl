void apply(Inputs i, inout Outputs o, Pixel p) {
  bool isCover = i.noisy.a >= 0.0 && i.noisy.a <= 1.0;
  o.output = i.input;
  if (i.share > 0.0 && isCover) { o.output.a = clamp(mix(i.input.a, i.alpha.g, i.share), 0.0, 1.0); }
}
