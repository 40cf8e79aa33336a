void apply(Inputs i, inout Outputs o, Pixel p) { o.output = (i.input - param.low) * (param.gain / (param.high - param.low)); }
