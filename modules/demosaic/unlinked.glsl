// Where colours are independent, green comes from the pixels beside alone. State as in contrasts.glsl; then green less
// the pixel's colour, the independence, the colour, the value.
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) return;
  vec4 own = load_state(p.position);
  vec2 greens = load_greens(p.position / 2);
  float share = load_independence(p.position / 2);
  float plain = ((p.position.y & 1) == 0 ? greens.x : greens.y) - own.w;
  store_result(p.position, vec4(int(own.z) == 1 ? 0.0 : mix(own.x, plain, share), share, own.zw));
}
