#include "curve.glsl"

void run(Pixel p) {
  Curve estimate = estimated(p.position.x);
  Curve used = connectedOr(estimate);
  if (p.position.x == 0) {
    // parameters are bound to single numbers
    array_noise.data[0] = used.noise;
    array_power.data[0] = used.power;
    array_offset.data[0] = used.offset;
    array_clipped.data[0] = used.clipped;
    array_curve.data[0] = estimate.noise;
    array_curve.data[1] = estimate.power;
    array_curve.data[2] = estimate.offset;
    array_curve.data[3] = estimate.clipped;
  }
}
