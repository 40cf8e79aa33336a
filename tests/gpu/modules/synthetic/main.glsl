const int wanted = int(wanted_output) + 2 * int(wanted_id) + 4 * int(wanted_sums);

float sumAt(int i) { return float(i * param.seed + extent_id.x + wanted); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, vec4(p.position, 0.5 * float(param.seed), wanted));
  store_id(p.position, uint(p.position.y * extent_output.x + p.position.x) * 2654435761u + uint(param.seed));
  if (p.position != ivec2(0)) { return; }
  for (int i = 1; i + 1 < count_sums; ++i) { array_sums.data[i] = sumAt(i); }
  if (wanted_sums) {
    int at[2] = int[](0, 63);
    array_sums.data[at[0]] = sumAt(0);
    array_sums.data[63] = sumAt(63);
  }
}
