Value identity() { return Value(-1e30); }
Value map(Inputs i, Pixel p) { return i.input; }
Value combine(Value a, Value b) { return max(a, b); }
void finish(Value v, uint count, inout Outputs o) {
  o.output = v;
  o.halves[0] = v.rgb;
  o.halves[1] = 0.5 * v.rgb;
}
