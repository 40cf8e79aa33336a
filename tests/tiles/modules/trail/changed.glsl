int bin(Inputs i, Pixel p) { return abs(i.input.r - i.last.r) < 0.1 * float(1 + p.position.y % 3) ? 0 : 1; }
void finish(uint total, inout Outputs o) { o.output = float(histogram(1)) / float(max(total, 1u)); }
