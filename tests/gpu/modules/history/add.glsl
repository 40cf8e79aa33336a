// A variable may be called `frame`, as long as the frame's own numbers are not needed there.
float halved(float v) {
  float frame = 0.5 * v;
  return frame;
}

void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = param.gain * i.input + halved(i.before) + (frame.first ? 10.0 : 0.0);
}
