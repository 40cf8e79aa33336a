// Node kinds other than stencils on the device, against plain computations in double.

#include <algorithm>

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

constexpr double single = 2e-6;  // a few roundings to f32

class Nodes : public NodeTest {
 protected:
  double sumOf(const Image& in, int component) const {
    double sum = 0;
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        sum += in.at(x, y, component);
    return sum;
  }

  double largest(const Image& in, int component) const {
    double most = -1e30;
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        most = std::max(most, in.at(x, y, component));
    return most;
  }
};

TEST_P(Nodes, ReduceToMeanLargestAndCount) {
  const Image in = image(Channels::rgba, Format::f32);
  const double threshold = uniform(0.3, 0.9);
  MemoryGraph graph = nodesOf(
      {{"in", in}}, fmt::format("i-memory:in statistics:01:mean o-array:mean\nstatistics:01:largest "
                                "o-array:largest\nstatistics:01:halves o-array:halves\nstatistics:01:bright "
                                "o-array:bright\nparam:statistics:01:threshold:{:.7f}\n",
                                threshold));
  const auto results = run(graph, "auto");
  const double pixels = static_cast<double>(extent.width) * extent.height;
  for (uint32_t c = 0; c < 4; ++c) {
    const double mean = sumOf(in, static_cast<int>(c)) / pixels;
    EXPECT_NEAR(results.at("mean").at(c, 0, 0), mean, 1e-5 * std::abs(mean));
    EXPECT_EQ(results.at("largest").at(c, 0, 0), largest(in, static_cast<int>(c)));
  }
  for (uint32_t c = 0; c < 3; ++c) {  // an element has 4 words
    EXPECT_EQ(results.at("halves").at(c, 0, 0), largest(in, static_cast<int>(c)));
    EXPECT_EQ(results.at("halves").at(4 + c, 0, 0), largest(in, static_cast<int>(c)) / 2);
  }
  double bright = 0;
  for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
    bright +=
        in.at(i % extent.width, i / extent.width, 0) > static_cast<double>(static_cast<float>(threshold)) ? 1
                                                                                                          : 0;
  }
  EXPECT_EQ(results.at("bright").at(0, 0, 0), bright);
  EXPECT_EQ(results.at("bright").at(1, 0, 0), pixels);
}

TEST_P(Nodes, Histogram) {
  Image in = image(Channels::y, Format::f32);
  std::vector<double> counts(64, 0);
  double total = 0;
  for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
    const uint32_t x = i % extent.width;
    const uint32_t y = i / extent.width;
    in.set(x, y, 0, uniform(-0.2, 2.5));
    const double v = in.at(x, y, 0);
    if (v >= 0) {
      counts[std::min<size_t>(static_cast<size_t>(v * 32), 63)] += 1;
      total += 1;
    }
  }
  MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in histogram:01:histogram o-array:out\n");
  const Image out = run(graph, "auto").at("out");
  for (uint32_t b = 0; b < 64; ++b)
    EXPECT_NEAR(out.at(b, 0, 0), counts[b] / std::max(total, 1.0), 1e-6) << "bin " << b;
}

TEST_P(Nodes, ArrayBoundToAParameter) {
  const Image in = image(Channels::y, Format::f32);
  MemoryGraph graph = nodesOf(
      {{"in", in}},
      "i-memory:in normalise o-memory:out\nparam:normalise:01:gain:0.75\nparam:normalise:01:scale:1000\n");
  const double most = largest(in, 0);
  expectPixels(
      run(graph, "auto").at("out"), [&](uint32_t x, uint32_t y, int) { return in.at(x, y, 0) / most * 0.75; },
      single);
}

TEST_P(Nodes, KernelThroughSharedMemory) {
  const Image in = image(Channels::y, Format::f16);
  const Image mask = image(Channels::y, Format::f32);
  for (const bool masked : {false, true}) {
    MemoryGraph graph = nodesOf(masked ? Sources{{"in", in}, {"mask", mask}} : Sources{{"in", in}},
                                "i-memory:in box-sum o-memory:out\n");
    if (masked)
      graph.text += "i-memory:mask mask=box-sum\n";
    expectPixels(
        run(graph, "auto").at("out"),
        [&](uint32_t x, uint32_t y, int) {
          double sum = 0;
          for (int64_t v = int64_t{y} - 2; v <= int64_t{y} + 2; ++v) {
            for (int64_t u = int64_t{x} - 2; u <= int64_t{x} + 2; ++u) {
              if (u >= 0 && v >= 0 && u < extent.width && v < extent.height) {
                const auto at = [&](const Image& i) {
                  return i.at(static_cast<uint32_t>(u), static_cast<uint32_t>(v), 0);
                };
                sum += at(in) * (masked ? at(mask) : 1.0);
              }
            }
          }
          return sum;
        },
        1e-5);
  }
}

TEST_P(Nodes, KernelToAnArray) {
  const Image in = image(Channels::y, Format::f32);
  MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in row-sums:01:sums o-array:out\n");
  const Image out = run(graph, "auto").at("out");
  for (uint32_t n = 0; n < 32; ++n) {
    double sum = 0;
    for (uint32_t y = n; y < extent.height; y += 32)
      for (uint32_t x = 0; x < extent.width; ++x)
        sum += in.at(x, y, 0);
    EXPECT_NEAR(out.at(n, 0, 0), sum, 2e-5 * std::max(1.0, std::abs(sum))) << n;
  }
}

TEST_P(Nodes, KernelBetweenExtents) {
  const Image in = image(Channels::rgba, GetParam() % 2 == 0 ? Format::f32 : Format::f16);
  MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in halve o-memory:out\n");
  const Image out = run(graph, "auto").at("out");
  EXPECT_EQ(out.type.extent, (Extent{(extent.width + 1) / 2, (extent.height + 1) / 2}));
  expectPixels(
      out, [&](uint32_t x, uint32_t y, int c) { return in.at(2 * x, 2 * y, c); }, 0);
}

TEST_P(Nodes, ParametersOfAllTypesAndAnOptionalInput) {
  const Image in = image(Channels::rgba, Format::f32);
  const Image mask = image(Channels::y, Format::f16);
  const double amount[] = {uniform(0.5, 1.5), uniform(0.5, 1.5), uniform(0.5, 1.5)};
  for (const bool masked : {false, true}) {
    for (const bool multiplies : {false, true}) {
      MemoryGraph graph = nodesOf(
          masked ? Sources{{"in", in}, {"mask", mask}} : Sources{{"in", in}},
          fmt::format("i-memory:in mixer o-memory:out\nparam:mixer:01:amount:{:.8f}:{:.8f}:{:.8f}\n"
                      "param:mixer:01:times:3\nparam:mixer:01:note:\"of no effect\"\nparam:mixer:01:{}\n",
                      amount[0], amount[1], amount[2], multiplies ? "mode:multiply" : "invert:true"));
      if (masked)
        graph.text += "i-memory:mask mask=mixer\n";
      expectPixels(
          run(graph, "auto").at("out"),
          [&](uint32_t x, uint32_t y, int c) {
            const double v = in.at(x, y, c);
            if (c == 3)
              return v;
            const double a = amount[c] * (masked ? mask.at(x, y, 0) : 1.0);
            return multiplies ? v * a * a * a : 1.0 - (v + 3 * a);
          },
          1e-4);  // 1 - x cancels
    }
  }
}

TEST_P(Nodes, KeyframesOverFrames) {
  const Image in = image(Channels::rgba, Format::f32);
  MemoryGraph graph =
      nodesOf({{"in", in}},
              "frames:5\ni-memory:in mixer "
              "o-memory:out\nkeyframe:1:mixer:01:amount:1:10:100\nkeyframe:3:mixer:01:amount:3:20:500\n");
  for (int frames = 1; frames <= 5; ++frames) {
    const double t = std::clamp((frames - 2) / 2.0, 0.0, 1.0);  // the last frame is frames - 1
    const double amount[] = {1 + 2 * t, 10 + 10 * t, 100 + 400 * t, 0};
    expectPixels(
        run(graph, "auto", frames).at("out"),
        [&](uint32_t x, uint32_t y, int c) { return in.at(x, y, c) + amount[c]; }, single);
  }
}

TEST_P(Nodes, FeedbackOverFrames) {
  const Image in = image(Channels::y, Format::f32);
  MemoryGraph graph =
      nodesOf({{"in", in}}, "frames:4\ni-memory:in accumulate o-memory:out\naccumulate back~accumulate\n");
  for (int frames = 1; frames <= 4; ++frames) {
    expectPixels(
        run(graph, "auto", frames).at("out"),
        [&](uint32_t x, uint32_t y, int) {
          double v = 0;
          for (int f = 0; f < frames; ++f)
            v = in.at(x, y, 0) + 0.5 * v + f + (f == 0 ? 100 : 0);
          return v;
        },
        single);
  }
}

// `keep` comes after `add`, which reads it a frame later; the gain is a parameter or a value of the graph.
TEST_P(Nodes, LastFrameOfALaterNode) {
  const Image in = image(Channels::y, Format::f32);
  for (const bool bound : {false, true}) {
    MemoryGraph graph = nodesOf({{"in", in}}, "frames:3\ni-memory:in history o-memory:out\n");
    if (bound)
      graph.text += "i-memory:in row-sums:01:sums first=array-sum:01:mean gain=history\n";
    const double gain = bound ? sumOf(in, 0) / 32 : 2.0;
    for (int frames = 1; frames <= 3; ++frames) {
      expectPixels(
          run(graph, "auto", frames).at("out"),
          [&](uint32_t x, uint32_t y, int) {
            double v = 0;
            for (int f = 0; f < frames; ++f)
              v = gain * in.at(x, y, 0) + (f == 0 ? 10 : 0.5 * (v + 1));
            return v;
          },
          1e-4);  // the sum's own rounding
    }
  }
}

TEST_P(Nodes, ArraysOfAnyNumber) {
  const Image in = image(Channels::y, Format::f32);
  for (const bool both : {false, true}) {
    MemoryGraph graph = nodesOf({{"in", in}}, "i-memory:in row-sums:01:sums first=array-sum o-array:out\n");
    if (both)
      graph.text += "i-memory:in histogram:01:histogram second=array-sum\n";
    const Image out = run(graph, "auto").at("out");
    const double sum = sumOf(in, 0) + (both ? 1.0 : 0.0);  // the histogram's shares
    EXPECT_NEAR(out.at(0, 0, 0), sum, 1e-4 * std::max(1.0, std::abs(sum)));
    EXPECT_EQ(out.at(1, 0, 0), both ? 96 : 32);
  }
}

// Apart: every value between two steps is also an output, so that nothing fuses.
TEST_P(Nodes, FusedChainsEqualTheSameApart) {
  Image in = image(Channels::rgba, Format::f32);
  std::string text = "i-memory:in step:0 step:1 step:2 step:3 o-memory:out\n";
  for (int i = 0; i < 4; ++i)
    text += fmt::format("param:step:{}:rate:3.{}\n", i, 5 + i);
  const MemoryGraph fused = nodesOf({{"in", in}}, text);
  for (int i = 0; i < 3; ++i)
    text += fmt::format("step:{0} o-memory:tap{0}\n", i);
  const MemoryGraph apart = nodesOf({{"in", in}}, text);
  const auto dispatches = [](const MemoryGraph& graph) {
    const FrameGraph schedule = scheduleOf(graph, "auto");
    return std::count_if(schedule.passes.begin(), schedule.passes.end(),
                         [](const Pass& pass) { return pass.kind == PassKind::dispatch; });
  };
  EXPECT_EQ(dispatches(fused), 1);
  EXPECT_EQ(dispatches(apart), 4);
  const auto all = run(apart, "auto");
  EXPECT_EQ(run(fused, "auto").at("out").words, all.at("out").words);
  expectPixels(
      all.at("tap0"),
      [&](uint32_t x, uint32_t y, int c) { return 3.5 * in.at(x, y, c) * (1.0 - in.at(x, y, c)); },
      1e-3);  // half
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, Nodes, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
