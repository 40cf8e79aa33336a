// The last layer's results, pixel after pixel in QUADS of four.

void finish(ivec2 p, int quad, uvec4 v) {
  if (any(greaterThanEqual(p, ivec2(outputWidth, outputHeight)))) { return; }
  quads_output.data[(p.y * outputWidth + p.x) * QUADS + quad] = v;
}
