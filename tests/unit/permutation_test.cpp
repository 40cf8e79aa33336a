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
TEST(Permutation, IsThatOfFigure6) {
  const struct {
    Embedding embedding;
    uint32_t levels;
    Places row;
  } rows[] = {{ascendingMirrored, 1, {0, 2, 4, 6, 8, 10, 12, 14, 15, 13, 11, 9, 7, 5, 3, 1}},
              {ascendingMirrored, 2, {0, 4, 8, 12, 15, 11, 7, 3, 2, 6, 10, 14, 13, 9, 5, 1}},
              {ascendingMirrored, 3, {0, 8, 15, 7, 2, 10, 13, 5, 4, 12, 11, 3, 6, 14, 9, 1}},
              {ascendingMirrored, 4, {0, 15, 2, 13, 4, 11, 6, 9, 8, 7, 10, 5, 12, 3, 14, 1}},
              {ascending, 1, {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}},
              {ascending, 2, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}},
              {ascending, 3, {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}},
              {ascending, 4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
              {localMirrored, 1, {0, 2, 4, 6, 8, 10, 12, 14, 15, 13, 11, 9, 7, 5, 3, 1}},
              {localMirrored, 2, {0, 4, 8, 12, 14, 10, 6, 2, 1, 5, 9, 13, 15, 11, 7, 3}},
              {localMirrored, 3, {0, 8, 12, 4, 2, 10, 14, 6, 1, 9, 13, 5, 3, 11, 15, 7}},
              {local, 2, {0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15}},
              {local, 3, {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}}};
  for (const auto& [embedding, levels, row] : rows)
    EXPECT_EQ(rowOf(embedding, 16, levels), row) << levels;
}

// Each pixel has a place of its own, of which it is the pixel; one more split is the composition; and a
// dilated tap is a neighbour, which is what the schedules are based on.
TEST(Permutation, OfAllSmallSizesHoldsWhatThePaperClaims) {
  for (const Embedding& embedding : all) {
    for (uint32_t size = 1; size <= 70; ++size) {
      for (uint32_t levels = 0; levels <= 6; ++levels) {
        SCOPED_TRACE(testing::Message() << size << " pixels, " << levels << " levels");
        Places row = rowOf(embedding, size, levels);
        for (uint32_t pixel = 0; pixel < size; ++pixel) {
          const uint32_t place = placeOf(embedding, pixel, size, levels), dilation = 1U << levels;
          ASSERT_LT(place, size);
          ASSERT_EQ(row[place], pixel);
          ASSERT_EQ(nextPlace(embedding, place, size, levels), placeOf(embedding, pixel, size, levels + 1));
          if (pixel + dilation < size) {
            const int step = static_cast<int>(placeOf(embedding, pixel + dilation, size, levels)) -
                             static_cast<int>(place);
            ASSERT_EQ(embedding.mirrored ? std::abs(step) : step, 1) << pixel;
          }
        }
        std::sort(row.begin(), row.end());
        ASSERT_EQ(std::adjacent_find(row.begin(), row.end()), row.end());
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
