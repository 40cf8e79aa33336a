void apply(Inputs i, inout Outputs o, Pixel p) {
  o.sample = i.sample;
  o.surface = i.surface;
}
