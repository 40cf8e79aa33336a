// The mean of all pixels' marks. Their sum is a whole number, so its order doesn't matter.

const int threads = int(gl_WorkGroupSize.x);
shared float partial[threads];

void run(Pixel p) {
  int local = int(gl_LocalInvocationIndex);
  float sum = 0.0;
  for (int i = local; i < count_mask; i += threads) { sum += array_mask.data[i]; }
  partial[local] = sum;
  barrier();
  for (int step_ = threads / 2; step_ > 0; step_ /= 2) {
    if (local < step_) { partial[local] += partial[local + step_]; }
    barrier();
  }
  if (local == 0) { array_failed.data[0] = partial[0] / float(count_mask); }
}
