// One pixel: connected inputs are in `i`, and the results go to `o`.
void apply(Inputs i, inout Outputs o, Pixel p) { o.output = vec4(i.input.rgb * param.gain, i.input.a); }
