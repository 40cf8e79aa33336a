// Against the worked examples of Dolp, Hanika, Dachsbacher 2024 (section 3.5, supplementary) and a
// simulation.

#include "graph/pattern/bank_pattern.h"

#include <gtest/gtest.h>

#include <set>

#include "tools/bench/models/bank_shapes.h"

namespace lacuna {
namespace {

uint32_t bankOf(const BankPattern& p, uint32_t x, uint32_t y) {
  return (y * p.rowLength + x) % p.cells;
}

TEST(BankPattern, OfTwentyCellsOver32Banks) {
  const BankPattern p = bankPattern(20, 32);
  EXPECT_EQ(p.width, 4U);
  EXPECT_EQ(p.height, 8U);
  EXPECT_EQ(cyclesOf(p), 5U);
  EXPECT_EQ(rowQuery(p).row, 3U);
  EXPECT_EQ(rowQuery(p).cycle, 2U);
  EXPECT_EQ(columnQuery(p).row, 5U);
  EXPECT_EQ(columnQuery(p).cycle, 3U);
}

TEST(BankPattern, OfTenCellsOf128Bits) {
  const BankPattern p = bankPattern(10, cellsAcrossBanks({}, 128));
  EXPECT_EQ(p.cells, 8U);
  EXPECT_EQ(p.width, 2U);
  EXPECT_EQ(p.height, 4U);
  EXPECT_EQ(cyclesOf(p), 5U);
}

TEST(BankPattern, QueriesFindWhatTheyAskFor) {
  for (uint32_t cells = 1; cells <= 64; cells *= 2) {
    for (uint32_t rowLength = 1; rowLength <= 80; ++rowLength) {
      const BankPattern p = bankPattern(rowLength, cells);
      EXPECT_EQ(bankOf(p, p.width, rowQuery(p).row), 0U) << rowLength << " over " << cells;
      EXPECT_EQ(bankOf(p, 0, columnQuery(p).row), p.width % cells) << rowLength << " over " << cells;
      for (uint32_t column = 0; column < rowLength; ++column) {
        for (uint32_t rank = 0; rank < p.height; ++rank) {
          ASSERT_EQ(bankOf(p, column, rowOfRank(p, column, rank)), column % p.width + rank * p.width)
              << rowLength << " over " << cells << ", column " << column << ", rank " << rank;
        }
      }
    }
  }
}

std::set<std::pair<uint32_t, uint32_t>> sidesOf(const BankPattern& pattern) {
  std::set<std::pair<uint32_t, uint32_t>> sizes;
  for (const SubgroupShape& shape : subgroupShapes(pattern))
    sizes.insert({shape.width, shape.height});
  return sizes;
}

TEST(BankPattern, ReshapesAsInTheSupplementary) {
  const auto sizes = sidesOf(bankPattern(20, 32));
  EXPECT_TRUE(sizes.count({4, 8}));
  EXPECT_TRUE(sizes.count({8, 4}));
  EXPECT_TRUE(sizes.count({2, 16}));
  EXPECT_TRUE(sizes.count({1, 32}));
}

// All promises of a shape, for every tile of a radius of up to 8 around a workgroup.
TEST(BankPattern, ShapesHaveNoConflictsWhereverTheyAreShifted) {
  uint32_t tried = 0;
  for (const uint32_t elementBits : {32U, 64U, 128U}) {
    const uint32_t cells = cellsAcrossBanks({}, elementBits);
    for (const uint32_t width : {8U, 16U, 32U}) {
      for (const uint32_t height : {8U, 16U, 32U}) {
        for (uint32_t radius = 0; radius <= 8; ++radius) {
          const uint32_t rowLength = width + 2 * radius;
          for (const SubgroupShape& shape : subgroupShapes(bankPattern(rowLength, cells))) {
            if (!covers(shape, width, height))
              continue;
            ++tried;
            const bool isTile = shape.width == shape.pattern.width && shape.height == shape.pattern.height;
            ASSERT_TRUE(!isTile || covers(shape.pattern, width, height));
            std::set<std::pair<uint32_t, uint32_t>> covered;
            for (uint32_t first = 0; first < width * height; first += cells) {
              std::vector<uint32_t> read;
              for (uint32_t i = first; i < first + cells; ++i) {
                const TileCell cell = cellOf(shape, width, i);
                ASSERT_LT(cell.x, width);
                ASSERT_LT(cell.y, height);
                ASSERT_TRUE(!isTile || cell == cellOf(shape.pattern, width, i));
                covered.insert({cell.x, cell.y});
                read.push_back((cell.y + radius) * rowLength + cell.x + 2 * radius);
              }
              ASSERT_EQ(bankCost({}, elementBits, read).conflicts(), 0U)
                  << elementBits << " bits, rows of " << rowLength << ", " << shape.width << "x"
                  << shape.height;
            }
            ASSERT_EQ(covered.size(), width * height);
          }
        }
      }
    }
  }
  EXPECT_GT(tried, 200U);
}

// Whether each bank holds equally many of a workgroup's cells. Otherwise some subgroup uses a bank twice,
// however pixels are distributed.
bool sharesBanksEqually(uint32_t rowLength, uint32_t cells, uint32_t width, uint32_t height) {
  std::vector<uint32_t> held(cells);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      ++held[(y * rowLength + x) % cells];
  return std::set<uint32_t>(held.begin(), held.end()).size() == 1;
}

// The reason why shaders use no other shape than the bank pattern tile itself: workgroups that it doesn't
// cover can't be covered, except those as wide as all banks, whose rows have no conflicts.
TEST(BankPattern, CoversWhateverCanBeCovered) {
  uint32_t coverable = 0;
  for (const uint32_t cells : {8U, 16U, 32U, 64U}) {
    for (uint32_t border = 0; border <= 16; border += 2) {
      for (uint32_t width = 1; width <= 64; ++width) {
        const BankPattern pattern = bankPattern(width + border, cells);
        for (uint32_t height = 1; height <= 32; ++height) {
          const bool isCovered = covers(pattern, width, height);
          const bool isCoverable = sharesBanksEqually(width + border, cells, width, height);
          EXPECT_EQ(isCovered || width % cells == 0, isCoverable)
              << width << "x" << height << " in rows of " << width + border << ", " << cells << " cells";
          coverable += isCoverable ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(coverable, 5000U);
}

TEST(BankConflicts, AreCounted) {
  std::vector<uint32_t> sameBank, neighbours, sameWord(32, 7);
  for (uint32_t i = 0; i < 32; ++i) {
    sameBank.push_back(32 * i);
    neighbours.push_back(5 + i);
  }
  EXPECT_EQ(bankCost({}, 32, sameBank).requests, 32U);
  EXPECT_EQ(bankCost({}, 32, neighbours).requests, 1U);
  EXPECT_EQ(bankCost({}, 32, sameWord).requests, 1U);
  // 128 bits: four groups of eight invocations, each without conflicts.
  EXPECT_EQ(bankCost({}, 128, neighbours).requests, 4U);
  EXPECT_EQ(bankCost({}, 128, neighbours).conflicts(), 0U);
}

// The purpose: subgroups in rows 16 wide conflict in a tile of 20 columns; subgroups of 4x8 do not.
TEST(BankConflicts, OfRowsAreWhatThePatternAvoids) {
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < 32; ++i)
    rows.push_back(i / 16 * 20 + i % 16);
  EXPECT_EQ(bankCost({}, 32, rows).conflicts(), 1U);
}

}  // namespace
}  // namespace lacuna
