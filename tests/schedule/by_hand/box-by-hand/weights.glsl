// All pixels of the square count the same (Larsson 2015, equation 2.3).
int filterRadius() { return param.radius; }
float tapWeight(int steps) { return 1.0; }
