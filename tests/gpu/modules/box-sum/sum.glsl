const int reach = 2;
const ivec2 size = ivec2(16, 8);
shared float tile[size.y + 2 * reach][size.x + 2 * reach];

void run(Pixel p) {
  ivec2 origin = p.position - ivec2(gl_LocalInvocationID.xy) - reach;
  for (int y = int(gl_LocalInvocationID.y); y < size.y + 2 * reach; y += size.y) {
    for (int x = int(gl_LocalInvocationID.x); x < size.x + 2 * reach; x += size.x) {
      ivec2 at = origin + ivec2(x, y);
      bool inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, p.extent));
      float weight = inside && has_mask ? load_mask(at) : 1.0;
      tile[y][x] = inside ? load_input(at) * weight : 0.0;
    }
  }
  barrier();
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float sum = 0.0;
  for (int y = 0; y <= 2 * reach; ++y) {
    for (int x = 0; x <= 2 * reach; ++x) {
      sum += tile[gl_LocalInvocationID.y + y][gl_LocalInvocationID.x + x];
    }
  }
  store_output(p.position, sum);
}
