// The study's tables have speed-ups beside times: if a time was copied wrongly, its speed-up would differ.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/config/text.h"

namespace lacuna::test {
namespace {

constexpr int widths[] = {512, 1920, 5522};
constexpr double rounding = 1e-5;  // of times and speed-ups with six digits

// Tables 6.4 to 6.6, column Speedup, radii 1, 3, ... 15.
constexpr double fastestSpeedups[3][8] = {
    {34.4398, 38.5228, 38.5153, 38.4516, 39.7198, 39.4427, 38.8669, 38.414},
    {37.967, 38.8638, 39.4758, 39.4538, 39.6886, 39.5267, 39.7964, 39.7155},
    {38.9105, 40.4374, 41.2443, 41.2629, 41.1448, 41.1644, 41.1517, 41.1117},
};

// Tables 6.7 to 6.9, of radii 1, 7 and 15: Speedup(sequential) and Speedup(Naive) of each version.
constexpr double speedups[3][3][16] = {
    {{33.0122, 1, 33.7971, 1.02378, 34.3471, 1.04044, 34.4398, 1.04324, 30.2566, 0.916528, 30.5721, 0.926084,
      28.9758, 0.877729, 32.9819, 0.999081},
     {36.1105, 1, 36.9442, 1.02309, 38.1803, 1.05732, 38.4516, 1.06483, 34.9435, 0.967681, 34.582, 0.957671,
      34.3668, 0.95171, 37.1613, 1.0291},
     {36.2138, 1, 37.0891, 1.02417, 38.2171, 1.05532, 38.414, 1.06076, 35.0807, 0.968711, 33.2489, 0.918128,
      35.1227, 0.969871, 33.3439, 0.92075}},
    {{36.2891, 1, 37.2471, 1.0264, 37.8539, 1.04312, 37.967, 1.04624, 33.8761, 0.933507, 34.2532, 0.9439,
      32.5873, 0.897992, 36.8486, 1.01542},
     {37.023, 1, 37.8803, 1.02316, 39.1433, 1.05727, 39.4538, 1.06566, 35.8314, 0.967817, 36.0606, 0.974006,
      35.817, 0.967427, 39.3851, 1.0638},
     {37.3512, 1, 38.2633, 1.02442, 39.4449, 1.05605, 39.7155, 1.0633, 36.386, 0.974159, 35.972, 0.963076,
      36.3934, 0.974359, 36.136, 0.967466}},
    {{37.2554, 1, 38.2034, 1.02545, 38.8022, 1.04152, 38.9105, 1.04443, 35.1307, 0.94297, 35.5227, 0.953491,
      33.7316, 0.905416, 38.0359, 1.02095},
     {38.6708, 1, 39.6058, 1.02418, 40.7471, 1.05369, 41.0548, 1.06165, 37.9183, 0.980541, 38.0697, 0.984457,
      37.8884, 0.979769, 41.2629, 1.06703},
     {38.7711, 1, 39.7082, 1.02417, 40.775, 1.05168, 41.1117, 1.06037, 38.1028, 0.982763, 37.8322, 0.975782,
      38.2008, 0.985289, 37.9905, 0.979866}},
};

// Milliseconds by version, 0: the sequential one; and which is the fastest.
struct Times {
  std::map<int, double> ms;
  int fastest = 0, tilingFactor = 0;
};

Times timesOf(int width, int radius) {
  static const auto studies = readJson(readTextFile(LACUNA_TEST_FOLDER "/../tools/bench/studies.json").text);
  Times times;
  for (const nlohmann::json& figure : studies.at("bilateral").at("figures")) {
    if (figure.at("width") == width && figure.at("radius") == radius) {
      const int version = figure.at("name").get<std::string>().front() - '0';
      times.ms[version] = figure.at("ms");
      times.fastest = figure.value("fastest", false) ? version : times.fastest;
      times.tilingFactor = figure.value("tilingFactor", times.tilingFactor);
    }
  }
  return times;
}

TEST(BilateralStudy, FastestTimesGiveItsSpeedups) {
  for (size_t s = 0; s < 3; ++s) {
    for (int radius = 1; radius <= 15; radius += 2) {
      const Times times = timesOf(widths[s], radius);
      ASSERT_GT(times.fastest, 0) << widths[s] << ", radius " << radius;
      const double expected = fastestSpeedups[s][radius / 2];
      EXPECT_NEAR(times.ms.at(0) / times.ms.at(times.fastest), expected, rounding * expected)
          << widths[s] << ", radius " << radius;
      EXPECT_EQ(times.tilingFactor, times.fastest == 8 ? 4 : 0);
    }
  }
}

TEST(BilateralStudy, EveryVersionsTimeGivesItsSpeedups) {
  for (size_t s = 0; s < 3; ++s) {
    for (size_t r = 0; r < 3; ++r) {
      const Times times = timesOf(widths[s], std::array{1, 7, 15}[r]);
      ASSERT_EQ(times.ms.size(), 9U);
      for (int version = 1; version <= 8; ++version) {
        const double* expected = &speedups[s][r][2 * (version - 1)];
        const double ms = times.ms.at(version);
        EXPECT_GE(ms, times.ms.at(times.fastest));
        EXPECT_NEAR(times.ms.at(0) / ms, expected[0], rounding * expected[0])
            << widths[s] << ", radius " << r << ", version " << version;
        EXPECT_NEAR(times.ms.at(1) / ms, expected[1], rounding * expected[1])
            << widths[s] << ", radius " << r << ", version " << version;
      }
    }
  }
}

TEST(BilateralStudy, OfOtherRadiiItHasTheFastestAlone) {
  EXPECT_EQ(timesOf(5522, 3).ms.size(), 2U);
  EXPECT_EQ(timesOf(5522, 3).fastest, 8);
  EXPECT_TRUE(timesOf(512, 2).ms.empty());
}

}  // namespace
}  // namespace lacuna::test
