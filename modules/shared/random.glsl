// Mark Jarzynski, Marc Olano, Hash Functions for GPU Rendering, JCGT 9(3), 2020: pcg4d. Hashes four words to
// four well-mixed words.
uvec4 hash4(uvec4 v) {
  v = v * 1664525u + 1013904223u;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  v ^= v >> 16u;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  return v;
}

// (0, 1], in steps of 2^-24, so that its logarithm is finite.
vec4 toUniform(uvec4 v) { return (vec4(v >> 8u) + 1.0) * (1.0 / 16777216.0); }

// Box and Muller 1958: four independent samples of the standard normal distribution.
vec4 toNormal(uvec4 v) {
  vec4 u = toUniform(v);
  vec2 radius = sqrt(-2.0 * log(u.xz));
  vec2 angle = 6.283185307 * u.yw;
  return radius.xxyy * vec4(cos(angle.x), sin(angle.x), cos(angle.y), sin(angle.y));
}
