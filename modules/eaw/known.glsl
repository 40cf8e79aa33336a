// The connected noise, or else the parameters; each number by itself, because parameters are bound to single
// numbers.
float number(int i, float otherwise) {
  return count_known > i && array_known.data[0] > 0.0 ? array_known.data[i] : otherwise;
}

void run(Pixel p) {
  array_noise.data[0] = number(0, param.noise);
  array_power.data[0] = number(1, param.noise_power);
  array_offset.data[0] = number(2, param.noise_offset);
  array_clipped.data[0] = number(3, param.clipped);
}
