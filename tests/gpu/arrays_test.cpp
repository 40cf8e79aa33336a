// Arrays with a shape, in f32 and f16: by numbers, by words and by groups of four words, on the usual device
// and on one that reaches them by their address.

#include <cstring>

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

// Numbers that f16 holds exactly, as it does their doubles and sums.
Image wholeArray(std::mt19937_64& random, Format format, const std::vector<uint32_t>& sizes) {
  Image image;
  image.type = {Channels::y, format, ColourTag::data, {}};
  setSizes(image.type, sizes);
  image.words.resize((byteSize(image.type) + 3) / 4);
  for (uint32_t i = 0; i < image.type.arrayCount; ++i)
    image.set(i, 0, 0, static_cast<double>(random() % 1001) - 500);
  return image;
}

const std::vector<std::vector<uint32_t>> arrayShapes = {{1, 1},     {17, 1},   {1, 9},
                                                        {127, 509}, {3, 5, 7}, {5, 1, 3}};

class Arrays : public testing::TestWithParam<Format> {
 protected:
  MemoryGraph views(const Image& in, const Image* other, const char* made) const {
    std::map<std::string, Image> sources = {{"in", in}};
    if (other != nullptr)
      sources["other"] = *other;
    MemoryGraph graph = nodesOf(
        sources,
        fmt::format("i-array:in array-views\nparam:array-views:01:format:{}\nparam:array-views:01:bytes:{}\n",
                    made, GetParam() == Format::f16 ? 2 : 4));
    if (other != nullptr)
      graph.text += "i-array:other other=array-views\n";
    return graph;
  }

  // Runs on a device that binds arrays, or on one that binds 16 bytes at most.
  static std::map<std::string, Image> runOn(vk::Device& device, const MemoryGraph& text) {
    MemoryGraph graph = text;
    graph.device = &device;
    return test::run(graph, "auto");
  }

  static std::map<std::string, Image> runBoth(const MemoryGraph& text) {
    std::map<std::string, Image> results = runOn(testDevice(), text);
    const std::map<std::string, Image> others = runOn(narrowDevice(), text);
    for (const auto& [name, image] : results) {
      EXPECT_EQ(others.at(name).type, image.type) << name;
      EXPECT_EQ(others.at(name).words, image.words) << name;
    }
    return results;
  }

  std::mt19937_64& random = testRandom();
};

TEST_P(Arrays, KeepAndChangeTheirShape) {
  for (const std::vector<uint32_t>& sizes : arrayShapes)
    for (const char* made : {"f16", "f32"})
      for (const bool added : {false, true}) {
        const Image in = wholeArray(random, GetParam(), sizes), other = wholeArray(random, GetParam(), sizes);
        SCOPED_TRACE(print(in.type) + " to " + made);
        MemoryGraph graph = views(in, added ? &other : nullptr, made);
        graph.text += "array-views:01:turned o-array:turned\narray-views:01:doubled o-array:doubled\n";
        graph.text += "array-views:01:shapes o-array:shapes\n";
        const auto results = runBoth(graph);
        const ArrayShape shape = shapeVector(in.type);
        const Image& turned = results.at("turned");
        const Image& doubled = results.at("doubled");
        ASSERT_EQ(sizesOf(turned.type), (std::vector<uint32_t>{shape[1], shape[3], shape[2]}));
        ASSERT_EQ(sizesOf(doubled.type), sizes);
        EXPECT_EQ(turned.type.format, *formatFromName(made));
        for (uint32_t i = 0; i < in.type.arrayCount; ++i) {
          const uint32_t column = i % shape[3], row = i / shape[3] % shape[2],
                         batch = i / shape[3] / shape[2];
          const uint32_t to = (batch * shape[3] + column) * shape[2] + row;
          ASSERT_EQ(turned.at(to, 0, 0), in.at(i, 0, 0) + (added ? other.at(i, 0, 0) : 0)) << i;
          ASSERT_EQ(doubled.at(i, 0, 0), 2 * in.at(i, 0, 0)) << i;
        }
        const uint32_t half = made == std::string("f16") ? 1000 : 0;
        const ArrayShape absent{}, sum = added ? shape : absent;
        std::vector<uint32_t> seen(shape.begin(), shape.end());
        seen.insert(seen.end(), sum.begin(), sum.end());
        seen.insert(seen.end(), {1 + half, shape[1] + half, shape[3] + half, shape[2] + half});
        EXPECT_EQ(results.at("shapes").words, seen);
      }
}

// Arrays that nothing reads are omitted, also in f16; they keep their shape.
TEST_P(Arrays, ThatNothingReads) {
  const Image in = wholeArray(random, GetParam(), {17, 9});
  MemoryGraph graph = views(in, nullptr, "f16");
  graph.text += "array-views:01:turned o-array:turned\n";
  const Image turned = runBoth(graph).at("turned");
  for (uint32_t i = 0; i < in.type.arrayCount; ++i)
    ASSERT_EQ(turned.at(i % 9 * 17 + i / 9, 0, 0), in.at(i, 0, 0)) << i;
  MemoryGraph others = views(in, nullptr, "f16");
  others.text += "array-views:01:shapes o-array:shapes\n";
  EXPECT_EQ(runBoth(others).at("shapes").words,
            (std::vector<uint32_t>{1, 1, 17, 9, 0, 0, 0, 0, 1001, 1001, 1009, 1017}));
}

TEST_P(Arrays, AreTheSameMemoryByWordsAndGroups) {
  for (const std::vector<uint32_t>& sizes : arrayShapes) {
    const Image in = wholeArray(random, GetParam(), sizes);
    SCOPED_TRACE(print(in.type));
    MemoryGraph graph = views(in, nullptr, "f16");
    graph.text += "array-views:01:words o-array:words\narray-views:01:quads o-array:quads\n";
    const size_t bytes = byteSize(in.type);
    for (vk::Device* device : {&testDevice(), &narrowDevice()}) {
      const auto results = runOn(*device, graph);
      const std::vector<uint32_t>& words = results.at("words").words;
      const std::vector<uint32_t>& quads = results.at("quads").words;
      ASSERT_EQ(words.size(), in.words.size() + 1);
      ASSERT_EQ(quads.size(), (bytes + 15) / 16 * 4);
      EXPECT_EQ(std::memcmp(words.data(), in.words.data(), bytes), 0);
      EXPECT_EQ(std::memcmp(quads.data(), in.words.data(), bytes), 0);
      EXPECT_EQ(words.back(), 1U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Arrays, testing::Values(Format::f16, Format::f32),
                         [](const auto& of) { return std::string(name(of.param)); });

}  // namespace
}  // namespace lacuna::test
