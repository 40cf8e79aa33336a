// The best of the fits (fits.glsl), where a cost below 0 means none: noise * ((x + offset) / (1 +
// offset))^power.

const float clearlyBetter = 0.85;  // share of values below zero that must be missing to count as clipped

shared float cost[64];
shared int leastOf[8];  // the first of eight fits that costs least

void store(float noise, float power, float offset, float cut) {
  array_noise.data[0] = noise;
  array_power.data[0] = power;
  array_offset.data[0] = offset;
  array_clipped.data[0] = cut;
  array_curve.data[0] = noise;
  array_curve.data[1] = power;
  array_curve.data[2] = offset;
  array_curve.data[3] = cut;
}

void run(Pixel p) {
  int self = p.position.x;
  bool isCut = self >= 32;
  float own = array_fits.data[4 * self];
  bool valid = own >= 0.0;
  cost[self] = valid ? own / (isCut ? clearlyBetter : 1.0) : 1e30;
  barrier();
  if (self < 8) {
    int least = 8 * self;
    for (int k = 8 * self + 1; k < 8 * self + 8; ++k) { least = cost[k] < cost[least] ? k : least; }
    leastOf[self] = least;
  }
  barrier();
  int best = leastOf[0];
  for (int k = 1; k < 8; ++k) { best = cost[leastOf[k]] < cost[best] ? leastOf[k] : best; }
  if (self == best) {
    float base = array_fits.data[4 * self + 1];
    float power = array_fits.data[4 * self + 2];
    float offset = array_fits.data[4 * self + 3];
    float noise = exp(base + power * log(1.0 + offset));
    bool found = valid && !isnan(noise) && !isinf(noise);
    store(found ? noise : 0.0, found ? power : 0.0, offset, found && isCut ? 1.0 : 0.0);
  }
}
