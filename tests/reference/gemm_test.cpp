// coopmat-gemm by every variant that the device runs, against products in double precision of the same
// halves, element by element.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <set>

#include "tests/reference/gemm.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

// The output's memory was filled with NaN, so that unwritten elements show.
void expectProduct(const FileArray& made, const std::vector<double>& expected, double bound) {
  ASSERT_EQ(made.values.size(), expected.size());
  double error = 0.0, size = 0.0, worst = 0.0;
  size_t unwritten = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = made.values[i] - expected[i];
    unwritten += std::isnan(made.values[i]) ? 1 : 0;
    error += difference * difference;
    size += expected[i] * expected[i];
    worst = std::max(worst, std::abs(difference));
  }
  EXPECT_EQ(unwritten, 0U) << "of " << expected.size();
  EXPECT_LE(std::sqrt(error), bound * std::sqrt(size));
  EXPECT_LT(worst, 20.0 * bound * std::sqrt(size / static_cast<double>(expected.size())) + 1e-6);
}

class Gemm : public testing::TestWithParam<std::tuple<int, GemmCase>> {};

TEST_P(Gemm, RandomIsTheProductByEveryVariant) {
  const auto& [part, of] = GetParam();
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const GemmInputs in = randomInputs(random, of);
  MemoryGraph graph = gemmGraph(folder, of, in);
  const std::vector<double> expected = expectedProduct(of, in);
  for (const std::string& name : gemmScheduleNames(graph, part, &random)) {
    SCOPED_TRACE(name);
    graph.schedules["coopmat-gemm:01"] = name;
    runFiles(graph);
    const FileArray made = readArray(folder.file("out.npy"));
    EXPECT_EQ(made.type.format, of.output);
    ASSERT_EQ(sizesOf(made.type), of.sizes());
    expectProduct(made, expected, of.halfSums ? 5e-3 : 5e-4);
    runFiles(graph);
    EXPECT_EQ(readArray(folder.file("out.npy")).values, made.values);  // the same bits
  }
}

constexpr Format f32 = Format::f32;
std::vector<std::tuple<int, GemmCase>> gemmCases() {
  const GemmCase all[] = {
      {.rows = 1, .inner = 1, .columns = 1, .added = true},
      {.rows = 17, .inner = 1, .columns = 33, .transposeB = true, .format = f32, .output = f32},
      {.rows = 1, .inner = 509, .columns = 16, .halfSums = true, .output = f32},
      {.rows = 127,
       .inner = 65,
       .columns = 201,
       .transposeA = true,
       .format = f32,
       .added = true,
       .output = f32},
      {.rows = 127, .inner = 65, .columns = 201, .transposeB = true, .halfSums = true, .added = true},
      {.rows = 48, .inner = 64, .columns = 80, .batchA = 3, .transposeB = true, .added = true},
      {.rows = 17,
       .inner = 65,
       .columns = 1,
       .batchB = 3,
       .transposeA = true,
       .transposeB = true,
       .added = true},
      {.rows = 96,
       .inner = 128,
       .columns = 272,
       .batchA = 2,
       .batchB = 2,
       .transposeA = true,
       .transposeB = true,
       .halfSums = true},
      {.rows = 144,
       .inner = 512,
       .columns = 160,
       .batchA = 2,
       .transposeA = true,
       .halfSums = true,
       .added = true},
      {.rows = 509, .inner = 127, .columns = 384, .format = f32, .added = true},
      {.rows = 512, .inner = 80, .columns = 272, .transposeB = true, .output = f32},
      {.rows = 160, .inner = 96, .columns = 144, .halfSums = true, .added = true, .pack = "panels"},
      {.rows = 130,
       .inner = 127,
       .columns = 65,
       .batchA = 2,
       .batchB = 2,
       .transposeA = true,
       .added = true,
       .pack = "fragments"},
      {.rows = 65,
       .inner = 64,
       .columns = 47,
       .transposeB = true,
       .format = f32,
       .pack = "fragments",
       .output = f32},
      {.rows = 80, .inner = 112, .columns = 96, .halfSums = true, .pack = "fragments"}};
  std::vector<std::tuple<int, GemmCase>> cases;
  for (const GemmCase& each : all)
    cases.emplace_back(static_cast<int>(cases.size()), each);
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Sizes, Gemm, testing::ValuesIn(gemmCases()));

// Tiles of 32 of p, of which the last has 16: what lies beyond is the next product's.
class GemmBlocks : public testing::TestWithParam<GemmCase> {};

TEST_P(GemmBlocks, RandomTilesEndWithTheProduct) {
  const GemmCase& of = GetParam();
  const Folder folder;
  const GemmInputs in = randomInputs(testRandom(), of);
  MemoryGraph graph = gemmGraph(folder, of, in);
  std::vector<GemmSchedule> deep = gemmSchedules(graph);
  std::erase_if(deep, [](const GemmSchedule& each) {
    return !each.rejected.empty() || each.variant != "blocks" ||
           each.name.find("depth32") == std::string::npos;
  });
  if (deep.empty())
    GTEST_SKIP() << "the device runs none";
  graph.schedules["coopmat-gemm:01"] = std::ranges::min(deep, {}, &GemmSchedule::size).name;
  SCOPED_TRACE(graph.schedules["coopmat-gemm:01"]);
  runFiles(graph);
  expectProduct(readArray(folder.file("out.npy")), expectedProduct(of, in), 5e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, GemmBlocks,
    testing::Values(GemmCase{.rows = 32, .inner = 16, .columns = 64, .batchA = 2, .batchB = 2},
                    GemmCase{
                        .rows = 32, .inner = 48, .columns = 64, .batchA = 2, .batchB = 2, .transposeB = true},
                    GemmCase{.rows = 33, .inner = 47, .columns = 64, .batchA = 2, .batchB = 2}));

// These kernels, and the reasons why others are omitted: printed, and an error if one is requested.
TEST(GemmVariants, RunOrAreRefusedByName) {
  const Folder folder;
  const GemmCase of{.rows = 48, .inner = 32, .columns = 64};
  MemoryGraph graph = gemmGraph(folder, of, {evenNumbers({48, 32}, 1.0), evenNumbers({32, 64}, 1.0)});
  const std::vector<GemmSchedule> all = gemmSchedules(graph);
  std::map<std::string, std::vector<std::string>> refused;  // by reason
  std::string node;
  std::set<std::string> variants, running;
  size_t count = 0;
  for (const GemmSchedule& schedule : all) {
    variants.insert(schedule.variant);
    if (schedule.rejected.empty()) {
      running.insert(schedule.variant);
      ++count;
    } else {
      refused[schedule.rejected].push_back(schedule.name);
    }
    node = schedule.node;
  }
  std::cout << fmt::format("coopmat-gemm: {} of {} variants run, {} of {} schedules\n", running.size(),
                           variants.size(), count, all.size());
  for (const auto& [reason, names] : refused)
    std::cout << fmt::format("{}: {}\n", reason, fmt::join(names, ", "));
  EXPECT_GE(running.size(), 3U);
  for (const auto& [reason, names] : refused) {
    CompileOptions options;
    options.device = testDevice().info().limits;
    options.schedules["coopmat-gemm:01"] = names.front();
    LoadedGraph loaded = load(graph);
    compile(std::move(loaded.graph), options, loaded.diagnostics);
    EXPECT_NE(loaded.diagnostics.render().find(
                  fmt::format("the device can't run {} as {}: {}", node, names.front(), reason)),
              std::string::npos)
        << loaded.diagnostics.render();
  }
}

}  // namespace
}  // namespace lacuna::test
