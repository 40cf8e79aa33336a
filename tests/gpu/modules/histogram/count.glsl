// Values below 0 are not counted.
int bin(Inputs i, Pixel p) { return i.input < 0.0 ? -1 : min(int(i.input * 32.0), 63); }
void finish(uint total, inout Outputs o) {
  for (int b = 0; b < 64; ++b) { o.histogram[b] = float(histogram(b)) / float(max(total, 1u)); }
}
