Value identity() { return 0u; }
Value map(Inputs i, Pixel p) { return i.input.r > param.threshold ? 1u : 0u; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) {
  o.output[0] = v;
  o.output[1] = count;
}
