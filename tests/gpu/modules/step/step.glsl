vec4 next(vec4 v) { return param.rate * v * (1.0 - v); }
void apply(Inputs i, inout Outputs o, Pixel p) { o.output = next(i.input); }
