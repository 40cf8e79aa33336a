// wiener on the device against its double-precision version.
// Groups: nearly equal distances may be ordered otherwise, since means are rounded to half and distances to
// 12 bits. So the device's groups are compared by their distances, and its picture with what the reference
// makes of the same groups.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/reference/wiener_case.h"
#include "tests/support/changed_module.h"

namespace lacuna::test {
namespace {

// In place of the filters' sums, two blocks' distances from the first one, of six bits each; the pixels'
// colours are these numbers, which floats hold exactly.
constexpr const char* writesPlaces = R"(
#include "shared.glsl"
void run(Pixel unused) {
  ivec2 extent = extentOfPlanes(), groups = extentOfGroups(), group = ivec2(gl_WorkGroupID.xy);
  if (gl_LocalInvocationIndex != 0u) { return; }
  ivec2 corner = cornerOf(group, extent);
  int first = (group.y * groups.x + group.x) * GROUP;
  for (int k = 0; k < GROUP; k += 2) {
    uint both = 0u;
    for (int i = 0; i < 2; ++i) {
      int place = int(array_places.data[first + k + i]);
      ivec2 offset = ivec2(place & 0xffff, place >> 16) - corner + 32;
      both |= uint(offset.x | offset.y << 6) << (12 * i);
    }
    if ((first + k) / 2 < 4 * extent.x * extent.y) { array_sums.data[(first + k) / 2] = both; }
  }
}
)";
constexpr const char* showsSums = R"(
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_input))) { return; }
  int i = 4 * (p.position.y * extent_input.x + p.position.x);
  store_output(p.position, vec4(array_sums.data[i], array_sums.data[i + 1], array_sums.data[i + 2], array_sums.data[i + 3]));
}
)";

using Groups = std::vector<std::vector<Place>>;

Groups groupsOnDevice(MemoryGraph graph, const WienerParameters& p) {
  const Extent extent = graph.sources["in"].type.extent;
  const std::vector<Place> first =
      firstBlocks(static_cast<int>(extent.width), static_cast<int>(extent.height), p.step);
  const auto group = static_cast<size_t>(p.group);
  if (first.size() == 1 && extent.width <= 8 && extent.height <= 8)
    return {std::vector<Place>(group, first[0])};  // there is no other block
  EXPECT_LE(first.size() * group, size_t{8} * extent.width * extent.height) << "no room for the places";
  const ChangedModule changed("wiener");
  for (const char* file : {"filter_blocks.glsl", "filter_lanes.glsl"})
    changed.rewrite(file, writesPlaces);
  changed.rewrite("finish.glsl", showsSums);
  graph.modulePath.insert(graph.modulePath.begin(), changed.modules());
  const Image shown = run(graph, "auto").at("out");
  Groups groups;
  for (size_t g = 0; g < first.size(); ++g) {
    groups.emplace_back();
    for (size_t k = 0; k < group; ++k) {
      const size_t i = (g * group + k) / 2, pixel = i / 4;
      const auto both =
          static_cast<int>(shown.at(static_cast<uint32_t>(pixel % extent.width),
                                    static_cast<uint32_t>(pixel / extent.width), static_cast<int>(i % 4)));
      const int offset = k % 2 == 0 ? both & 0xfff : both >> 12;
      groups.back().push_back({first[g].x + (offset & 63) - 32, first[g].y + (offset >> 6) - 32});
    }
  }
  return groups;
}

// How far a distance may be off: one mean is rounded the other way, or twelve bits of the distance are cut
// off.
double slack(double distance, double step) {
  return distance / 1024.0 + 2.0 * step * std::sqrt(distance) + step * step;
}

void expectNearest(const Groups& groups, const Picture& means, const WienerParameters& p) {
  const std::vector<Place> first = firstBlocks(means.width, means.height, p.step);
  const double step = halfStep(largestOf(means.values));
  ASSERT_EQ(groups.size(), first.size());
  for (size_t g = 0; g < first.size(); ++g) {
    SCOPED_TRACE(fmt::format("group {}, first block {}, {}", g, first[g].x, first[g].y));
    std::vector<Candidate> all = candidates(means, first[g], p);
    std::ranges::sort(all, {}, &Candidate::distance);
    const size_t count = std::min(all.size(), groups[g].size());
    const double most = all[count - 1].distance;
    double before = 0.0;
    ASSERT_EQ(groups[g][0], first[g]);
    for (size_t k = 1; k < groups[g].size(); ++k) {
      const Place place = groups[g][k];
      if (k >= count) {
        ASSERT_EQ(place, first[g]) << "there is no other block";
        continue;
      }
      ASSERT_EQ(std::count(groups[g].begin(), groups[g].begin() + static_cast<ptrdiff_t>(k), place), 0);
      const auto found = std::ranges::find(all, place, &Candidate::place);
      ASSERT_NE(found, all.end()) << place.x << ", " << place.y << " is no candidate";
      ASSERT_LE(found->distance, most + slack(most, step));
      ASSERT_GE(found->distance + slack(found->distance, step), before);
      before = found->distance;
    }
  }
}

// The bits of the device's fractions (module.cpp).
double leastSum(const WienerParameters& p) {
  const double along = (2 * p.search + 8) / p.step + 1;
  return std::exp2(-std::min(18.0, std::floor(31.0 - std::log2(along * along * p.group * 16.0))));
}

// In standard deviations. Each block's weight and deviation are rounded to whole numbers, by up to a half;
// the weight's sum of squares is cut off at 2^-16 for each of 64 frequencies, of at least 4; a value of f16
// may be rounded the other way; what clipping adds is within 0.001 at each end (clipping.glsl), times 1.15 at
// black; a driver's powers, before and after, are within 1e-5 of their values.
void expectPicture(const Image& device, const WienerResult& expected, const WienerValues& values,
                   const WienerParameters& p) {
  const Picture found = pictureOf(device);
  ASSERT_EQ(found.width, expected.picture.width);
  ASSERT_EQ(found.height, expected.picture.height);
  const double powers = 1e-4 + 2e-5 * largestOf(values.pilot.values);
  for (int y = 0; y < found.height; ++y) {
    for (int x = 0; x < found.width; ++x) {
      ASSERT_EQ(found.at(x, y)[3], expected.picture.at(x, y)[3]);
      const double* sums = expected.sums.at(x, y);
      const double whole = 0.5 * sums[0] / sums[1] * leastSum(p) * (1.0 + sums[2]);
      const double half = p.precision == Format::f16 ? halfStep(largestOf({values.pilot.at(x, y), 3})) : 0.0;
      // A colour is the sum of three of these values, times 1/sqrt(3), 1/sqrt(2) and 1/sqrt(6).
      const double squares = 2.0 * 64.0 / 65536.0 / 4.0 * sums[2];
      const double clipping = p.bounded ? 0.00215 : 0.001 * p.curve.clipped;
      const double bound = 1.7 * (whole + half + squares + clipping + powers);
      for (int c = 0; c < 3; ++c) {
        const double v = stabilised(p.curve, expected.picture.at(x, y)[c]) / p.curve.noise;
        const double error = std::abs(stabilised(p.curve, found.at(x, y)[c]) / p.curve.noise - v);
        ASSERT_LE(error, bound) << "pixel " << x << ", " << y << ", component " << c << ": "
                                << found.at(x, y)[c] << " instead of " << expected.picture.at(x, y)[c];
      }
    }
  }
}

void expectCase(const Image& input, const Image& pilot, const WienerParameters& p) {
  SCOPED_TRACE(fmt::format("{}x{}{}\n{}", input.type.extent.width, input.type.extent.height,
                           p.arrays ? ", noise in arrays" : "", p.text()));
  const MemoryGraph graph = wienerGraph(input, pilot, p);
  const WienerValues values = wienerValues(pictureOf(input), pictureOf(pilot), p);
  const Groups groups = groupsOnDevice(graph, p);
  expectNearest(groups, meansOfPilot(values), p);
  if (!testing::Test::HasFatalFailure())
    expectPicture(run(graph, "auto").at("out"), wiener(pictureOf(input), values, groups, p), values, p);
}

double sixDigits(double v) {
  return std::round(v * 1e6) / 1e6;
}

WienerParameters randomWiener(std::mt19937_64& random) {
  WienerParameters p;
  p.search = pick(random, 1, 12);
  p.spacing = pick(random, 1, 2);
  p.group = 1 << pick(random, 1, 5);
  p.step = pick(random, 2, 8);
  p.strength = sixDigits(uniform(random, 0.3, 2.0));
  p.curve = {sixDigits(uniform(random, 0.03, 0.2)), 0.0, 0.001, 0.0};
  return p;
}

void makeUneven(std::mt19937_64& random, WienerParameters& p) {
  p.curve.power = sixDigits(uniform(random, 0.1, 0.9));
  p.curve.offset = sixDigits(uniform(random, 0.001, 0.1));
  for (double* noise :
       {&p.levelNoise.fine, &p.levelNoise.coarse, &p.levelNoise.colourFine, &p.levelNoise.colourCoarse})
    *noise = sixDigits(uniform(random, 0.5, 3.0));
}

class WienerReference : public testing::TestWithParam<int> {};

TEST_P(WienerReference, Random) {
  constexpr Extent extents[] = {{1, 1}, {3, 2}, {17, 1}, {8, 8}, {9, 40}, {41, 9}, {127, 109}, {61, 73}};
  std::mt19937_64& random = testRandom();
  const int i = GetParam();
  WienerParameters p = randomWiener(random);
  if (extents[i].height == 1)
    p.step = pick(random, 4, 8);  // room for the places
  if (i % 2 == 1)
    makeUneven(random, p);
  p.precision = i % 4 < 2 ? Format::f32 : Format::f16;
  p.curve.clipped = i % 3 == 0 ? 1.0 : 0.0;
  p.bounded = i % 3 == 1;
  p.arrays = i % 4 > 1;
  const Image pilot = randomImage(random, Channels::rgba, Format::f32, extents[i], false);
  expectCase(withNoise(random, pilot, p), pilot, p);
}

INSTANTIATE_TEST_SUITE_P(Wiener, WienerReference, testing::Range(0, 8));

// In the noisy picture, in the pilot, in both at a pixel; colours that are far from the pilot's.
TEST(WienerReference, RandomValuesThatAreNotFinite) {
  std::mt19937_64& random = testRandom();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {std::nan(""), infinity, -infinity, 5.0, -4.0};
  WienerParameters p = randomWiener(random);
  Image pilot = randomImage(random, Channels::rgba, Format::f32, {53, 47}, false);
  Image input = withNoise(random, pilot, p);
  for (int i = 0; i < 40; ++i) {
    const auto x = static_cast<uint32_t>(pick(random, 0, 52)), y = static_cast<uint32_t>(pick(random, 0, 46));
    const int c = pick(random, 0, 2);
    if (i % 4 != 0)
      input.set(x, y, c, values[pick(random, 0, 4)]);
    if (i % 4 != 1)
      pilot.set(x, y, c, values[pick(random, 0, 4)]);
  }
  expectCase(input, pilot, p);
}

// All blocks of the pilot are equal; each is the first one of its group.
TEST(WienerReference, RandomNoiseAroundOneColour) {
  std::mt19937_64& random = testRandom();
  WienerParameters p = randomWiener(random);
  p.group = 8;
  Image pilot = makeImage(Channels::rgba, Format::f32, {31, 26});
  for (uint32_t i = 0; i < 31 * 26 * 4; ++i)
    pilot.set(i / 4 % 31, i / 4 / 31, static_cast<int>(i % 4), 0.25 + 0.125 * (i % 4));
  expectCase(withNoise(random, pilot, p), pilot, p);
}

}  // namespace
}  // namespace lacuna::test
