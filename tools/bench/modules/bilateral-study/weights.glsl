// Larsson 2015, equation 2.5: the spatial Gaussian, for offsets row by row: the product of two of one
// dimension. Its factor cancels in 2.8. Then, for each row, the offset up to which the support reaches: all
// of the square, or a circle (OpenCV's), outside of which weights are 0. Then the Gaussian of one dimension.

const int offsets = 3969;  // 63^2
const int reaches = 63;

float gaussian(int d) {
  float falloff = -0.72134752 / (param.sigma_space * param.sigma_space);  // -log2(e) / 2
  return exp2(float(d * d) * falloff);
}

bool isInside(ivec2 offset) {
  return DISTANCE != 3 || offset.x * offset.x + offset.y * offset.y <= param.radius * param.radius;
}

int reachOf(int dy) {
  int reach = param.radius;
  while (!isInside(ivec2(reach, dy))) {
    --reach;
  }
  return reach;
}

void run(Pixel p) {
  int i = p.position.x;
  int side = 2 * param.radius + 1;
  if (i >= offsets + 2 * reaches) { return; }
  float value = 0.0;
  if (i < side * side) {
    ivec2 offset = ivec2(i % side, i / side) - param.radius;
    value = isInside(offset) ? gaussian(offset.x) * gaussian(offset.y) : 0.0;
  } else if (i >= offsets + reaches) {
    value = gaussian(i - offsets - reaches);
  } else if (i >= offsets && i < offsets + side) {
    value = float(reachOf(i - offsets - param.radius));
  }
  array_weights.data[i] = value;
}
