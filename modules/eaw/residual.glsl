// A pixel's place in the histogram of residuals by brightness. The residual is the finest wavelet's
// coefficient without edges: the pixel less a B3 spline of its surroundings. Pixels contribute red, green and
// blue in turn.

struct Centre { vec3 channel; float value; };
struct Acc { float sum; float weight; };

Centre centre(Tap t, Pixel p) {
  int k = (p.position.x + p.position.y) % 3;
  vec3 channel = vec3(k == 0, k == 1, k == 2);
  return Centre(channel, dot(channel, t.colour.rgb));
}

Acc start(Centre c) { return Acc(0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  a.sum = fma(o.weight, dot(c.channel, t.colour.rgb), a.sum);
  a.weight += o.weight;
}

// The mean without its correlation with the residual: for unit noise the covariance is 0.0659 and the
// variance 0.7935.
State finish(Acc a, Centre c, Pixel p) {
  float mean = a.sum * (1.0 / a.weight);
  float residual = c.value - mean;
  return vec4(mean - 0.083 * residual, abs(residual), 0.0, 0.0);
}

// Rows of 32 bins, two an octave: rows by the mean from 2^-20 to 2^12, bins by the residual's ratio to it
// from 2^-12 to 2^4. Means below zero are only counted, in bin 2048. Negative: nowhere.
void output(State s, inout Outputs o, Pixel p) {
  float mean = s.x;
  float ratio = s.y / mean;
  if (!(mean != 0.0) || isnan(ratio) || isinf(s.y) || isinf(mean)) {
    o.bin = -1.0;
  } else if (mean < 0.0) {
    o.bin = 2048.0;
  } else {
    float row = clamp(floor(2.0 * log2(mean) + 40.0), 0.0, 63.0);
    o.bin = 32.0 * row + clamp(floor(2.0 * log2(max(ratio, 1e-30)) + 24.0), 0.0, 31.0);
  }
}
