#include "graph/pattern/bank_pattern.h"

#include <numeric>

namespace lacuna {

uint32_t cellsAcrossBanks(const SharedMemory& memory, uint32_t elementBits) {
  return memory.banks * memory.bankBits / elementBits;
}

BankPattern bankPattern(uint32_t rowLength, uint32_t cells) {
  const uint32_t common = std::gcd(rowLength, cells);
  return {rowLength, cells, common, cells / common};
}

bool covers(const BankPattern& tile, uint32_t width, uint32_t height) {
  return width % tile.width == 0 && height % tile.height == 0;
}

TileCell cellOf(const BankPattern& tile, uint32_t workgroupWidth, uint32_t invocation) {
  const uint32_t across = workgroupWidth / tile.width;
  const uint32_t subgroup = invocation / (tile.width * tile.height);
  const uint32_t lane = invocation % (tile.width * tile.height);
  return {subgroup % across * tile.width + lane % tile.width,
          subgroup / across * tile.height + lane / tile.width};
}

}  // namespace lacuna
