#pragma once
// The cells of a shared-memory tile that a subgroup can read at once without bank conflicts, and without
// padding: Dolp, Hanika, Dachsbacher 2024, section 3.5 and supplementary. Cells are numbered row by row; cell
// a lies in bank a mod `cells`, where `cells` is how many lie side by side in all banks together.

#include <cstdint>
#include <span>

namespace lacuna {

struct SharedMemory {
  uint32_t banks = 32;
  uint32_t bankBits = 32;
};

// The corrected number of banks (supplementary, section 1): 32 banks of 32 bits hold 8 cells of 128 bits, 64
// of 16. elementBits must divide the bits that all banks hold, or be a multiple of them.
uint32_t cellsAcrossBanks(const SharedMemory& memory, uint32_t elementBits);

// The smallest part of a tile of rows of `rowLength` cells that repeats (equation 1): `height` rows. Any
// `width` neighbouring columns of it hold each bank once: a bank pattern tile.
struct BankPattern {
  uint32_t rowLength = 1;
  uint32_t cells = 32;
  uint32_t width = 1;   // greatest common divisor of rowLength and cells
  uint32_t height = 1;  // cells / width
};
BankPattern bankPattern(uint32_t rowLength, uint32_t cells);

struct TileCell {
  uint32_t x = 0;
  uint32_t y = 0;
  bool operator==(const TileCell&) const = default;
};

// Whether subgroups of one bank pattern tile each cover a workgroup.
bool covers(const BankPattern& tile, uint32_t width, uint32_t height);

// sigma_shm: the pixel of a workgroup of that width that an invocation takes, tile by tile from the left,
// then from the top; in a tile row by row. Needs covers().
TileCell cellOf(const BankPattern& tile, uint32_t workgroupWidth, uint32_t invocation);

// The number of shared-memory requests for one load of a subgroup whose invocations read `cells`: `requests`,
// and the smallest possible number. Memory serves at once as many invocations as the banks hold cells, at
// most all of them; invocations that want the same word share it.
struct BankCost {
  uint32_t requests = 0;
  uint32_t least = 0;
  uint32_t conflicts() const { return requests - least; }
};
BankCost bankCost(const SharedMemory& memory, uint32_t elementBits, std::span<const uint32_t> cells);

}  // namespace lacuna
