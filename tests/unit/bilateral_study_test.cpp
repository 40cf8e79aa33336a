// The study's tables hold speed-ups beside their times: of times that were copied wrongly they would differ.

#include "tools/bench/bilateral/study.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lacuna::test {
namespace {

constexpr Extent sizes[] = {{512, 512}, {1920, 1080}, {5522, 3651}};
constexpr double rounding = 1e-5;  // of times and speed-ups with six digits

// Tables 6.4 to 6.6, column Speedup, radii 1, 3, ... 15.
constexpr double fastestSpeedups[3][8] = {
    {34.4398, 38.5228, 38.5153, 38.4516, 39.7198, 39.4427, 38.8669, 38.414},
    {37.967, 38.8638, 39.4758, 39.4538, 39.6886, 39.5267, 39.7964, 39.7155},
    {38.9105, 40.4374, 41.2443, 41.2629, 41.1448, 41.1644, 41.1517, 41.1117},
};

// Tables 6.7 to 6.9, columns Speedup(sequential) and Speedup(Naive), of radii 1, 7 and 15.
struct Speedups {
  double sequential, naive;
};
constexpr Speedups speedups[3][3][8] = {
    {{{33.0122, 1},
      {33.7971, 1.02378},
      {34.3471, 1.04044},
      {34.4398, 1.04324},
      {30.2566, 0.916528},
      {30.5721, 0.926084},
      {28.9758, 0.877729},
      {32.9819, 0.999081}},
     {{36.1105, 1},
      {36.9442, 1.02309},
      {38.1803, 1.05732},
      {38.4516, 1.06483},
      {34.9435, 0.967681},
      {34.582, 0.957671},
      {34.3668, 0.95171},
      {37.1613, 1.0291}},
     {{36.2138, 1},
      {37.0891, 1.02417},
      {38.2171, 1.05532},
      {38.414, 1.06076},
      {35.0807, 0.968711},
      {33.2489, 0.918128},
      {35.1227, 0.969871},
      {33.3439, 0.92075}}},
    {{{36.2891, 1},
      {37.2471, 1.0264},
      {37.8539, 1.04312},
      {37.967, 1.04624},
      {33.8761, 0.933507},
      {34.2532, 0.9439},
      {32.5873, 0.897992},
      {36.8486, 1.01542}},
     {{37.023, 1},
      {37.8803, 1.02316},
      {39.1433, 1.05727},
      {39.4538, 1.06566},
      {35.8314, 0.967817},
      {36.0606, 0.974006},
      {35.817, 0.967427},
      {39.3851, 1.0638}},
     {{37.3512, 1},
      {38.2633, 1.02442},
      {39.4449, 1.05605},
      {39.7155, 1.0633},
      {36.386, 0.974159},
      {35.972, 0.963076},
      {36.3934, 0.974359},
      {36.136, 0.967466}}},
    {{{37.2554, 1},
      {38.2034, 1.02545},
      {38.8022, 1.04152},
      {38.9105, 1.04443},
      {35.1307, 0.94297},
      {35.5227, 0.953491},
      {33.7316, 0.905416},
      {38.0359, 1.02095}},
     {{38.6708, 1},
      {39.6058, 1.02418},
      {40.7471, 1.05369},
      {41.0548, 1.06165},
      {37.9183, 0.980541},
      {38.0697, 0.984457},
      {37.8884, 0.979769},
      {41.2629, 1.06703}},
     {{38.7711, 1},
      {39.7082, 1.02417},
      {40.775, 1.05168},
      {41.1117, 1.06037},
      {38.1028, 0.982763},
      {37.8322, 0.975782},
      {38.2008, 0.985289},
      {37.9905, 0.979866}}},
};

TEST(BilateralStudy, FastestTimesGiveItsSpeedups) {
  for (size_t s = 0; s < 3; ++s) {
    for (int radius = 1; radius <= 15; radius += 2) {
      const auto figures = studyFigures(sizes[s], radius);
      ASSERT_TRUE(figures) << sizes[s].width << ", radius " << radius;
      const double expected = fastestSpeedups[s][radius / 2];
      EXPECT_NEAR(figures->sequentialMs / figures->msOf(figures->fastest), expected, rounding * expected)
          << sizes[s].width << ", radius " << radius;
      EXPECT_EQ(figures->tilingFactor, figures->fastest == 8 ? 4 : 0);
    }
  }
}

TEST(BilateralStudy, EveryVersionsTimeGivesItsSpeedups) {
  for (size_t s = 0; s < 3; ++s) {
    for (size_t r = 0; r < 3; ++r) {
      const auto figures = studyFigures(sizes[s], std::array{1, 7, 15}[r]);
      ASSERT_TRUE(figures);
      EXPECT_EQ(figures->msOf(figures->fastest), *std::min_element(figures->ms.begin(), figures->ms.end()));
      for (int version = 1; version <= studyVersionCount; ++version) {
        const Speedups& expected = speedups[s][r][version - 1];
        const double ms = figures->msOf(version);
        EXPECT_NEAR(figures->sequentialMs / ms, expected.sequential, rounding * expected.sequential)
            << sizes[s].width << ", radius " << r << ", version " << version;
        EXPECT_NEAR(figures->msOf(1) / ms, expected.naive, rounding * expected.naive)
            << sizes[s].width << ", radius " << r << ", version " << version;
      }
    }
  }
}

TEST(BilateralStudy, WhatItDoesNotSay) {
  EXPECT_FALSE(studyFigures({512, 511}, 1));
  EXPECT_FALSE(studyFigures({512, 512}, 2));
  const auto figures = studyFigures({5522, 3651}, 3);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->fastest, 8);
  EXPECT_EQ(std::count(figures->ms.begin(), figures->ms.end(), 0.0), 7);
  EXPECT_EQ(studyVersionOf("rows"), nullptr);
  EXPECT_EQ(studyVersionOf("tiles-padded")->number, 6);
  EXPECT_STREQ(studyVersion(8).variant, "unrolled");
}

}  // namespace
}  // namespace lacuna::test
