void apply(Inputs i, inout Outputs o, Pixel p) { o.output = float(colourAt_input(p.position)); }
