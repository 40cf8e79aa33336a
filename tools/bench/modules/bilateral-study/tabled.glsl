// Range weights of 8-bit levels by tabled(), which the including file defines for one channel. Other formats,
// and a distance that isn't a whole number, are computed.

#define IS_TABLED (format_edges == format_u8 && ((DISTANCE == 0 && SAME_CHANNELS) || DISTANCE == 3))

vec2 tabled(vec2 d) { return vec2(tabled(d.x), tabled(d.y)); }
vec3 tabled(vec3 d) { return vec3(tabled(d.x), tabled(d.y), tabled(d.z)); }

WEIGHT tapWeight(GUIDE d, float spatial, float falloff) {
#if !IS_TABLED
  return spatial * gaussianOf(d, falloff);
#elif DISTANCE == 0
  return spatial * tabled(d);
#else
  return spatial * tabled(summed(d));
#endif
}
