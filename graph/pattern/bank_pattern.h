#pragma once
// Which cells of a shared-memory tile a subgroup may take at once without bank conflicts, and without
// padding: Dolp, Hanika, Dachsbacher 2024, section 3.5 and supplementary. Cells are numbered row by row; cell
// a lies in bank a mod `cells`, where `cells` is how many lie side by side in all banks together.

#include <cstdint>
#include <vector>

namespace lacuna {

struct SharedMemory {
  uint32_t banks = 32;
  uint32_t bankBits = 32;
};

// The corrected number of banks (supplementary, section 1): 32 banks of 32 bits hold 8 cells of 128 bits, 64
// of 16. elementBits must divide, or be divided by, what all banks hold.
uint32_t cellsAcrossBanks(const SharedMemory& memory, uint32_t elementBits);

// The smallest part of a tile of rows of `rowLength` cells that repeats (equation 1): `height` rows, in which
// one walks `cycles` times through the banks. Any `width` neighbouring columns of it hold each bank once: a
// bank pattern tile.
struct BankPattern {
  uint32_t rowLength = 1;
  uint32_t cells = 32;
  uint32_t width = 1;   // greatest common divisor of rowLength and cells
  uint32_t height = 1;  // cells / width
  uint32_t cycles = 1;  // rowLength / width
};
BankPattern bankPattern(uint32_t rowLength, uint32_t cells);

// Supplementary, section 2. The smallest solutions: which row, and how many cycles through the banks before
// it.
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

struct TileCell {
  uint32_t x = 0;
  uint32_t y = 0;
  bool operator==(const TileCell&) const = default;
};

// Whether subgroups of this shape cover a workgroup: shapes and patterns must divide it.
bool covers(const SubgroupShape& shape, uint32_t width, uint32_t height);

// sigma_shm: the pixel of a workgroup of that width that an invocation takes, shape by shape from the left,
// then from the top; in a shape row by row. Needs covers().
TileCell cellOf(const SubgroupShape& shape, uint32_t workgroupWidth, uint32_t invocation);

}  // namespace lacuna
