// One pixel: what is connected comes in `i`, what the module makes goes to `o`.
void apply(Inputs i, inout Outputs o, Pixel p) { o.output = vec4(i.input.rgb * param.gain, i.input.a); }
