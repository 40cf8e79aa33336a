vec4 map(Inputs i, Pixel p) { return i.input; }
