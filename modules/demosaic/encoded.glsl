// Values for interpolation, close to perceived brightness, so that contrasts are equal in the dark and in the
// light. Below `offset`, where noise would be amplified, it is nearly linear. An odd function, since noise
// goes below zero.
const float encodingPower = 0.42;

float encoded(float x) {
  float v = pow(abs(x) + param.offset, encodingPower) - pow(param.offset, encodingPower);
  return x < 0.0 ? -v : v;
}
vec3 decoded(vec3 v) {
  vec3 x = pow(abs(v) + pow(param.offset, encodingPower), vec3(1.0 / encodingPower)) - param.offset;
  return mix(x, -x, lessThan(v, vec3(0.0)));
}
