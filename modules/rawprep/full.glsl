// A full colour is at least as bright as the sensor can measure, and gets the value of the neighbouring colours
// that aren't full: if only green is full, white stays white. If all are full, all become the largest value of
// the three, which is neutral.

// Share of a colour's largest value from which it counts as full: sensors aren't full at the same value
// everywhere.
const float nearlyFull = 0.985;
const float weightOfWhite = 0.05;  // the gain of each colour; and 1 if the colour is not full

// Full colours are at least that bright: they count if they are above those that are not full.
float rebuilt(Sensor s, ivec2 p, float value) {
  vec3 g = s.gains;
  vec3 sum = vec3(0.0), full = vec3(0.0), count = vec3(0.0);
  for (int k = 0; k < 9; ++k) {
    ivec2 q = p + ivec2(k % 3, k / 3) - 1;
    if (k == 4 || !isInside(q)) continue;
    float v = load_state(q);
    vec3 isOf = vec3(equal(ivec3(colourAt_state(q)), ivec3(0, 1, 2)));
    sum += v * isOf;
    full += isOf * float(v >= nearlyFull * gainOf(s, colourAt_state(q)));
    count += isOf;
  }
  vec3 isOther = (1.0 - vec3(equal(ivec3(colourAt_state(p)), ivec3(0, 1, 2)))) * vec3(greaterThan(count, vec3(0.0)));
  count = max(count, vec3(1.0));
  vec3 mean = sum / count;
  full /= count;
  vec3 open = isOther * (1.0 - full);
  float light = dot(open, mean) + weightOfWhite * max(g.r, max(g.g, g.b));
  float weight = dot(open, vec3(1.0)) + weightOfWhite;
  vec3 above = isOther * full * vec3(greaterThan(mean, vec3(light / weight)));
  return max(value, (light + dot(above, mean)) / (weight + dot(above, vec3(1.0))));
}
