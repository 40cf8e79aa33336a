// Against the tables of Dolp, Hanika, Dachsbacher 2024, figure 6, and their claims for all small sizes.

#include "graph/pattern/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace lacuna {
namespace {

using Places = std::vector<uint32_t>;

constexpr Embedding ascending{SubimageOrder::ascending, false};
constexpr Embedding ascendingMirrored{SubimageOrder::ascending, true};
constexpr Embedding local{SubimageOrder::localSubdivision, false};
constexpr Embedding localMirrored{SubimageOrder::localSubdivision, true};
constexpr Embedding all[] = {ascending, ascendingMirrored, local, localMirrored};

Places rowOf(const Embedding& embedding, uint32_t size, uint32_t levels) {
  Places row;
  for (uint32_t place = 0; place < size; ++place)
    row.push_back(pixelAt(embedding, place, size, levels));
  return row;
}

// The paper counts levels from 0: its row l = 0 shows the result of one split.
TEST(Permutation, AscendingMirroredAsInFigure6a) {
  EXPECT_EQ(rowOf(ascendingMirrored, 16, 1), (Places{0, 2, 4, 6, 8, 10, 12, 14, 15, 13, 11, 9, 7, 5, 3, 1}));
  EXPECT_EQ(rowOf(ascendingMirrored, 16, 2), (Places{0, 4, 8, 12, 15, 11, 7, 3, 2, 6, 10, 14, 13, 9, 5, 1}));
  EXPECT_EQ(rowOf(ascendingMirrored, 16, 3), (Places{0, 8, 15, 7, 2, 10, 13, 5, 4, 12, 11, 3, 6, 14, 9, 1}));
  EXPECT_EQ(rowOf(ascendingMirrored, 16, 4), (Places{0, 15, 2, 13, 4, 11, 6, 9, 8, 7, 10, 5, 12, 3, 14, 1}));
}

TEST(Permutation, AscendingAsInFigure6b) {
  EXPECT_EQ(rowOf(ascending, 16, 1), (Places{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(rowOf(ascending, 16, 2), (Places{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(rowOf(ascending, 16, 3), (Places{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}));
  EXPECT_EQ(rowOf(ascending, 16, 4), (Places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(Permutation, LocalMirroredAsInFigure6c) {
  EXPECT_EQ(rowOf(localMirrored, 16, 1), (Places{0, 2, 4, 6, 8, 10, 12, 14, 15, 13, 11, 9, 7, 5, 3, 1}));
  EXPECT_EQ(rowOf(localMirrored, 16, 2), (Places{0, 4, 8, 12, 14, 10, 6, 2, 1, 5, 9, 13, 15, 11, 7, 3}));
  EXPECT_EQ(rowOf(localMirrored, 16, 3), (Places{0, 8, 12, 4, 2, 10, 14, 6, 1, 9, 13, 5, 3, 11, 15, 7}));
}

TEST(Permutation, LocalAsInFigure6d) {
  EXPECT_EQ(rowOf(local, 16, 2), (Places{0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15}));
  EXPECT_EQ(rowOf(local, 16, 3), (Places{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
}

TEST(Permutation, IsABijectionWithThatInverse) {
  for (const Embedding& embedding : all) {
    for (uint32_t size = 1; size <= 70; ++size) {
      for (uint32_t levels = 0; levels <= 6; ++levels) {
        Places row = rowOf(embedding, size, levels);
        for (uint32_t place = 0; place < size; ++place) {
          ASSERT_LT(row[place], size);
          ASSERT_EQ(placeOf(embedding, row[place], size, levels), place) << size << " " << levels;
        }
        std::sort(row.begin(), row.end());
        ASSERT_EQ(std::adjacent_find(row.begin(), row.end()), row.end()) << size << " " << levels;
      }
    }
  }
}

TEST(Permutation, OneMoreSplitIsTheComposition) {
  for (const Embedding& embedding : all) {
    for (uint32_t size = 1; size <= 70; ++size) {
      for (uint32_t levels = 0; levels < 6; ++levels) {
        for (uint32_t pixel = 0; pixel < size; ++pixel) {
          const uint32_t place = placeOf(embedding, pixel, size, levels);
          ASSERT_EQ(nextPlace(embedding, place, size, levels), placeOf(embedding, pixel, size, levels + 1))
              << size << " " << levels << " " << pixel;
        }
      }
    }
  }
}

// The claim on which the schedules are based: a dilated tap is a neighbour.
TEST(Permutation, PixelsADilationApartAreNeighbours) {
  for (const Embedding& embedding : all) {
    for (uint32_t size = 1; size <= 70; ++size) {
      for (uint32_t levels = 0; levels <= 6; ++levels) {
        const uint32_t dilation = 1U << levels;
        for (uint32_t pixel = 0; pixel + dilation < size; ++pixel) {
          const auto here = static_cast<int>(placeOf(embedding, pixel, size, levels));
          const auto there = static_cast<int>(placeOf(embedding, pixel + dilation, size, levels));
          ASSERT_EQ(embedding.mirrored ? std::abs(there - here) : there - here, 1)
              << "size " << size << ", levels " << levels << ", pixel " << pixel;
        }
      }
    }
  }
}

// At the seam of the two halves the next pixel is the nearest possible one.
TEST(Permutation, MirroringBringsNearbyPixelsBeyondTheEnd) {
  for (const Embedding& embedding : {ascendingMirrored, localMirrored}) {
    for (uint32_t size = 2; size <= 70; ++size) {
      const Places row = rowOf(embedding, size, 1);
      const uint32_t seam = (size + 1) / 2;
      if (seam < size) {
        const auto distance = std::abs(static_cast<int>(row[seam]) - static_cast<int>(row[seam - 1]));
        EXPECT_EQ(distance, 1) << size;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna
