// The noise that is used: the connected one, or else the best of the fits (fits.glsl), where a cost below 0
// means none, or else the parameters: noise * ((x + offset) / (1 + offset))^power.

const float clearlyBetter = 0.85;  // share of values below zero that must be missing to count as clipped

struct Curve { float noise; float power; float offset; float clipped; };

shared float cost[64];
shared int leastOf[8];  // the first of eight fits that costs least

// By all invocations of a workgroup.
Curve bestFit(int self) {
  const int threads = int(gl_WorkGroupSize.x);
  for (int fit = self; fit < 64; fit += threads) {
    float own = array_fits.data[4 * fit];
    cost[fit] = own >= 0.0 ? own / (fit >= 32 ? clearlyBetter : 1.0) : 1e30;
  }
  barrier();
  for (int eight = self; eight < 8; eight += threads) {
    int least = 8 * eight;
    for (int k = 8 * eight + 1; k < 8 * eight + 8; ++k) { least = cost[k] < cost[least] ? k : least; }
    leastOf[eight] = least;
  }
  barrier();
  int best = leastOf[0];
  for (int k = 1; k < 8; ++k) { best = cost[leastOf[k]] < cost[best] ? leastOf[k] : best; }
  float base = array_fits.data[4 * best + 1];
  float power = array_fits.data[4 * best + 2];
  float offset = array_fits.data[4 * best + 3];
  float noise = exp(base + power * log(1.0 + offset));
  bool found = cost[best] < 1e30 && !isnan(noise) && !isinf(noise);
  return Curve(found ? noise : 0.0, found ? power : 0.0, offset, found && best >= 32 ? 1.0 : 0.0);
}

Curve estimated(int self) {
  return count_fits > 0 ? bestFit(self)
                        : Curve(param.noise, param.noise_power, param.noise_offset, param.clipped);
}

float number(int i, float otherwise) {
  return count_known > i && array_known.data[0] > 0.0 ? array_known.data[i] : otherwise;
}

Curve connectedOr(Curve c) {
  return Curve(number(0, c.noise), number(1, c.power), number(2, c.offset), number(3, c.clipped));
}
