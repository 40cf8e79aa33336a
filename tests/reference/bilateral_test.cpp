// bilateral against the sequential filter in double precision, and its schedules against each other, bit for
// bit.

#include "tests/reference/bilateral.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/compile/kernel_schedule.h"
#include "graph/vk/device.h"

namespace lacuna::test {
namespace {

const Format formats[] = {Format::u8, Format::u16, Format::f16, Format::f32};
const Channels channelsOf[] = {Channels::rgba, Channels::y, Channels::rgb, Channels::mv};

struct Case {
  Bilateral filter;
  Image input;
  std::optional<Image> guide;

  MemoryGraph graph() const {
    MemoryGraph graph;
    graph.text =
        "lacuna:1\nmodule:i-memory:in\nmodule:bilateral:01\nmodule:o-memory:out\n"
        "connect:i-memory:in:output:bilateral:01:input\nconnect:bilateral:01:output:o-memory:out:input\n";
    graph.sources["in"] = input;
    if (guide) {
      graph.text += "module:i-memory:guide\nconnect:i-memory:guide:output:bilateral:01:guide\n";
      graph.sources["guide"] = *guide;
    }
    const auto set = [&](const char* name, const auto& value) {
      graph.text += fmt::format("param:bilateral:01:{}:{}\n", name, value);
    };
    set("radius", filter.radius);
    set("sigma_space", filter.sigmaSpace);
    set("sigma_range", filter.sigmaRange);
    set("distance", distanceNames[static_cast<size_t>(filter.distance)]);
    set("border", borderNames[static_cast<size_t>(filter.border)]);
    set("iterations", filter.iterations);
    return graph;
  }

  std::string text() const {
    return fmt::format("{}{}\n{}", print(input.type), guide ? ", guide " + print(guide->type) : "",
                       graph().text);
  }
};

bool isInteger(const Image& image) {
  return image.type.format == Format::u8 || image.type.format == Format::u16;
}

// Values are about 1 in floats, where differences of .05 to .5 are edges; 8-bit levels else; Lab goes to 100.
double randomRange(std::mt19937_64& random, const Case& c) {
  const bool levels = c.filter.distance == Distance::lab || isInteger(c.guide ? *c.guide : c.input);
  return 0.001 * pick(random, 50, 500) * (levels ? 120.0 : 1.0);
}

Case randomCase(std::mt19937_64& random, Extent extent, Distance distance, int maxRadius) {
  Case c;
  const auto image = [&](bool specials) {
    const Format format = formats[pick(random, 0, 3)];
    const bool floats = format == Format::f16 || format == Format::f32;
    return randomImage(random, channelsOf[pick(random, 0, 3)], format, extent, floats && specials);
  };
  // Conversions to Lab of the infinite are not defined.
  const bool specials = distance != Distance::lab && pick(random, 0, 2) == 0;
  c.input = image(specials);
  if (pick(random, 0, 2) == 0) {
    c.guide = image(specials && !isInteger(c.input));  // integers can't hold what becomes of NaN
  }
  c.filter.distance = distance;
  c.filter.radius = pick(random, 1, maxRadius);
  c.filter.sigmaSpace = 0.001 * pick(random, 500, 8000);
  c.filter.sigmaRange = randomRange(random, c);
  c.filter.border = static_cast<Border>(pick(random, 0, 3));
  c.filter.iterations = pick(random, 0, 3) == 0 ? 2 : 1;
  return c;
}

// The study's criterion is 1 of 255; ours is the rounding of the format, with what float arithmetic leaves.
void expectBilateral(const Case& c, const Image& device) {
  const Stored input{pictureOf(c.input), c.input.type};
  const Stored guide = c.guide ? Stored{pictureOf(*c.guide), c.guide->type} : Stored{};
  const Picture reference = bilateral(c.filter, input, c.guide ? &guide : nullptr);
  // A step more where a value between two iterations may have been rounded the other way.
  const double steps = c.filter.iterations > 1 && c.filter.distance != Distance::lab ? 1.502 : 0.502;
  const double relative = c.filter.distance == Distance::lab ? 2e-3 : 4e-5;  // drivers' pow
  const Deviation d = deviation(device, reference, [&](int, int, int, double b) {
    const double step = c.input.type.format == Format::u8    ? 1.0 / 255.0
                        : c.input.type.format == Format::u16 ? 1.0 / 65535.0
                        : c.input.type.format == Format::f16 ? halfStep(b)
                                                             : 0.0;
    return relative * std::max(std::abs(b), 0.1) + steps * step;
  });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

const Extent extents[] = {{1, 1}, {17, 1}, {3, 29}, {127, 101}};

class BilateralReference : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(BilateralReference, Agrees) {
  const auto [extent, distance] = GetParam();
  std::mt19937_64 random(testSeed() + 1900 + static_cast<uint64_t>(10 * extent + distance));
  const bool large = extent == 3;
  for (int i = 0; i < (large ? 2 : 4); ++i) {
    const Case c = randomCase(random, extents[extent], static_cast<Distance>(distance), large ? 7 : 31);
    SCOPED_TRACE(c.text());
    expectBilateral(c, run(c.graph(), "auto").at("out"));
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, BilateralReference,
                         testing::Combine(testing::Range(0, 4), testing::Range(0, 4)));

// Every exact variant, with a workgroup and constants by chance, where the device has the shared memory.
class BilateralSchedules : public testing::TestWithParam<int> {};

TEST_P(BilateralSchedules, AreEqual) {
  std::mt19937_64 random(testSeed() + 1950 + static_cast<uint64_t>(GetParam()));
  const Distance distance =
      GetParam() % 2 == 0 ? Distance::perChannel : static_cast<Distance>(pick(random, 1, 3));
  const Extent extent{static_cast<uint32_t>(pick(random, 1, 90)), static_cast<uint32_t>(pick(random, 1, 90))};
  Case c = randomCase(random, extent, distance, GetParam() == 0 ? 12 : 4);
  c.filter.iterations = 1;
  SCOPED_TRACE(c.text());
  const MemoryGraph graph = c.graph();
  const LoadedGraph loaded = load(graph);
  const auto node = std::find_if(loaded.graph.nodes.begin(), loaded.graph.nodes.end(),
                                 [&](const Node& each) { return !variantsOf(loaded.graph, each).empty(); });
  ASSERT_NE(node, loaded.graph.nodes.end());
  const Image expected = run(graph, "naive").at("out");
  int compared = 0;
  for (const VariantDescription* variant : variantsOf(loaded.graph, *node)) {
    std::vector<KernelSchedule> usable = allKernelSchedules(*variant);
    std::erase_if(usable, [&](const KernelSchedule& schedule) {
      return !rejection(loaded.graph, *node, schedule, vk::modelOf(testDevice().info())).empty();
    });
    if (!variant->isExact() || usable.empty()) {
      continue;
    }
    const KernelSchedule& schedule =
        usable[static_cast<size_t>(pick(random, 0, static_cast<int>(usable.size()) - 1))];
    SCOPED_TRACE(print(schedule));
    const Image found = run(graph, print(schedule)).at("out");
    EXPECT_EQ(found.type, expected.type);
    EXPECT_TRUE(found.words == expected.words);
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

INSTANTIATE_TEST_SUITE_P(Cases, BilateralSchedules, testing::Range(0, 5));

}  // namespace
}  // namespace lacuna::test
