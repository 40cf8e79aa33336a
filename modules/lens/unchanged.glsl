void apply(Inputs i, inout Outputs o, Pixel p) { o.result = i.picture; }
