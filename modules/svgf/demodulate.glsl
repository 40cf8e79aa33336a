// Radiance over albedo, and back: textures are filtered apart from the light that falls on them.

// What radiance is divided by. Where nothing is reflected (emitters, background), radiance stays as it is.
vec3 divisorOf(vec3 albedo) {
  // A comparison with NaN is false.
  vec3 a = vec3(albedo.r > 0.0 ? min(albedo.r, 1.0) : 0.0, albedo.g > 0.0 ? min(albedo.g, 1.0) : 0.0,
                albedo.b > 0.0 ? min(albedo.b, 1.0) : 0.0);
  return max(a.r, max(a.g, a.b)) < 1.0 / 1024.0 ? vec3(1.0) : max(a, vec3(0.02));
}

const float largestHalf = 65504.0;
