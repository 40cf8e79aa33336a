// The last layer's results, pixel after pixel in QUADS of four.

void finish(ivec2 p, int quad, uvec4 v) {
  if (any(greaterThanEqual(p, ivec2(outputWidth, outputHeight)))) { return; }
  vec4 sums = uintBitsToFloat(v);
  quads_output.data[(p.y * outputWidth + p.x) * QUADS + quad] = floatBitsToUint(isRelu ? max(sums, 0.0) : sums);
}
