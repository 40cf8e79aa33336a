// The conclusions of `lacuna bench device` from its measurements, on invented charts.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "tools/bench/curve.h"

namespace lacuna {
namespace {

constexpr double kibibyte = 1024.0;

// A load takes hitNs while the footprint fits; beyond that, missNs for the part that doesn't fit.
double modelNs(double bytes, double cacheBytes, double hitNs, double missNs) {
  const double hits = std::min(1.0, cacheBytes / bytes);
  return hits * hitNs + (1.0 - hits) * missNs;
}

std::vector<CurvePoint> modelPoints(double lastBytes) {
  std::vector<CurvePoint> points;
  for (double bytes = 4 * kibibyte; bytes < 1.01 * lastBytes; bytes *= std::sqrt(2.0)) {
    const double beyond = modelNs(bytes, 32 * kibibyte * kibibyte, 200.0, 600.0);
    points.push_back({bytes, modelNs(bytes, 256 * kibibyte, 35.0, beyond)});
  }
  return points;
}

TEST(LatencyLevels, EndWhereCachesEnd) {
  const auto levels = latencyLevels(modelPoints(1024 * kibibyte * kibibyte));
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].firstBytes, 4 * kibibyte);
  EXPECT_NEAR(levels[0].lastBytes, 256 * kibibyte, 1.0);
  EXPECT_EQ(levels[0].ns, 35.0);
  EXPECT_NEAR(levels[1].ns, 200.0, 25.0) << "its first points still hit the first cache";
  EXPECT_LE(levels[1].lastBytes, 46 * kibibyte * kibibyte);
  EXPECT_GE(levels[1].lastBytes, 31 * kibibyte * kibibyte);
  EXPECT_NEAR(levels[2].ns, 600.0, 40.0);
}

TEST(LatencyLevels, OneMemoryIsOneLevelAndNothingNone) {
  std::vector<CurvePoint> points;
  for (double bytes = 4096; bytes <= 65536; bytes *= 2)
    points.push_back({bytes, 80.0 + bytes / 65536});
  ASSERT_EQ(latencyLevels(points).size(), 1U);
  EXPECT_EQ(latencyLevels(points).front().lastBytes, 65536.0);
  EXPECT_TRUE(latencyLevels({}).empty());
  EXPECT_TRUE(latencyLevels({{4096, 80.0}, {5793, 80.0}}).empty()) << "less than an octave";
}

TEST(AffineFit, GoesThroughPointsOfALine) {
  const AffineFit fit = affineFit({{1, 25}, {2, 27}, {32, 87}});
  EXPECT_NEAR(fit.offset, 23.0, 1e-12);
  EXPECT_NEAR(fit.slope, 2.0, 1e-12);
  EXPECT_NEAR(affineFit({{0, 1}, {1, 2}, {2, 0}}).at(1.0), 1.0, 1e-12) << "the mean, in the middle";
}

ResultTable madeUp() {
  ResultTable table =
      tableOf("loads of <one> thread & no other", "byte", "ns a load",
              {{"measured", {{4096, 35.25}, {8192, 36.5}, {1 << 25, 600}}}, {"a/b", {{8192, 35}}, true}});
  table.name = "latency";
  table.figures = {{"level 1", 35.25, "ns"},
                   {"level 1 ends at", 262144, "byte"},
                   {"peak", 6.23e14, "op/s"},
                   {"copy", 4.33e12, "byte/s"},
                   {"times one", 132, ""}};
  table.notes = {"a note"};
  table.facts["date"] = "2026-11-22T07:15:00Z";
  return table;
}

TEST(ResultTable, JsonComesBack) {
  const ResultTable table = tableOf(toJson(madeUp()));
  EXPECT_EQ(toJson(table), toJson(madeUp()));
  EXPECT_EQ(print(table), print(madeUp()));
  EXPECT_EQ(table.figure("level 1"), 35.25);
  EXPECT_EQ(table.figure("level 9"), 0.0);
  EXPECT_THROW(tableOf({{"name", "latency"}}), Json::exception);
}

TEST(ResultTable, CurvesHaveARowForEachX) {
  EXPECT_EQ(print(madeUp()), R"(
loads of <one> thread & no other
  ns a load
        size      measured           a/b
       4 KiB         35.25
       8 KiB          36.5            35
      32 MiB           600
  level 1: 35.25 ns
  level 1 ends at: 256 KiB
  peak: 623 TFLOP/s
  copy: 4.33 TB/s
  times one: 132
  a note
)");
}

TEST(ResultTable, FiguresHaveThreeDigits) {
  const auto printed = [](double value) { return print(Figure{"copy", value, "byte/s"}); };
  EXPECT_EQ(printed(9.99e9), "9.99 GB/s");
  EXPECT_EQ(printed(9.996e9), "10.0 GB/s");
  EXPECT_EQ(printed(99.9e9), "99.9 GB/s");
  EXPECT_EQ(printed(99.96e9), "100 GB/s");
  EXPECT_EQ(printed(999.6e9), "1.00 TB/s");
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(ResultTable, PlotMarksWhatWasMeasured) {
  const std::string svg = plot(madeUp());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(svg, "<circle"), 3U);
  EXPECT_EQ(occurrences(svg, "<polyline"), 2U);
  EXPECT_NE(svg.find("loads of &lt;one&gt; thread &amp; no other"), std::string::npos);
  EXPECT_NE(svg.find(">16 KiB<"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(ResultTable, PlotHasABarForEachNumberThatIsMarked) {
  ResultTable table{
      "schedules", "two of them", "", {{"", -10, "/name"}, {"ms", 8, "/ms", "{:.1f}", 1.0, Mark::measured}}};
  table.rows = {{{"name", "a<b"}, {"ms", 2.0}}, {{"name", "c"}, {"refused", "too large"}}};
  const std::string svg = plot(table);
  EXPECT_EQ(occurrences(svg, "<rect x="), 1U) << svg;
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_NE(svg.find("too large"), std::string::npos);
  table.rows = Json::array();
  EXPECT_EQ(plot(table).find("nan"), std::string::npos) << plot(table);
}

TEST(ResultTable, OfOnePointAndOfNone) {
  ResultTable table = tableOf("one", "k", "ns", {{"measured", {{3, 2}}}});
  EXPECT_EQ(plot(table).find("nan"), std::string::npos) << plot(table);
  table.refused = "the device has no <matrices>";
  EXPECT_NE(plot(table).find("the device has no &lt;matrices&gt;"), std::string::npos);
  EXPECT_NE(print(table).find("refused: the device has no <matrices>"), std::string::npos);
  EXPECT_EQ(tableOf(toJson(table)).refused, table.refused);
}

}  // namespace
}  // namespace lacuna
