// Declarations of stencils beyond the built-in filters' needs: circular support, init and output, tapped
// levels, per-level parameters, optional features, computed tap fields; under one schedule of each family.

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

using Plane = std::vector<double>;

class StencilNodes : public NodeTest {
 protected:
  template <typename F>
  Plane plane(const F& value) const {
    Plane result;
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        result.push_back(value(x, y));
    return result;
  }

  double at(const Plane& p, uint32_t x, uint32_t y) const {
    return p[static_cast<size_t>(y) * extent.width + x];
  }

  // Calls tap(x, y, dx, dy) for taps inside.
  template <typename F>
  void taps(uint32_t x, uint32_t y, int radius, int dilation, const F& tap) const {
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        const int64_t u = int64_t{x} + dx * dilation;
        const int64_t v = int64_t{y} + dy * dilation;
        if (u >= 0 && v >= 0 && u < extent.width && v < extent.height)
          tap(static_cast<uint32_t>(u), static_cast<uint32_t>(v), dx, dy);
      }
    }
  }

  // Sums of a few terms in another order; the weights are at most 4 times as large as their sum.
  void expectNear(const Image& image, const Plane& expected) const {
    double largest = 0;
    for (const double value : expected)
      largest = std::max(largest, std::abs(value));
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        ASSERT_NEAR(image.at(x, y, 0), at(expected, x, y), 1e-5 * largest) << x << " " << y;
  }

  // modules/smooth on the CPU: state after each level.
  std::vector<Plane> smooth(const Image& in, const Image* guide, const std::vector<double>& gains) const {
    std::vector<Plane> states = {plane([&](uint32_t x, uint32_t y) {
      return roundToHalf(0.25 * in.at(x, y, 0) + 0.5 * in.at(x, y, 1) + 0.25 * in.at(x, y, 2));
    })};
    const auto side = [&](uint32_t x, uint32_t y) { return guide != nullptr && guide->at(x, y, 0) < 0; };
    for (size_t level = 0; level < gains.size(); ++level) {
      states.push_back(plane([&](uint32_t x, uint32_t y) {
        double sum = 0;
        double weight = 0;
        taps(x, y, 1, 1 << level, [&](uint32_t u, uint32_t v, int dx, int dy) {
          const double w = (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25);
          if (side(u, v) == side(x, y)) {
            sum += w * at(states.back(), u, v);
            weight += w;
          }
        });
        return roundToHalf(gains[level] * sum / weight);
      }));
    }
    return states;
  }
};

const char* const families[] = {"baseline/image", "baseline/buffer", "rows3/buffer",  "permuted/image",
                                "tiled/buffer",   "lattice/image",   "fused2/buffer", "fused3/image"};

TEST_P(StencilNodes, UndilatedDisc) {
  const Image in = image(Channels::y, GetParam() % 2 == 0 ? Format::f16 : Format::f32);
  MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in disc o-memory:out\n");
  for (const char* family : {"baseline/image", "rows4/buffer", "tiled/image", "lattice/buffer"}) {
    SCOPED_TRACE(family);
    expectPixels(
        run(graph, family).at("out"),
        [&](uint32_t x, uint32_t y, int) {
          double sum = 0;
          double weight = 0;
          taps(x, y, 3, 1, [&](uint32_t u, uint32_t v, int dx, int dy) {
            if (dx * dx + dy * dy <= 9) {
              sum += in.at(u, v, 0);
              weight += 1;
            }
          });
          return sum / weight;
        },
        1e-5);
  }
}

TEST_P(StencilNodes, InitOutputTapAndOptionalFeature) {
  const Image in = image(Channels::rgba, Format::f32);
  const Image guide = image(Channels::normal, Format::f32);
  Image side = makeImage(Channels::y, Format::f16, extent, ColourTag::data);
  for (uint32_t i = 0; i < extent.width * extent.height; ++i)
    side.set(i % extent.width, i / extent.width, 0, guide.at(i % extent.width, i / extent.width, 0));
  const int levels = GetParam() == 0 ? 1 : 2 + GetParam() % 2;
  std::vector<double> gains = {1.25, 0.5, 1.5};
  for (const bool guided : {true, false}) {
    MemoryGraph graph = nodesOf(
        guided ? Sources{{"in", in}, {"side", side}} : Sources{{"in", in}},
        fmt::format("i-memory:in smooth o-memory:out\nsmooth:01:first "
                    "o-memory:first\nparam:smooth:01:gains:1.25:0.5:1.5:1\nparam:smooth:01:levels:{}\n",
                    levels));
    if (guided)
      graph.text += "i-memory:side guide=smooth\n";
    gains.resize(static_cast<size_t>(levels), 1.5);
    const auto states = smooth(in, guided ? &side : nullptr, gains);
    std::map<std::string, Image> before;
    for (const char* family : families) {
      SCOPED_TRACE(fmt::format("{}, {} levels{}", family, levels, guided ? ", guided" : ""));
      if (isRejected(graph, schedulesNamed(family, false).front()))
        continue;
      const auto results = run(graph, family);
      EXPECT_TRUE(before.empty() || before.at("out").words == results.at("out").words);
      EXPECT_TRUE(before.empty() || before.at("first").words == results.at("first").words);
      before = results;
    }
    // Sums in another order may round to a neighbouring half: one step a level.
    const double halfSteps = 1e-3 * levels;
    expectPixels(
        before.at("first"), [&](uint32_t x, uint32_t y, int) { return at(states[1], x, y); }, 1e-3);
    expectPixels(
        before.at("out"),
        [&](uint32_t x, uint32_t y, int c) {
          const double v = at(states.back(), x, y);
          return c == 0 ? v : c == 1 ? levels : c == 2 ? 0.5 * v : 1 << (levels - 1);
        },
        halfSteps);
  }
}

// Both chains of modules/sparse, two levels each, by their definition: taps of weight 0 are omitted.
TEST_P(StencilNodes, SparseKernels) {
  const Image in = image(Channels::y, Format::f32);
  MemoryGraph graph =
      nodesOf({{"in", in}}, "i-memory:in sparse o-memory:out\nsparse:01:corners o-memory:corners\n");
  Plane lopsided = plane([&](uint32_t x, uint32_t y) { return in.at(x, y, 0); });
  Plane corners = lopsided;
  for (const int dilation : {1, 2}) {
    const double kernel[] = {0.5, 0.0, 1.0, 0.0, -0.25};
    lopsided = plane([&](uint32_t x, uint32_t y) {
      double sum = 0;
      taps(x, y, 2, dilation, [&](uint32_t u, uint32_t v, int dx, int dy) {
        sum += kernel[dx + 2] * kernel[dy + 2] * at(lopsided, u, v);
      });
      return sum;
    });
    corners = plane([&](uint32_t x, uint32_t y) {
      double sum = 0;
      int count = 0;
      taps(x, y, 1, dilation, [&](uint32_t u, uint32_t v, int dx, int dy) {
        sum += dx != 0 && dy != 0 ? at(corners, u, v) : 0.0;
        count += dx != 0 && dy != 0 ? 1 : 0;
      });
      return count == 0 ? 0.0 : sum / count;
    });
  }
  for (const char* family : families) {
    SCOPED_TRACE(family);
    const auto results = run(graph, family);
    expectNear(results.at("out"), lopsided);
    expectNear(results.at("corners"), corners);
  }
}

// A tap of weight 0 is never read: not even a NaN passes.
TEST(StencilNodesSparse, ZerosAreLeftOut) {
  Image in = makeImage(Channels::y, Format::f32, {41, 37}, ColourTag::data);
  for (uint32_t i = 0; i < 41 * 37; ++i)
    in.set(i % 41, i / 41, 0, 1.0);
  in.set(20, 18, 0, std::nan(""));
  MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in sparse:01:corners o-memory:out\n");
  for (const char* family : families) {
    SCOPED_TRACE(family);
    const Image out = run(graph, family).at("out");
    for (int y = 0; y < 37; ++y) {
      for (int x = 0; x < 41; ++x) {
        // Corners of corners: one or three pixels away in both directions.
        const auto reaches = [](int d) { return std::abs(d) == 1 || std::abs(d) == 3; };
        EXPECT_EQ(std::isnan(out.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0)),
                  reaches(x - 20) && reaches(y - 18))
            << x << " " << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, StencilNodes, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
