void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }
