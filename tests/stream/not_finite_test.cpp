// NaN and infinities in rows of planes.

#include "graph/run/not_finite.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "tests/support/random.h"

namespace lacuna::test {
namespace {

// Depth, normals and motion have them where the background is.
TEST(NotFinite, RandomPlacesAreCountedByPlane) {
  std::mt19937_64& random = testRandom();
  const Extent extent{97, 41};
  for (const Channels channels :
       {Channels::rgba, Channels::rgb, Channels::y, Channels::depth, Channels::normal, Channels::mv}) {
    const bool isCounted =
        channels != Channels::depth && channels != Channels::normal && channels != Channels::mv;
    for (const Format format : {Format::f16, Format::f32}) {
      const ValueType type{channels, format, ColourTag::data, extent};
      std::vector<std::byte> pixels(byteSize(type));
      const size_t wordBytes = format == Format::f16 ? 2 : 4, words = pixels.size() / wordBytes;
      const uint32_t wrong[] = {0x7f800000, 0xff800000, 0x7fc00000}, wrongHalves[] = {0x7c00, 0xfc00, 0x7e01};
      std::set<size_t> places;
      while (places.size() < 5)
        places.insert(pick(random, 0, static_cast<int>(words) - 1));
      for (const size_t place : places) {
        const uint32_t word = (format == Format::f16 ? wrongHalves : wrong)[pick(random, 0, 2)];
        std::memcpy(pixels.data() + place * wordBytes, &word, wordBytes);
      }
      const uint32_t split = static_cast<uint32_t>(pick(random, 1, 40));
      FoundNotFinite found;
      for (const auto& [first, end] : {std::pair(0U, split), std::pair(split, extent.height)})
        findNotFinite(rowsOf({{"plane", type, pixels}}, first, end), first, found);
      EXPECT_EQ(found.values, isCounted ? places.size() : 0U) << print(type);
      const size_t pixel = *places.begin() * wordBytes / bytesPerPixel(channels, format);
      EXPECT_EQ(found.x, isCounted ? pixel % extent.width : 0U) << print(type);
      EXPECT_EQ(found.y, isCounted ? pixel / extent.width : 0U) << print(type);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
