void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int batch = p.position.y / shape_input.w, row = p.position.x, column = p.position.y % shape_input.w;
  int from = (batch * shape_input.z + row) * shape_input.w + column;
  float value = float(array_input.data[from]);
  float added = has_other ? float(array_other.data[from]) : 0.0;
  array_turned.data[p.position.y * shape_turned.w + p.position.x] = element_turned(value + added);
  array_doubled.data[from] = element_doubled(2.0 * value);
#if format_turned == format_f16
  uint isHalf = 1u;
#else
  uint isHalf = 0u;
#endif
  if (p.position == ivec2(0)) {
    for (int i = 0; i < 4; ++i) {
      array_shapes.data[i] = uint(shape_input[i]);
      array_shapes.data[4 + i] = uint(shape_other[i]);
      array_shapes.data[8 + i] = uint(shape_turned[i]) + 1000u * isHalf;
    }
  }
}
