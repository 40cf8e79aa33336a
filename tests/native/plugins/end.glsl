void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.image + 0.25; }
