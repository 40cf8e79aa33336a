// One pixel for 2x2: the mean of each colour; for missing colours, of 4x4, or else 8x8. Beyond the edge there
// is nothing.
vec3 sum;
vec3 count;

void add(ivec2 from, int size) {
  sum = vec3(0.0);
  count = vec3(0.0);
  for (int k = 0; k < size * size; ++k) {
    ivec2 p = from + ivec2(k % size, k / size);
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, extent_mosaic))) continue;
    int colour = colourAt_mosaic(p);
    sum[colour] += load_mosaic(p);
    count[colour] += 1.0;
  }
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) return;
  add(2 * p.position, 2);
  vec3 mean = sum / count;
  for (int reach = 1; reach <= 3 && any(isnan(mean)); reach += 2) {
    bvec3 lacks = equal(count, vec3(0.0));
    add(2 * p.position - reach, 2 + 2 * reach);
    mean = mix(mean, sum / count, lacks);
  }
  store_result(p.position, vec4(mix(mean, vec3(0.0), isnan(mean)), 1.0));
}
