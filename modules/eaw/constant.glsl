// The noise's curve, where noise is given and constant.
void run(Pixel p) {
  if (p.position.x == 0) {
    array_curve.data[0] = param.noise;
    array_curve.data[1] = 0.0;
    array_curve.data[2] = param.noise_offset;
    array_curve.data[3] = 0.0;
  }
}
