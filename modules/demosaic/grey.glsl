// A sensor without colours.
void apply(Inputs i, inout Outputs o, Pixel p) { o.result = vec4(vec3(i.mosaic), 1.0); }
