// clip.z = p22 z + p23 and clip.w = p32 z of the point (0, 0, z), so the buffer's number is p22 / p32 + p23 / (p32 z), and
// p32 is 1 or -1. Reversed z's zero is infinity.
void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = param.projection[1] / (i.pixels - param.projection[2] * param.projection[0]);
}
