// Hot pixels alone: as in mended.glsl.
#include "hot.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) return;
  float value = load_state(p.position);
  float result = value;
  Sensor s = sensor();
  for (int turns = mayBeHot(s, p.position, value) ? 1 : 0; turns > 0; --turns)
    result = withoutHeat(s, p.position, value, turns);
  store_output(p.position, result);
}
