void run(Pixel p) {}
