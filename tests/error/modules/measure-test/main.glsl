Value identity() { return vec4(0.0); }
Value map(Inputs i, Pixel p) { return i.input; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) {
  for (int k = 0; k < 4; ++k) {
    o.values[k] = v[k] / float(count);
  }
}
