void run(Pixel p) {
  if (p.position != ivec2(0)) { return; }
  float sum = 0.0;
  for (int i = 0; i < count_first; ++i) { sum += array_first.data[i]; }
  for (int i = 0; i < count_second; ++i) { sum += array_second.data[i]; }
  array_output.data[0] = sum;
  array_output.data[1] = float(count_first + (has_second ? count_second : 0));
  array_mean.data[0] = sum / float(count_first + count_second);
}
