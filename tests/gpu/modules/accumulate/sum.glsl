void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = i.input + 0.5 * i.back + float(frame.index) + (frame.first ? 100.0 : 0.0);
}
