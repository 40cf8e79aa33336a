// bilateral against the sequential filter in double precision, and the variants of bilateral-study against
// each other: bit for bit, except for the sign and payload of NaNs.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/reference/bilateral_case.h"
#include "tests/support/differences.h"

namespace lacuna::test {
namespace {

// The study's criterion is 1 of 255; ours is the format's rounding plus the error of float arithmetic.
void expectBilateral(const BilateralCase& c, const Image& device) {
  const std::optional<Stored> guide = c.storedGuide();
  const Picture reference = bilateral(c.filter, c.storedInput(), guide ? &*guide : nullptr);
  const bool lab = c.filter.distance == Distance::lab;
  // A step more, because of drivers' pow, and because values between iterations may be rounded the other way.
  expectWithin(device, reference, lab ? 2e-3 : 4e-5, c.filter.iterations > 1 && !lab ? 1.502 : 0.502);
}

class BilateralReference : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(BilateralReference, Agrees) {
  const auto [extent, distance] = GetParam();
  std::mt19937_64& random = testRandom();
  // The same for all extents, so that each pipeline compiles once.
  std::mt19937_64 structureRandom = sharedRandom(fmt::format("bilateral {}", distance));
  std::vector<BilateralStructure> structures = randomStructures(structureRandom, {7, 7, 31, 31});
  structures.resize(extent == 3 ? 2 : 4);  // a large one
  for (const BilateralStructure& structure : structures) {
    const BilateralCase c =
        randomBilateral(random, structure, bilateralExtents[extent], static_cast<Distance>(distance));
    SCOPED_TRACE(c.text());
    expectBilateral(c, run(c.graph(), "auto").at("out"));
  }
}

INSTANTIATE_TEST_SUITE_P(RandomExtents, BilateralReference,
                         testing::Combine(testing::Range(0, 4), testing::Range(0, 4)));

TEST(BilateralGuides, RandomOnesOfSixteenBits) {
  BilateralStructure structure;
  structure.format = Format::f32;
  structure.channels = Channels::y;
  structure.guide = {Format::u16, Channels::y};
  const BilateralCase c = randomBilateral(testRandom(), structure, {17, 9}, Distance::perChannel);
  SCOPED_TRACE(c.text());
  expectBilateral(c, run(c.graph(), "baseline").at("out"));
}

// Every exact variant, with random workgroups and constants, if the device has enough shared memory.
class BilateralSchedules : public testing::TestWithParam<int> {};

TEST_P(BilateralSchedules, AreEqual) {
  std::mt19937_64& random = testRandom();
  const Distance distance =
      GetParam() % 2 == 0 ? Distance::perChannel : static_cast<Distance>(pick(random, 1, 3));
  const Extent extent{static_cast<uint32_t>(pick(random, 1, 90)), static_cast<uint32_t>(pick(random, 1, 90))};
  const auto structures = randomStructures(random, {GetParam() == 0 ? 12 : 4});
  BilateralCase c = randomBilateral(random, structures.front(), extent, distance);
  c.filter.iterations = 1;
  c.module = "bilateral-study";
  SCOPED_TRACE(c.text());
  const MemoryGraph graph = c.graph();
  const LoadedGraph loaded = load(graph);
  const auto node = std::find_if(loaded.graph.nodes.begin(), loaded.graph.nodes.end(),
                                 [&](const Node& each) { return !variantsOf(loaded.graph, each).empty(); });
  ASSERT_NE(node, loaded.graph.nodes.end());
  const Image expected = run(graph, "naive").at("out");
  int compared = 0;
  for (const VariantDescription* variant : variantsOf(loaded.graph, *node)) {
    std::vector<KernelSchedule> usable = allKernelSchedules(*variant);
    std::erase_if(usable, [&](const KernelSchedule& schedule) {
      return !rejection(loaded.graph, *node, schedule, testDevice().info().limits).empty();
    });
    if (!variant->isExact() || usable.empty())
      continue;
    const KernelSchedule& schedule =
        usable[static_cast<size_t>(pick(random, 0, static_cast<int>(usable.size()) - 1))];
    SCOPED_TRACE(print(schedule));
    const Image found = run(graph, print(schedule)).at("out");
    EXPECT_EQ(found.type, expected.type);
    EXPECT_EQ(differences(expected, found), "");
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

INSTANTIATE_TEST_SUITE_P(RandomCases, BilateralSchedules, testing::Range(0, 5));

}  // namespace
}  // namespace lacuna::test
