#include "shared/full.glsl"

// The balanced mosaic, `state`: its pixels, and the gains of its colours.
bool isInside(ivec2 p) { return all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, extent_state)); }
float valueAt(ivec2 p) { return load_state(clamp(p, ivec2(0), extent_state - 1)); }

struct Sensor { vec3 gains; vec2 noise; };
Sensor sensor() { return Sensor(vec3(param.red, param.green, param.blue), vec2(param.noise_a, param.noise_b)); }
float gainOf(Sensor s, int colour) { return colour == 1 ? s.gains.g : colour == 0 ? s.gains.r : s.gains.b; }
