void run(Pixel p) {
  int i = p.position.x;
  if (i >= count_camera) { return; }
  float value = 0.0;
  if (i < 4) { value = param.black[i]; }
  if (i == 4) { value = param.white; }
  if (i == 5) { value = param.red; }
  if (i == 6) { value = 1.0; }
  if (i == 7) { value = param.blue; }
  if (i >= 8 && i < 17) { value = param.matrix[i - 8]; }
  if (i == 17) { value = param.a; }
  if (i == 18) { value = param.b; }
  array_camera.data[i] = value;
}
