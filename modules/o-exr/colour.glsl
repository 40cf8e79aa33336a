// Colours in the format that the file gets.
void apply(Inputs i, inout Outputs o, Pixel p) { o.pixels = i.input; }
