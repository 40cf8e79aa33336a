Value identity() { return vec3(0.0); }
Value map(Inputs i, Pixel p) { return i.input.rgb; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) {
  o.mean = v.g / float(count);
}
