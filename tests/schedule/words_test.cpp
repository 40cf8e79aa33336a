// Schedules that only exist by name, with words after their family, are as exact as all others.

#include <gtest/gtest.h>

#include "graph/config/regex.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

// Few levels, since each is a separate pipeline, but all sizes and values of the equality tests.
RandomCase ofThreeLevels(RandomCase (*make)(std::mt19937_64&), std::mt19937_64& random) {
  RandomCase made = make(random);
  while (made.levels != 3)
    made = make(random);
  return made;
}

void expectEqual(const RandomCase& random, const std::string& plain, const std::vector<std::string>& others) {
  SCOPED_TRACE(random.description);
  const Image reference = runChecked(random.graph, plain).at("out");
  for (const std::string& name : others)
    EXPECT_EQ(differences(reference, runChecked(random.graph, name).at("out")), "") << name;
}

TEST(ScheduleWordsOnRandomImages, OfTheGuidedFilter) {
  std::mt19937_64& random = testRandom();
  expectEqual(
      ofThreeLevels(randomGuided, random), "baseline/buffer",
      {"permuted-local-reread/image", "tiled-reread/buffer", "tiled-reshaped@8x8/image",
       "tiled-unstaged/buffer", "tiled-reread-padded@8x8/image", "tiled-local-padded-unstaged/buffer"});
}

TEST(ScheduleWordsOnRandomImages, OfWavelets) {
  std::mt19937_64& random = testRandom();
  expectEqual(ofThreeLevels(randomEaw, random), "baseline/buffer/pass",
              {"permuted-local/image/pass", "tiled-local-reshaped@16x16/buffer/pass",
               "tiled-padded-unstaged/image/carried"});
}

// The filter of `lacuna bench atrous --filter svgf`: its taps decode 24 bytes beside a state of 16.
TEST(ScheduleWordsOnRandomImages, OfPackedPixels) {
  RandomCase packed = ofThreeLevels(randomGuided, testRandom());
  std::string& text = packed.graph.text;
  text = Regex("param:atrous-guided:01:precision:[^\n]*\n").replace(text, "");
  text = Regex("atrous-guided").replace(text, "svgf-packed");
  packed.graph.schedules = {{"svgf-packed:01:variance", "baseline/buffer"}};
  std::vector<std::string> others = {"tiled-unstaged-reshaped@8x8/buffer", "permuted-local/image"};
  if (triesAll())
    others.insert(others.end(), {"tiled-unstaged/buffer", "tiled-padded/image"});
  expectEqual(packed, "baseline/buffer", others);
}

// Two chains in a row on the same guide: the second takes the first one's permuted copies of it, also where
// it has more levels.
TEST(ChainsInARowOnRandomImages, SharePermutedFeatures) {
  std::mt19937_64& random = testRandom();
  const Extent extent = randomExtent(random);
  SCOPED_TRACE(testing::Message() << extent.width << "x" << extent.height);
  RandomCase chains;
  chains.graph.modulePath.push_back(testFolder() + "/gpu/modules");
  chains.graph.sources["in"] = randomImage(random, Channels::rgba, Format::f32, extent, true);
  chains.graph.sources["side"] = randomImage(random, Channels::y, Format::f16, extent, false);
  for (uint32_t i = 0; i < extent.width * extent.height; i += 3) {
    Image& side = chains.graph.sources["side"];
    side.set(i % extent.width, i / extent.width, 0, -side.at(i % extent.width, i / extent.width, 0));
  }
  chains.graph.text =
      "i-memory:in smooth smooth:02 o-memory:out\ni-memory:side guide=smooth\n"
      "i-memory:side guide=smooth:02\nparam:smooth:01:levels:3\nparam:smooth:02:levels:4\n";
  expectEqual(chains, "baseline/buffer", {"permuted/buffer", "tiled-local/image"});
}

}  // namespace
}  // namespace lacuna::test
