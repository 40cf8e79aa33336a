// The distance of a green pixel from the mean of two green ones on a diagonal, the diagonal where that is
// less: along an edge. State: the mosaic; then the bin of 64 by the square root of brightness and 32, two an
// octave, by the distance. -1: none.
struct Centre { float value; bool counts; ivec2 position; };
struct Acc { vec2 before; bvec2 has; float least; float sum; float count; };

// The factor between low quantiles on one diagonal and those of the smaller of two (from normal noise).
const float alone = 0.528;

bool isGreen(ivec2 p) { return colourAt_state(p) == 1; }

Centre centre(Tap t, Pixel p) {
  bool isKnown = param.noise_a > 0.0 || param.noise_b > 0.0;
  return Centre(t.value, !isKnown && isGreen(p.position), p.position);
}
Acc start(Centre c) { return Acc(vec2(0.0), bvec2(false), 0.0, 0.0, 0.0); }

// Taps come row by row: first the upper end of each diagonal.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (!c.counts || o.weight == 0.0 || o.steps.x == 0 || o.steps.y == 0 || !isGreen(c.position + o.pixels))
    return;
  int k = o.steps.x == o.steps.y ? 0 : 1;
  if (o.steps.y < 0) {
    a.before[k] = t.value;
    a.has[k] = true;
  } else if (a.has[k]) {
    float mean = 0.5 * (a.before[k] + t.value);
    float distance = abs(c.value - mean);
    a.least = a.count == 0.0 ? distance : min(a.least, distance);
    a.sum += mean;
    a.count += 1.0;
  }
}

State finish(Acc a, Centre c, Pixel p) {
  if (a.count == 0.0 || !(param.green > 0.0)) return -1.0;
  float light = max(a.sum / (a.count * param.green), 0.0);
  float distance = a.least / param.green * (a.count == 1.0 ? alone : 1.0);
  float row = min(floor(64.0 * sqrt(light)), 63.0);
  float bin = clamp(floor(fma(2.0, log2(max(distance, 1e-30)), 32.0)), 0.0, 31.0);
  return row >= 0.0 && bin >= 0.0 ? fma(32.0, row, bin) : -1.0;
}

void output(State s, inout Outputs o, Pixel p) { o.bin = s; }
