// The matrix in `camera` from element 8 on (modules/i-raw/README.md), or else the parameters.

float camera(int i) { return array_camera.data[i]; }
float entry(int i, float otherwise) {
  if (count_camera == 0) return otherwise;
  return camera(8 + i) * (param.baseline ? exp2(camera(19)) : 1.0);
}

void run(Pixel p) {
  array_red_from_red.data[0] = entry(0, param.red_from_red);
  array_red_from_green.data[0] = entry(1, param.red_from_green);
  array_red_from_blue.data[0] = entry(2, param.red_from_blue);
  array_green_from_red.data[0] = entry(3, param.green_from_red);
  array_green_from_green.data[0] = entry(4, param.green_from_green);
  array_green_from_blue.data[0] = entry(5, param.green_from_blue);
  array_blue_from_red.data[0] = entry(6, param.blue_from_red);
  array_blue_from_green.data[0] = entry(7, param.blue_from_green);
  array_blue_from_blue.data[0] = entry(8, param.blue_from_blue);
}
