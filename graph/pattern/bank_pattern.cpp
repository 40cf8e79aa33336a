#include "graph/pattern/bank_pattern.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

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

namespace {

// The largest number of different words that one bank must deliver to invocations that are served at once.
uint32_t requestsOf(const SharedMemory& memory, uint32_t elementBits, std::span<const uint32_t> cells) {
  std::vector<std::set<uint64_t>> words(memory.banks);
  for (const uint32_t cell : cells) {
    const uint64_t firstBit = uint64_t{cell} * elementBits;
    const uint64_t lastBit = firstBit + elementBits - 1;
    for (uint64_t word = firstBit / memory.bankBits; word <= lastBit / memory.bankBits; ++word)
      words[word % memory.banks].insert(word);
  }
  size_t most = 0;
  for (const std::set<uint64_t>& bank : words)
    most = std::max(most, bank.size());
  return static_cast<uint32_t>(most);
}

}  // namespace

BankCost bankCost(const SharedMemory& memory, uint32_t elementBits, std::span<const uint32_t> cells) {
  const size_t together = cellsAcrossBanks(memory, elementBits);
  BankCost cost;
  for (size_t at = 0; at < cells.size(); at += together) {
    cost.requests +=
        requestsOf(memory, elementBits, cells.subspan(at, std::min(together, cells.size() - at)));
    ++cost.least;
  }
  return cost;
}

}  // namespace lacuna
