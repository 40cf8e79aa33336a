float gain(int i, float otherwise) { return count_camera > i ? array_camera.data[i] : otherwise; }

void run(Pixel p) {
  array_red.data[0] = gain(5, param.red);
  array_green.data[0] = gain(6, param.green);
  array_blue.data[0] = gain(7, param.blue);
}
