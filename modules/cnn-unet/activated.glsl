// The activation of a layer's sums, eight channels in halves.

// Limited to half's largest number, so that no infinity and no NaN occurs.
vec2 activated(vec2 sums) { return clamp(sums, isRelu ? 0.0 : -65504.0, 65504.0); }
uvec4 activatedEight(uvec4 eight) {
  return uvec4(
      packHalf2x16(activated(unpackHalf2x16(eight.x))), packHalf2x16(activated(unpackHalf2x16(eight.y))),
      packHalf2x16(activated(unpackHalf2x16(eight.z))), packHalf2x16(activated(unpackHalf2x16(eight.w))));
}
