shared vec4 tile[16 * 16];

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  bool inside = all(lessThan(p.position, p.extent));
  tile[own] = inside ? load_input(p.position) : vec4(0.0);
  barrier();
  if (!inside) {
    return;
  }
#if FAST && channels_input > 3
  vec4 other = tile[own];
#else
  vec4 other = tile[own ^ 1];
#endif
  store_output(p.position, param.gain * mix(tile[own], other, 0.5));
}
