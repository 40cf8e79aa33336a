// Normals as two signed 16-bit octahedral coordinates (Cigolle et al. 2014, A Survey of Efficient
// Representations for Independent Unit Vectors): about 1e-4 of angle.

uint encodeNormal(vec3 n) {
  float length1 = abs(n.x) + abs(n.y) + abs(n.z);
  // Renderers write zero or NaN where there is no surface.
  if (!(length1 > 1e-20 && length1 < 1e20)) { return packSnorm2x16(vec2(0.0)); }
  vec2 e = n.xy / length1;
  if (n.z < 0.0) {
    vec2 folded = 1.0 - abs(e.yx);
    e = vec2(e.x >= 0.0 ? folded.x : -folded.x, e.y >= 0.0 ? folded.y : -folded.y);
  }
  return packSnorm2x16(e);
}

vec3 decodeNormal(uint u) {
  vec2 e = unpackSnorm2x16(u);
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  float t = max(-n.z, 0.0);
  n.x += n.x >= 0.0 ? -t : t;
  n.y += n.y >= 0.0 ? -t : t;
  return n * inversesqrt(fma(n.x, n.x, fma(n.y, n.y, n.z * n.z)));
}
