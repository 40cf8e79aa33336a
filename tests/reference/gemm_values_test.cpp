// coopmat-gemm at the limits of numbers: halves beyond 65504, NaN; and in sizes that only a device with
// matrices multiplies in seconds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/reference/gemm.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

// Products of even numbers: each element must be one of the valid results.
void expectEven(int part, GemmCase of, double a, double b, const std::set<double>& expected) {
  of.rows = of.columns = 17;
  of.inner = 32;
  const Folder folder;
  MemoryGraph graph =
      gemmGraph(folder, of, {evenNumbers({of.rows, of.inner}, a), evenNumbers({of.inner, of.columns}, b)});
  for (const std::string& name : gemmScheduleNames(graph, part)) {
    SCOPED_TRACE(fmt::format("{} as {}", name, testing::PrintToString(of)));
    graph.schedules["coopmat-gemm:01"] = name;
    runFiles(graph);
    const std::vector<double> values = readArray(folder.file("out.npy")).values;
    EXPECT_EQ(values, evenNumbers(of.sizes(), values.front()).values);
    EXPECT_EQ(expected.count(values.front()), 1U) << values.front();
  }
}

TEST(GemmValues, AreInfiniteBeyondHalves) {
  // 32 times 64 times 64 is 2^17, which only f32 holds. Kernels may keep sums more precisely than they must.
  const GemmCase wide{.output = Format::f32}, half{};
  const GemmCase sums{.halfSums = true, .output = Format::f32}, factors{.format = Format::f32};
  expectEven(1, half, 64.0, 64.0, {endless});
  expectEven(2, half, 64.0, -64.0, {-endless});
  for (const int part : {0, 1, 2})
    expectEven(part, sums, -64.0, 64.0, {-endless, -131072.0});
  expectEven(2, wide, 64.0, -64.0, {-131072.0});
  expectEven(1, factors, 70000.0, 1.0, {endless});
}

// A NaN whose sign is set isn't a negative number, so relu leaves it.
TEST(GemmValues, NanMayBeNegative) {
  const GemmCase of{
      .rows = 1, .inner = 1, .columns = 2, .format = Format::f32, .added = true, .output = Format::f32};
  GemmInputs in = {evenNumbers({1, 1}, 1.0), evenNumbers({1, 2}, 1.0)};
  in.c = evenNumbers({1, 2}, 1.0);
  in.bias = evenNumbers({2}, 0.0);
  in.bias.values[1] = -std::nan("");
  in.relu = true;
  const Folder folder;
  MemoryGraph graph = gemmGraph(folder, of, in);
  const std::vector<GemmSchedule> all = gemmSchedules(graph);
  const auto naive = std::ranges::find(all, "naive", &GemmSchedule::variant);
  ASSERT_NE(naive, all.end());
  graph.schedules["coopmat-gemm:01"] = naive->name;
  runFiles(graph);
  const std::vector<double> made = readArray(folder.file("out.npy")).values;
  EXPECT_EQ(made.front(), 2.0);
  EXPECT_TRUE(std::isnan(made.back())) << made.back();
}

// A NaN in a row of a makes the row of the product NaN, whatever relu says, and no other.
TEST(GemmValues, RandomNanStaysInItsRow) {
  const GemmCase of{.rows = 33, .inner = 40, .columns = 50, .added = true};
  std::mt19937_64& random = testRandom();
  GemmInputs in = randomInputs(random, of);
  in.relu = true;
  in.a.values[7 * of.inner + 39] = std::nan("");
  const std::vector<double> expected = expectedProduct(of, in);
  const Folder folder;
  MemoryGraph graph = gemmGraph(folder, of, in);
  for (const std::string& name : gemmScheduleNames(graph, 0)) {
    SCOPED_TRACE(name);
    graph.schedules["coopmat-gemm:01"] = name;
    runFiles(graph);
    const FileArray made = readArray(folder.file("out.npy"));
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::isnan(made.values[i]), i / of.columns == 7) << i;
      ASSERT_TRUE(std::isnan(made.values[i]) || made.values[i] >= 0.0) << i;
    }
  }
}

// Random elements of the product; in plain arithmetic a thousandth of the work takes as long.
TEST(GemmValues, RandomElementsOfALargeProduct) {
  const uint32_t size = testDevice().info().limits.matrices == MatrixKind::emulated ? 272 : 8192;
  std::mt19937_64& random = testRandom();
  // The result is off by at most a step of half, since conversions may truncate. Sums on the way are below 5
  // deviations, and each addition in f32 may truncate, too.
  const double sums = size * 0x1p-23 * 5.0 * std::sqrt(size);
  MemoryGraph graph;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  graph.text = "module:coopmat-gemm:01\n";
  for (const char* factor : {"a", "b"})
    graph.text += fmt::format(
        "random-array:{0} {0}=coopmat-gemm\nrandom-array:{0} o-array:{0}\n"
        "param:random-array:{0}:rows:{1}\nparam:random-array:{0}:columns:{1}\n"
        "param:random-array:{0}:format:f16\nparam:random-array:{0}:seed:{2}\n",
        factor, size, pick(random, 0, 1000000));
  graph.text += "coopmat-gemm o-array:out\n";
  for (const std::string& name : gemmScheduleNames(graph, 1)) {
    SCOPED_TRACE(fmt::format("{}, {}x{}", name, size, size));
    graph.schedules["coopmat-gemm:01"] = name;
    const std::map<std::string, Image> found = run(graph, "auto");
    double error = 0.0, squares = 0.0;
    for (int i = 0; i < 512; ++i) {
      const auto row = static_cast<uint32_t>(pick(random, 0, static_cast<int>(size) - 1));
      const auto column = static_cast<uint32_t>(pick(random, 0, static_cast<int>(size) - 1));
      double expected = 0.0;
      for (uint32_t k = 0; k < size; ++k)
        expected += found.at("a").at(row * size + k, 0, 0) * found.at("b").at(k * size + column, 0, 0);
      const double difference = found.at("out").at(row * size + column, 0, 0) - expected;
      EXPECT_LE(std::abs(difference), std::abs(expected) / 1024 + sums) << row << ", " << column;
      error += difference * difference;
      squares += expected * expected;
    }
    EXPECT_LT(std::sqrt(error / squares), 5e-4);
  }
}

}  // namespace
}  // namespace lacuna::test
