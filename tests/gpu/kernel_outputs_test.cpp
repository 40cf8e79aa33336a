// Kernels without image inputs, their outputs that nothing reads, and images of 32-bit numbers.

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

class KernelOutputs : public NodeTest {
 protected:
  MemoryGraph synthetic(int wanted, int seed) const {
    MemoryGraph graph = nodesOf({}, fmt::format("module:synthetic:01\nparam:synthetic:01:width:{}\nparam:"
                                                "synthetic:01:height:{}\nparam:synthetic:01:seed:{}\n",
                                                extent.width, extent.height, seed));
    if ((wanted & 1) != 0)
      graph.text += "synthetic o-memory:output\n";
    if ((wanted & 2) != 0)
      graph.text += "synthetic:01:id o-memory:id\n";
    if ((wanted & 4) != 0)
      graph.text += "synthetic:01:sums o-array:sums\n";
    return graph;
  }

  void expectAll(const std::map<std::string, Image>& results, int wanted, int seed) const {
    if ((wanted & 1) != 0) {
      EXPECT_EQ(results.at("output").type.extent, extent);
      expectPixels(
          results.at("output"),
          [&](uint32_t x, uint32_t y, int c) {
            const double values[] = {double(x), double(y), seed / 2.0, double(wanted)};
            return values[c];
          },
          0);
    }
    if ((wanted & 2) != 0) {
      const Image& ids = results.at("id");
      ASSERT_EQ(ids.words.size(), size_t{extent.width} * extent.height);
      for (size_t i = 0; i < ids.words.size(); ++i)
        ASSERT_EQ(ids.words[i], static_cast<uint32_t>(i) * 2654435761U + static_cast<uint32_t>(seed)) << i;
    }
    if ((wanted & 4) != 0)
      for (uint32_t i = 0; i < 64; ++i)
        EXPECT_EQ(results.at("sums").at(i, 0, 0), double(i) * seed + extent.width + wanted) << i;
  }
};

TEST_P(KernelOutputs, ThatNothingReadsAreLeftOut) {
  for (int wanted = 1; wanted < 8; ++wanted) {
    SCOPED_TRACE(testing::Message() << "outputs " << wanted);
    const int seed = 1 + static_cast<int>(random() % 1000);
    const MemoryGraph graph = synthetic(wanted, seed);
    const FrameGraph schedule = scheduleOf(graph, "auto");
    EXPECT_EQ(static_cast<int>(schedule.resources.size()), (wanted & 1) + (wanted >> 1 & 1) + (wanted >> 2));
    expectAll(run(graph, "auto"), wanted, seed);
  }
}

TEST_P(KernelOutputs, ThatBeginAsZeros) {
  const Image in = randomImage(random, Channels::y, Format::f32, extent, false);
  for (int wanted = 1; wanted < 4; ++wanted) {
    MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in tally\n");
    if ((wanted & 1) != 0)
      graph.text += "tally o-memory:output\n";
    if ((wanted & 2) != 0)
      graph.text += "tally:01:counts o-array:counts\n";
    const auto results = run(graph, "auto");
    if ((wanted & 1) != 0)
      EXPECT_EQ(results.at("output").words, in.words);
    uint32_t counts[4] = {};
    for (uint32_t i = 0; i < extent.width * extent.height; ++i)
      ++counts[(i % extent.width + i / extent.width) % 4];
    for (uint32_t i = 0; (wanted & 2) != 0 && i < 4; ++i)
      EXPECT_EQ(results.at("counts").words[i], counts[i]) << i;
  }
}

TEST_P(KernelOutputs, NumbersOf32BitsOverFrames) {
  Image in = makeImage(Channels::y, Format::u32, extent, ColourTag::data);
  for (uint32_t& word : in.words)
    word = static_cast<uint32_t>(random());
  MemoryGraph graph = nodesOf({{"in", in}}, "frames:3\ni-memory:in id-history o-memory:out\n");
  for (int frames = 1; frames <= 3; ++frames) {
    const Image out = run(graph, "auto", frames).at("out");
    ASSERT_EQ(out.type.format, Format::u32);
    for (size_t i = 0; i < in.words.size(); ++i) {
      uint32_t v = 0;
      for (int f = 0; f < frames; ++f) {
        const uint32_t mixed = in.words[i] * 3U + v;
        v = mixed << 5U | mixed >> 27U;
      }
      ASSERT_EQ(out.words[i], v) << "pixel " << i << ", frame " << frames - 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, KernelOutputs, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
