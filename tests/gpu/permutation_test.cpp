// Permuted layouts in GLSL are those of pattern/permutation.h.

#include "graph/pattern/permutation.h"

#include "graph/shader/generate/stencil_parts.h"
#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

class PermutationShaders : public GpuTest {};

constexpr const char* shader = R"(
struct Case { int size; int levels; int pixel; int unused; };
layout(std430, binding = 0) readonly buffer Cases { Case cases[]; };
layout(std430, binding = 1) writeonly buffer Results { ivec4 results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= cases.length()) return;
  Case c = cases[i];
  int place = placeOf(c.pixel, c.size, c.levels);
  results[i] = ivec4(place, pixelAt(place, c.size, c.levels),
                     nextPlace(place, c.pixel, c.size, c.levels), pixelAt(c.pixel, c.size, c.levels));
}
)";

// Every pixel of all small sizes up to 6 levels, and random ones of sizes up to what images have.
std::vector<int32_t> cases() {
  std::vector<int32_t> all;
  const auto add = [&](int32_t size, int32_t levels, int32_t pixel) {
    all.insert(all.end(), {size, levels, pixel, 0});
  };
  for (int32_t levels = 0; levels <= 6; ++levels) {
    for (const int32_t size : {1, 2, 3, 16, 37, 64, 70})
      for (int32_t pixel = 0; pixel < size; ++pixel)
        add(size, levels, pixel);
  }
  for (int i = 0; i < 3000; ++i) {
    const int32_t size = randomIntegers(1, 1, 16384)[0];
    add(size, randomIntegers(1, 0, 8)[0], randomIntegers(1, 0, size - 1)[0]);
  }
  return all;
}

TEST_F(PermutationShaders, RandomPlaceEveryPixelAsTheLibraryDoes) {
  const std::vector<int32_t> given = cases();
  const size_t count = given.size() / 4;
  for (const SubimageOrder order : {SubimageOrder::ascending, SubimageOrder::localSubdivision}) {
    for (const bool mirrored : {false, true}) {
      SCOPED_TRACE(std::string(order == SubimageOrder::ascending ? "ascending" : "local") +
                   (mirrored ? ", mirrored" : ""));
      const Embedding embedding{order, mirrored};
      Plan plan;
      const ResourceId in = plan.buffer("cases", 16 * count), out = plan.buffer("results", 16 * count);
      const PassId up = plan.upload(in);
      plan.dispatch("permutations", permutationFunctions(embedding) + shader, groupsFor(count), 1,
                    {readBuffer(in, 0), writeBuffer(out, 1)});
      const PassId down = plan.download(out);
      const auto executable = plan.build();
      put(executable->uploadMemory(up), given);
      executable->run({});
      const auto found = get<uint32_t>(executable->downloadMemory(down));
      for (size_t i = 0; i < count; ++i) {
        const auto size = static_cast<uint32_t>(given[4 * i]);
        const auto levels = static_cast<uint32_t>(given[4 * i + 1]);
        const auto pixel = static_cast<uint32_t>(given[4 * i + 2]);
        const uint32_t place = placeOf(embedding, pixel, size, levels);
        const std::vector<uint32_t> expected = {place, pixel, nextPlace(embedding, place, size, levels),
                                                pixelAt(embedding, pixel, size, levels)};
        const auto first = found.begin() + static_cast<std::ptrdiff_t>(4 * i);
        ASSERT_EQ(std::vector<uint32_t>(first, first + 4), expected)
            << "pixel " << pixel << " of " << size << ", " << levels << " levels";
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::test
