// The mean of differences on both sides of a pixel on its line: each side is weighted by the inverse square
// of its gradients (equations 3 and 4; we average three differences, not five, and five by three gradients,
// not five by five).
struct Acc { vec2 differences; vec2 gradients; };

Acc start(Centre c) { return Acc(vec2(0.0), vec2(0.0)); }

void add(inout Acc a, float difference, float gradient, int steps) {
  vec2 isOn = vec2(steps <= 0, steps >= 0);
  a.gradients += gradient * isOn;
  if (abs(steps) <= 2) a.differences += difference * isOn;
}

// Keeps weights finite where there are no gradients.
const float leastGradient = 1e-6;

// The mean, and the base-two logarithm of its weight.
vec2 meanOfSides(Acc a) {
  vec2 w = 1.0 / (a.gradients * a.gradients + leastGradient);
  float sum = w.x + w.y;
  return vec2((w.x * a.differences.x + w.y * a.differences.y) / (3.0 * sum), log2(sum));
}
