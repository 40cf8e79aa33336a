// The larger one of each of a cell's values.

#if USES_FLOATS
uvec4 larger(uvec4 a, uvec4 b) {
  return floatBitsToUint(max(uintBitsToFloat(a), uintBitsToFloat(b)));
}
#else
#if defined(LANES)
// CPUs pack halves slowly. Halves above 0 are ordered as integers.
uvec2 largerHalves(uvec2 a, uvec2 b) {
  return uvec2(max(ivec2(a << 16), ivec2(b << 16))) >> 16 |
         uvec2(max(ivec2(a & 0xffff0000u), ivec2(b & 0xffff0000u)));
}
#endif
uvec2 largerTwo(uvec2 a, uvec2 b) {
#if defined(LANES)
  if (isRelu) { return largerHalves(a, b); }
#endif
  return uvec2(packHalf2x16(max(unpackHalf2x16(a.x), unpackHalf2x16(b.x))),
               packHalf2x16(max(unpackHalf2x16(a.y), unpackHalf2x16(b.y))));
}
uvec4 larger(uvec4 a, uvec4 b) { return uvec4(largerTwo(a.xy, b.xy), largerTwo(a.zw, b.zw)); }
#endif
