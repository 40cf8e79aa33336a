// Candidates below the threshold, from the bits that pairs.glsl found for half of the offsets.

#include "candidates.glsl"

// Patches below the threshold in the column at dx > 0, or below the pixel itself; and in the column at -dx, or
// above. The pixel itself counts, too.
uint columnAhead(ivec2 p, int dx) { return at_below(dx - firstColumn, p.y * width + p.x); }
uint columnBehind(const bool whole, ivec2 p, int dx) {
  uint column = dx == 0 && (isFinest ? 0.0 : -1.0) < param.threshold ? 1u << SEARCH : 0u;
  [[unroll]] for (int i = 0; i < side; ++i) {
    ivec2 q = p + ivec2(-dx, i - SEARCH);
    if (whole || contains(q)) { column |= (columnAhead(q, dx) >> (2 * SEARCH - i) & 1u) << i; }
  }
  return column;
}

// Those below the threshold: word dx of the set.
uint wordBelow(const bool whole, ivec2 p, int dx, int room) {
  uint behind = columnBehind(whole, p, dx), ahead = columnAhead(p, dx);
  uint word = behind | ahead << (dx > 0 ? 16 : 0);
  if (!whole) {
    [[unroll]] for (int i = 0; i < side; ++i) {
      word &= isCandidate(p + ivec2(-dx, i - SEARCH), room) ? ~0u : ~(1u << i);
      word &= isCandidate(p + ivec2(dx, i - SEARCH), room) || dx == 0 ? ~0u : ~(0x10000u << i);
    }
  }
  return word;
}
