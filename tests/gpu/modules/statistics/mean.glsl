Value identity() { return Value(0.0); }
Value map(Inputs i, Pixel p) { return i.input; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) { o.output = v / float(count); }
