// From the blocks' means: the factor of colours, `key` divided by the geometric mean of the lit blocks; and
// the mean of 1 / depth over all pixels. One workgroup.

shared vec3 partial[256];

void run(Pixel unused) {
  int local = int(gl_LocalInvocationIndex);
  vec3 sum = vec3(0.0);  // sum of logarithms, their number, sum of 1 / depth
  for (int i = local; i < blocks; i += 256) {
    vec2 own = vectors_sums.data[i];
    sum += vec3(own.x > least ? vec2(log(own.x), 1.0) : vec2(0.0), own.y);
  }
  partial[local] = sum;
  barrier();
  for (int step_ = 128; step_ > 0; step_ /= 2) {
    if (local < step_) { partial[local] += partial[local + step_]; }
    barrier();
  }
  if (local == 0) {
    vec3 all = partial[0];
    array_exposure.data[0] = all.y > 0.0 ? key / exp(all.x / all.y) : 1.0;
    array_nearness.data[0] = all.z / pixels;
  }
}
