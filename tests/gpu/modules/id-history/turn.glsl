void apply(Inputs i, inout Outputs o, Pixel p) { o.turned = i.mixed << 5 | i.mixed >> 27; }
