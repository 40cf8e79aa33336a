// Hot pixels, and highlights. A kernel, because it looks around only where a pixel may be either. Its loops run
// at most once: processors compute both sides of a branch, but leave a loop that no pixel takes. Within, loops
// run `once` times as often, or compilers would unroll them for all pixels.
#include "hot.glsl"
#if HIGHLIGHTS == 0
#include "rebuilt.glsl"
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
  bool isFull = result == value && value >= nearlyFull * gainOf(s, colourAt_state(p.position));
  for (int turns = isFull ? 1 : 0; turns > 0; --turns) result = rebuilt(s, p.position, value, turns);
#endif
  store_output(p.position, result);
}
