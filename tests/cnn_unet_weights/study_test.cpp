// The counts of `lacuna bench unet` for the study's network, against the study's tables.

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tools/bench/places.h"
#include "tools/bench/unet/counts.h"
#include "tools/bench/unet/networks.h"

namespace lacuna::test {
namespace {

Json studyCounts(Extent picture) {
  std::mt19937_64 random = namedRandom("study");
  return unetCounts(drawnNetwork(random, "study"), picture);
}

TEST(UnetStudy, HasAsManyParameters) {
  EXPECT_EQ(sumOf(studyCounts({1, 1}), "parameters"), 861093.0);
}

// In the study a multiply-add is one operation.
TEST(UnetStudy, PrintsWhatItsCountsAndTimesGiveButForFive) {
  const Json layers = studyCounts({1024, 1024});
  ASSERT_TRUE(isStudyNetwork(layers));
  const Json& figures = study("unet").at("figures");
  for (size_t i = 0; i < layers.size(); ++i) {
    const bool isDoubled = i >= 7 && i % 2 == 1;
    const double printed =
        (isDoubled ? 1 : 2) * figures[i].at("printedMultiplyAddsPerSecond").get<double>() * 1e-12;
    EXPECT_NEAR(layers[i].at("operations").get<double>() / figures[i].at("ms").get<double>() * 1e-9, printed,
                0.01 + 0.01 * printed)
        << "two digits, " << i;
  }
  EXPECT_NEAR(sumOf(figures, "ms"), 30.8, 0.05);
}

TEST(UnetStudy, CountsPicturesInMultiplesOf32) {
  const Json layers = studyCounts({1920, 1080});
  EXPECT_TRUE(isStudyNetwork(layers)) << "of another size";
  const Json& first = layers.front();
  EXPECT_EQ(first.at("height"), 1088U);
  const double pixels = 1920.0 * 1088.0;
  EXPECT_EQ(first.at("operations"), 2 * 9 * 7 * 32 * pixels);
  EXPECT_EQ(first.at("paddedOperations"), 2 * 9 * 16 * 32 * pixels);
  EXPECT_EQ(first.at("floorBytes"), 2 * (7 * pixels + 32 * pixels + 9 * 7 * 32 + 32));
  // It reads layer 13 in half the size, and layer 0.
  const Json& merging = layers[14];
  EXPECT_EQ(merging.at("paddedOperations"), 2 * 9 * (48 + 32) * 32 * pixels);
  EXPECT_EQ(merging.at("floorBytes"), 2 * (43 * pixels / 4 + 32 * pixels + 32 * pixels + 9 * 75 * 32 + 32));
}

}  // namespace
}  // namespace lacuna::test
