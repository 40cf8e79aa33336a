// Upsampling or concatenation, for unfused layers: whole fragments with the ring, copied from the places that
// the native code's heldAt computes.

void run(Pixel unused) {
  int at = workgroupAt(1) * int(gl_WorkGroupSize.y) + groupOf();
  const int wide_ = across + 2, high = down + 2;
  int block = at / (wide_ * high);
  if (block < blocks) {
    quads_output.data[at * 32 + laneOf()] = heldAt(block, at / wide_ % high - 1, at % wide_ - 1);
  }
}
