// Windows of more than 50 taps, which shaders loop over, against their definition in plain C++, bit for bit
// under every family.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

struct Window {
  int radius = 0;
  bool circular = false;
  std::vector<float> weights = std::vector<float>(static_cast<size_t>(2 * radius + 1), 1.0F);
  float weight(int steps) const { return weights[static_cast<size_t>(steps + radius)]; }
  bool has(int dx, int dy) const {
    return weight(dx) != 0.0F && weight(dy) != 0.0F && (!circular || dx * dx + dy * dy <= radius * radius);
  }
};

// The real distance of a tap, in taps: within the image on its own lattice.
int reached(int steps, int at, int size, int dilation) {
  return std::clamp(steps, -(at / dilation), (size - 1 - at) / dilation);
}

// A level of tests/gpu/modules/wide; rounded as GLSL rounds without contraction.
Image level(const Image& input, const Window& window, int dilation) {
  Image output = input;
  const int width = static_cast<int>(input.type.extent.width),
            height = static_cast<int>(input.type.extent.height);
  const auto at = [&](int x, int y) {
    return static_cast<float>(input.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0));
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0.0F;
      for (int dy = -window.radius; dy <= window.radius; ++dy) {
        const int row = reached(dy, y, height, dilation);
        const float wy = row == dy ? window.weight(dy) : 0.0F;
        for (int dx = -window.radius; dx <= window.radius; ++dx) {
          if (!window.has(dx, dy))
            continue;
          const int column = reached(dx, x, width, dilation);
          const float wx = column == dx ? window.weight(dx) : 0.0F;
          const float shift = 0.125F * static_cast<float>((dx + dy) * dilation);
          const float place = static_cast<float>(dx - 2 * dy) + shift + 0.3F;
          const float value = at(x + column * dilation, y + row * dilation) * place;
          const float kept = 0.75F * sum, weight = wx * wy;
          const float added = weight * value;
          sum = kept + added;
        }
      }
      output.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, sum + at(x, y));
    }
  }
  return output;
}

class WideWindows : public testing::TestWithParam<int> {
 protected:
  void expectDefinition(const std::string& output, const Window& window, int levels,
                        const std::vector<std::string>& schedules) {
    std::mt19937_64& random = testRandom();
    const Extent extent{static_cast<uint32_t>(pick(random, 1, 90)),
                        static_cast<uint32_t>(pick(random, 1, 70))};
    MemoryGraph graph;
    graph.modulePath.push_back(testFolder() + "/gpu/modules");
    graph.asGpu = pick(random, 0, 1) == 1;
    graph.sources["in"] = randomImage(random, Channels::y, Format::f32, extent, pick(random, 0, 1) == 1);
    graph.text =
        fmt::format("i-memory:in wide:01:{} o-memory:out\nparam:wide:01:radius:{}\n", output, window.radius);
    SCOPED_TRACE(fmt::format("{}x{}, radius {}, {}", extent.width, extent.height, window.radius,
                             graph.asGpu ? "as on GPUs" : "as on CPUs"));
    Image expected = graph.sources["in"];
    for (int l = 0; l < levels; ++l)
      expected = level(expected, window, 1 << l);
    for (const std::string& schedule : schedules)
      EXPECT_EQ(differences(expected, runChecked(graph, schedule).at("out")), "") << schedule;
  }
};

TEST_P(WideWindows, SquaresAsDefined) {
  constexpr int radii[] = {4, 7, 9};
  const std::vector<std::string> schedules[] = {
      {"baseline/buffer", "rows6/image", "tiled/buffer"},
      {"rows3/buffer", "blocks2/image", "lattice/buffer"},
      {"permuted-reread/image", "blocks3/buffer", "fused2@8x8/buffer"},
  };
  const auto turn = static_cast<size_t>(GetParam());
  expectDefinition("output", {.radius = radii[(turn + pick(testRandom(), 0, 2)) % 3]}, 2, schedules[turn]);
}

TEST_P(WideWindows, LopsidedDiscsAsDefined) {
  constexpr const char* schedules[] = {"rows4/image", "blocks2/buffer", "tiled-local/image"};
  expectDefinition(
      "disc", {.radius = 4, .circular = true, .weights = {0.5F, 0.25F, 0, 1, 1.5F, 0.3F, -0.5F, 2, -0.25F}},
      1, {schedules[GetParam()]});
}

INSTANTIATE_TEST_SUITE_P(Random, WideWindows, testing::Range(0, 3));

}  // namespace
}  // namespace lacuna::test
