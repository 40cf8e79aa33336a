// A native node that takes an image or an array, sees which by its type, and builds with halves in a shape.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/native/places.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

MemoryGraph eitherGraph(const Image& image) {
  const char* source = image.type.isArray() ? "i-array" : "i-memory";
  MemoryGraph graph;
  graph.modulePath = {testModules, ownModules, testFolder() + "/gpu/modules"};
  graph.sources["in"] = image;
  graph.text = fmt::format("{0}:in a=either:01:sum o-array:out\n", source);
  return graph;
}

TEST(NativeEither, RandomImagesAndArraysAreOne) {
  std::mt19937_64& random = testRandom();
  for (const Format format : {Format::f16, Format::f32})
    for (const std::vector<uint32_t>& sizes :
         std::vector<std::vector<uint32_t>>{{1, 1}, {17, 1}, {127, 509}, {2, 3, 5}})
      for (const bool asImage : {false, true}) {
        if (asImage && sizes.size() > 2)
          continue;
        Image in;
        in.type = {Channels::y, format, ColourTag::data, {sizes[sizes.size() - 1], sizes[sizes.size() - 2]}};
        if (!asImage)
          setSizes(in.type, sizes);
        SCOPED_TRACE(print(in.type));
        in.words.resize((byteSize(in.type) + 3) / 4);
        const uint32_t columns = sizes.back();
        const uint32_t count = sizes[0] * sizes[1] * (sizes.size() > 2 ? sizes[2] : 1);
        const auto read = [&](uint32_t i) {
          return asImage ? in.at(i % columns, i / columns, 0) : in.at(i, 0, 0);
        };
        for (uint32_t i = 0; i < count; ++i)
          in.set(asImage ? i % columns : i, asImage ? i / columns : 0, 0,
                 static_cast<double>(random() % 1001));
        const Image sum = run(eitherGraph(in), "auto").at("out");
        const ArrayShape shape = shapeVector(sum.type);
        EXPECT_EQ(shape, (ArrayShape{1, sizes.size() > 2 ? sizes[0] : 1, sizes[sizes.size() - 2], columns}));
        ASSERT_EQ(sum.type.arrayCount, count);
        for (uint32_t i = 0; i < count; ++i)
          ASSERT_EQ(sum.at(i, 0, 0), read(i) + 1 + (1 << (i % columns % 8))) << i;
      }
}

TEST(NativeEither, RefusesWhatNeitherIs) {
  Image list;
  list.type = {Channels::y, Format::f16, ColourTag::data, {}, 7};
  list.words.resize(4);
  EXPECT_NE(
      load(eitherGraph(list)).diagnostics.render().find("'a' has 1 sizes; expected (n, p) or (b, n, p)"),
      std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
