#include "tools/bench/models/bank_shapes.h"

namespace lacuna {
namespace {

// The number x below `modulus` with factor * x = 1 (mod modulus); factor and modulus have no common divisor.
// Moduli are numbers of banks, so few that a plain search suffices.
uint32_t inverse(uint32_t factor, uint32_t modulus) {
  for (uint32_t x = 0; x < modulus; ++x)
    if (factor * x % modulus == 1 % modulus)
      return x;
  return 0;
}

bool isPowerOfTwo(uint32_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

}  // namespace

// row * rowLength + width = cycle * cells, divided by width: row * cycles = -1 (mod height).
BankQuery rowQuery(const BankPattern& pattern) {
  const uint32_t row =
      (pattern.height - inverse(cyclesOf(pattern) % pattern.height, pattern.height)) % pattern.height;
  return {row, (row * pattern.rowLength + pattern.width) / pattern.cells};
}

// row * rowLength = cycle * cells + width: row * cycles = 1 (mod height).
BankQuery columnQuery(const BankPattern& pattern) {
  const uint32_t row = inverse(cyclesOf(pattern) % pattern.height, pattern.height);
  return {row, row * pattern.rowLength / pattern.cells};
}

uint32_t rowOfRank(const BankPattern& pattern, uint32_t column, uint32_t rank) {
  const uint32_t tile = column / pattern.width;
  return (rowQuery(pattern).row * tile + columnQuery(pattern).row * rank) % pattern.height;
}

std::vector<SubgroupShape> subgroupShapes(const BankPattern& pattern) {
  std::vector<SubgroupShape> shapes;
  for (uint32_t height = 1; height <= pattern.cells; ++height) {
    const uint32_t width = pattern.cells / height;
    const bool whole = width * height == pattern.cells;
    const bool reachable = height <= pattern.height
                               ? isPowerOfTwo(pattern.height / height) && pattern.height % height == 0
                               : isPowerOfTwo(height / pattern.height) && height % pattern.height == 0;
    if (whole && reachable)
      shapes.push_back({pattern, width, height});
  }
  return shapes;
}

bool covers(const SubgroupShape& shape, uint32_t width, uint32_t height) {
  const BankPattern& p = shape.pattern;
  const uint32_t rows = shape.height > p.height ? shape.height : p.height;
  return width % shape.width == 0 && width % p.width == 0 && height % rows == 0;
}

uint32_t shiftOf(const SubgroupShape& shape) {
  const BankPattern& p = shape.pattern;
  return shape.height < p.height   ? (rowQuery(p).row + columnQuery(p).row * shape.height) % p.height
         : shape.height > p.height ? shape.width
                                   : 0;
}

TileCell cellOf(const SubgroupShape& shape, uint32_t workgroupWidth, uint32_t invocation) {
  const BankPattern& p = shape.pattern;
  const uint32_t across = workgroupWidth / shape.width;
  const uint32_t subgroup = invocation / (shape.width * shape.height);
  const uint32_t lane = invocation % (shape.width * shape.height);
  TileCell cell{subgroup % across * shape.width + lane % shape.width,
                subgroup / across * shape.height + lane / shape.width};
  if (shape.height < p.height) {
    // Wider: tile i of the normalised pattern starts i heights lower, so that neighbours show other banks.
    const uint32_t top = cell.y / p.height * p.height;
    cell.y = top + (cell.y - top + cell.x / p.width * shiftOf(shape)) % p.height;
  } else if (shape.height > p.height) {
    // Taller: pattern i starts i widths further right within its tile.
    const uint32_t left = cell.x / p.width * p.width;
    cell.x = left + (cell.x - left + cell.y / p.height * shiftOf(shape)) % p.width;
  }
  return cell;
}

}  // namespace lacuna
