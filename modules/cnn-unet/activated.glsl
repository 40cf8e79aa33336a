// The activation of a layer's sums, a cell.

// Limited to half's largest number, so that no infinity and no NaN occurs; in floats to its square, so that sums
// of products aren't infinite.
#if USES_FLOATS
uvec4 activatedEight(uvec4 four) {
  return floatBitsToUint(clamp(uintBitsToFloat(four), isRelu ? 0.0 : -4e9, 4e9));
}
#else
vec2 activated(vec2 sums) { return clamp(sums, isRelu ? 0.0 : -65504.0, 65504.0); }
uvec4 activatedEight(uvec4 eight) {
  return uvec4(
      packHalf2x16(activated(unpackHalf2x16(eight.x))), packHalf2x16(activated(unpackHalf2x16(eight.y))),
      packHalf2x16(activated(unpackHalf2x16(eight.z))), packHalf2x16(activated(unpackHalf2x16(eight.w))));
}
#endif
