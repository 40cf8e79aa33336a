int bin(Inputs i, Pixel p) { return int(i.bin); }
