// Hot pixels, and highlights. A kernel, because it looks around only where a pixel may be either. Its loops run
// at most once: processors compute both sides of a branch, but leave a loop that no pixel takes. Within, loops
// run `once` times as often, or compilers would unroll them for all pixels.
#include "hot.glsl"
#if HIGHLIGHTS == 0
#include "shared/rebuilt.glsl"

Near nearby(Sensor s, ivec2 p, int once) {
  vec3 sum = vec3(0.0), full = vec3(0.0), count = vec3(0.0);
  for (int k = 0; k < 9 * once; ++k) {
    ivec2 q = p + ivec2(k % 3, k / 3) - 1;
    int colour = k != 4 && isInside(q) ? colourAt_state(q) : -1;
    vec3 isOf = vec3(equal(ivec3(colour), ivec3(0, 1, 2)));
    float v = valueAt(q);
    sum += v * isOf;
    full += isOf * float(v >= nearlyFull * dot(s.gains, isOf));
    count += isOf;
  }
  vec3 isOther = vec3(notEqual(ivec3(colourAt_state(p)), ivec3(0, 1, 2))) * vec3(greaterThan(count, vec3(0.0)));
  count = max(count, vec3(1.0));
  return Near(sum / count, full / count, isOther, isOther * (1.0 - full / count));
}
#endif

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) return;
  float value = load_state(p.position);
  float result = value;
  Sensor s = sensor();
#if HOT_PIXELS
  for (int turns = mayBeHot(s, p.position, value) ? 1 : 0; turns > 0; --turns)
    result = withoutHeat(s, p.position, value, turns);
#endif
#if HIGHLIGHTS == 0
  int own = colourAt_state(p.position);
  bool isFull = result == value && value >= nearlyFull * gainOf(s, own);
  for (int turns = isFull ? 1 : 0; turns > 0; --turns)
    result = rebuilt(s.gains, nearby(s, p.position, turns), lightAround(p.position, turns), own, value);
#endif
  store_output(p.position, result);
}
