#pragma once
// Further uses of bank pattern tiles in Dolp, Hanika, Dachsbacher 2024, which schedules don't need
// (graph/decisions/2026-11-20-stencil-shaders.md): queries and shapes of the supplementary.

#include <vector>

#include "graph/pattern/bank_pattern.h"

namespace lacuna {

// The number of cycles through the banks in the part of a tile that repeats.
inline uint32_t cyclesOf(const BankPattern& pattern) {
  return pattern.rowLength / pattern.width;
}

// Supplementary, section 2. The smallest solutions: the row, and the number of cycles through the banks
// before it.
struct BankQuery {
  uint32_t row = 0;
  uint32_t cycle = 0;
};
BankQuery rowQuery(const BankPattern& pattern);     // where column `width` shows the first bank
BankQuery columnQuery(const BankPattern& pattern);  // where column 0 shows bank `width`

// The row, modulo height, at which `column` shows its bank number `rank`, counted in ascending order: undoes
// the barrel shift between bank pattern tiles and the permutation within a column.
uint32_t rowOfRank(const BankPattern& pattern, uint32_t column, uint32_t rank);

// Shapes that a bank pattern tile can be given (supplementary, section 3): widths and heights by powers of
// two, wider by barrel shifts of the tiles side by side, taller by shifts of the patterns on top of each
// other.
struct SubgroupShape {
  BankPattern pattern;
  uint32_t width = 1;
  uint32_t height = 1;
};
std::vector<SubgroupShape> subgroupShapes(const BankPattern& pattern);  // widest first

// The shift of each further tile to the right (in rows), or of each further pattern below (in columns); 0 for
// the bank pattern tile itself.
uint32_t shiftOf(const SubgroupShape& shape);

// Like those of a bank pattern tile.
bool covers(const SubgroupShape& shape, uint32_t width, uint32_t height);
TileCell cellOf(const SubgroupShape& shape, uint32_t workgroupWidth, uint32_t invocation);

}  // namespace lacuna
