// Arrays of planes: their number, the place of a plane's pixels, and kernels' views of them as images and as
// arrays; each also too large for a storage buffer, with the same bits.

#include <cstring>

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

// Whole numbers, so that sums are exact.
Image wholePlanes(std::mt19937_64& random, uint32_t count, Extent extent) {
  Image image;
  image.type = {Channels::y, Format::f32, ColourTag::data, extent,
                count * static_cast<uint32_t>(pixelCount(extent))};
  for (uint32_t i = 0; i < image.type.arrayCount; ++i) {
    const auto value = static_cast<float>(random() % 1000);
    image.words.push_back(0);
    std::memcpy(&image.words.back(), &value, sizeof value);
  }
  return image;
}

class Planes : public NodeTest {
 protected:
  double at(const Image& image, uint32_t plane, uint64_t pixel) const {
    return image.at(static_cast<uint32_t>(plane * pixelCount(image.type.extent) + pixel), 0, 0);
  }
  static void expectType(const Image& image, const Extent& extent, uint32_t planes) {
    ASSERT_TRUE(image.type.isPlanes()) << print(image.type);
    EXPECT_EQ(image.type.extent, extent);
    EXPECT_EQ(planeCount(image.type), planes);
  }
  MemoryGraph shift(const Image& planes) const {
    return nodesOf({{"in", planes}}, "i-planes:in planes=planes-shift\n");
  }
  // On the usual device, and on one that takes all arrays of more than 16 bytes by their address.
  static std::map<std::string, Image> runBoth(const MemoryGraph& text, int frames = 1) {
    MemoryGraph narrow = text;
    narrow.device = &narrowDevice();
    std::map<std::string, Image> results = run(text, "auto", frames);
    const std::map<std::string, Image> others = test::run(narrow, "auto", frames);
    EXPECT_EQ(results.size(), others.size());
    for (const auto& [name, image] : results) {
      EXPECT_EQ(others.at(name).type, image.type);
      EXPECT_EQ(others.at(name).words, image.words) << name;
    }
    const FrameGraph schedule = scheduleOf(narrow, "auto");
    EXPECT_TRUE(std::any_of(schedule.resources.begin(), schedule.resources.end(),
                            [](const Resource& resource) { return resource.byAddress; }));
    return results;
  }
  uint64_t pixels() const { return pixelCount(extent); }
};

TEST_P(Planes, AreReadAndWrittenInAnyOrder) {
  const Image in = wholePlanes(random, 7, extent), more = wholePlanes(random, 3, extent);
  MemoryGraph graph =
      nodesOf({{"in", in}, {"more", more}},
              "i-planes:in planes=planes-shift o-planes:output\ni-planes:more more=planes-shift:01:sum "
              "o-memory:sum\nplanes-shift:01:numbers o-planes:numbers\n");
  const auto results = runBoth(graph);
  const uint32_t numbers = std::max(extent.width / 16, 1U);
  expectType(results.at("output"), extent, 9);
  expectType(results.at("numbers"), extent, numbers);
  ASSERT_EQ(results.at("sum").type.extent, extent);
  ASSERT_FALSE(results.at("sum").type.isArray());
  for (uint64_t i = 0; i < pixels(); ++i) {
    double sum = 0;
    for (uint32_t plane = 0; plane < 9; ++plane) {
      const uint64_t from = (plane + 9 - i % 9) % 9;
      const auto source = static_cast<uint32_t>(from);
      const double wanted = (source < 7 ? at(in, source, i) : 0) + (source < 3 ? at(more, source, i) : 0);
      ASSERT_EQ(at(results.at("output"), plane, i), wanted) << "plane " << plane << ", pixel " << i;
      sum += wanted;
    }
    const auto x = static_cast<uint32_t>(i % extent.width), y = static_cast<uint32_t>(i / extent.width);
    ASSERT_EQ(results.at("sum").at(x, y, 0), sum) << i;
    for (uint32_t plane = 0; plane < numbers; ++plane)
      ASSERT_EQ(results.at("numbers").words[plane * pixels() + i], 1000 * i + plane) << i;
  }
}

// Planes that nothing reads are omitted, and an unconnected input has none.
TEST_P(Planes, ThatAreNotThere) {
  const Image in = wholePlanes(random, 5, extent);
  MemoryGraph graph = shift(in);
  graph.text += "planes-shift:01:sum o-memory:out\nparam:planes-shift:01:empty:0\n";
  const Image out = runBoth(graph).at("out");
  for (uint64_t i = 0; i < pixels(); ++i) {
    // The output's planes are one variable: everything is added to it, and it is then summed five times.
    double sum = 0;
    for (uint32_t plane = 0; plane < 5; ++plane)
      sum += 5 * at(in, plane, i);
    ASSERT_EQ(out.words.size(), pixels());
    const auto x = static_cast<uint32_t>(i % extent.width), y = static_cast<uint32_t>(i / extent.width);
    ASSERT_EQ(out.at(x, y, 0), sum) << i;
  }
}

TEST_P(Planes, OfAnotherSize) {
  const Image in = wholePlanes(random, 5, extent);
  MemoryGraph graph = nodesOf({{"in", in}}, "i-planes:in planes=planes-half o-planes:out\n");
  const Image out = runBoth(graph).at("out");
  const Extent half{(extent.width + 1) / 2, (extent.height + 1) / 2};
  expectType(out, half, 5);
  for (uint32_t plane = 0; plane < 5; ++plane) {
    for (uint64_t i = 0; i < pixelCount(half); ++i) {
      double sum = 0;
      for (uint64_t y = 2 * (i / half.width); y < std::min<uint64_t>(2 * (i / half.width) + 2, extent.height);
           ++y)
        for (uint64_t x = 2 * (i % half.width);
             x < std::min<uint64_t>(2 * (i % half.width) + 2, extent.width); ++x)
          sum += at(in, plane, y * extent.width + x);
      ASSERT_EQ(at(out, plane, i), sum) << "plane " << plane << ", pixel " << i;
    }
  }
}

// One invocation in all, as without planes, because the connector doesn't declare them.
TEST_P(Planes, ArePlainArraysToOtherKernels) {
  const Image in = wholePlanes(random, 5, extent);
  MemoryGraph graph = nodesOf({{"in", in}}, "i-planes:in first=array-sum o-array:out\n");
  const Image out = runBoth(graph).at("out");
  EXPECT_EQ(out.at(1, 0, 0), static_cast<double>(5 * pixels()));
  EXPECT_FALSE(out.type.isPlanes());
}

// The planes of two frames change places.
TEST_P(Planes, OfTheFrameBefore) {
  const Image in = wholePlanes(random, 5, extent);
  for (int frames = 1; frames <= 3; ++frames) {
    MemoryGraph graph = nodesOf({{"in", in}}, "frames:3\ni-planes:in planes=planes-sum o-planes:out\n");
    const Image out = runBoth(graph, frames).at("out");
    expectType(out, extent, 5);
    for (uint64_t i = 0; i < 5 * pixels(); ++i)
      ASSERT_EQ(at(out, 0, i), frames * at(in, 0, i)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, Planes, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
