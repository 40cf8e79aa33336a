void run(Pixel p) { array_sums.data[0] += 1.0; }
