void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.pixels * vec2(param.scale[0], param.scale[1]); }
