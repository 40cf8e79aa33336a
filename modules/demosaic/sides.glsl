// The mean of differences on both sides of a pixel on its line: each side is weighted by the inverse square
// of its gradients (equations 3 and 4; we average three differences, the furthest by 0.3, not five, and four by
// three gradients, not five by five: lines of a colour are thin).
struct Acc { vec2 differences; vec2 gradients; };

Acc start(Centre c) { return Acc(vec2(0.0), vec2(0.0)); }

const float furthest = 0.3;

void add(inout Acc a, float difference, float gradient, int steps) {
  vec2 isOn = vec2(steps <= 0, steps >= 0);
  a.gradients += gradient * isOn;
  a.differences += (abs(steps) == 2 ? furthest : abs(steps) < 2 ? 1.0 : 0.0) * difference * isOn;
}

// Keeps weights finite where there are no gradients.
const float leastGradient = 1e-6;

// The mean, and the base-two logarithm of its weight.
vec2 meanOfSides(Acc a) {
  vec2 w = 1.0 / (a.gradients * a.gradients + leastGradient);
  float sum = w.x + w.y;
  return vec2((w.x * a.differences.x + w.y * a.differences.y) / ((2.0 + furthest) * sum), log2(sum));
}
