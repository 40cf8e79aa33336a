void apply(Inputs i, inout Outputs o, Pixel p) { o.pixels = i.input.r; }
