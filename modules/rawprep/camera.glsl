// The camera's numbers in `camera` (modules/i-raw/README.md), or else the parameters.
float camera(int i, float otherwise) { return count_camera > i ? array_camera.data[i] : otherwise; }

vec3 gains() {
  return vec3(camera(5, param.red), camera(6, param.green), camera(7, param.blue)) *
         exp2(vec3(param.warmth, 0.0, -param.warmth));
}

// a and b of the noise, whose variance is a x + b. Both are 0 if it isn't known.
vec2 knownNoise() {
  vec2 given = vec2(param.noise_a, param.noise_b);
  if (given != vec2(0.0) || param.noise_from == 1) return given;
  return vec2(camera(17, 0.0), camera(18, 0.0));
}
