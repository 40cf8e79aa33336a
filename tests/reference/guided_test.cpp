// atrous-guided on the device against its double-precision version.
// f32, any levels: 1e-4 relative. f16 of one level: one step of half.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/reference/reference.h"
#include "tests/references/guided.h"

namespace lacuna::test {
namespace {

// The two coordinates of a normal, away from the middle between two codes, where rounding decides.
bool packsClearly(const double* normal) {
  double coordinates[2];
  octahedral(normal, coordinates);
  const auto clear = [](double c) { return std::abs(c - std::floor(c) - 0.5) > 0.02; };
  return clear(coordinates[0]) && clear(coordinates[1]);
}

// Two surfaces with some roughness, that meet at an edge, in all directions and of any length; some pixels
// have none.
Image randomNormals(std::mt19937_64& random, Extent extent, Format format) {
  Image image = makeImage(Channels::normal, format, extent, ColourTag::data);
  const double edge = uniform(random, 0.2, 0.8) * extent.width;
  double surfaces[2][3];
  for (auto& surface : surfaces)
    for (double& c : surface)
      c = uniform(random, -1.0, 1.0);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const bool none = pick(random, 0, 99) == 0;
      double stored[3] = {};
      do {
        for (int c = 0; c < 3; ++c) {
          const double n = surfaces[x < edge ? 0 : 1][c] + uniform(random, -0.1, 0.1);
          image.set(x, y, c, none ? 0.0 : n);
          stored[c] = image.at(x, y, c);
        }
      } while (!none && !packsClearly(stored));
    }
  }
  return image;
}

Image randomDepths(std::mt19937_64& random, Extent extent) {
  Image image = makeImage(Channels::depth, Format::f32, extent, ColourTag::data);
  const double near = uniform(random, 0.5, 20.0);
  const double slope = uniform(random, 0.0, 0.02) * near;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const int kind = pick(random, 0, 99);
      image.set(x, y, 0,
                kind == 0   ? std::nan("")
                : kind == 1 ? INFINITY
                            : near + slope * (x + 0.5 * y) + uniform(random, 0.0, 0.01));
    }
  }
  return image;
}

GuidedParameters randomGuidedParameters(std::mt19937_64& random, int levels, Format precision) {
  GuidedParameters p;
  p.levels = levels;
  p.sigmaLuminance = uniform(random, 0.5, 8.0);
  p.sigmaNormal = uniform(random, 1.0, 128.0);
  p.sigmaDepth = uniform(random, 0.005, 0.2);
  p.precision = precision;
  return p;
}

MemoryGraph graphOf(const Image& colour, const Image& normal, const Image& depth, const GuidedParameters& p) {
  MemoryGraph graph =
      graphAround("atrous-guided", colour,
                  "i-memory:normal normal=atrous-guided\ni-memory:depth depth=atrous-guided\n" + p.text());
  graph.sources["normal"] = normal;
  graph.sources["depth"] = depth;
  return graph;
}

// Only schedules whose shaders compile fast: three rows of 7x7 taps and more take seconds a level, and equal
// the others. One for each run, so that each level's pipeline compiles once for all images.
std::string randomGuidedSchedule() {
  std::mt19937_64 random = sharedRandom("guided");
  auto all = allSchedules(false);
  std::erase_if(all, [](const StencilSchedule& schedule) { return schedule.rows > 2; });
  return print(all[static_cast<size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))]);
}

// A rounding that falls the other way in an early level moves its neighbours of later levels. Mostly that is
// a part of a step; but in even surroundings the luminance weight falls off within a few steps, so one step
// in the centre changes weights much: 32 steps are 3% of the value.
void expectChainAgrees(const Image& device, const Picture& reference, int levels) {
  const Deviation steps = halfDeviation(device, reference);
  EXPECT_LE(steps.worst, levels == 1 ? 1.0 : 32.0) << "steps of half, " << steps.where;
  EXPECT_LE(static_cast<double>(steps.beyond), 1e-3 * static_cast<double>(steps.count))
      << "of " << steps.count << " values are more than one step off, most " << steps.where;
}

void expectGuidedAgrees(std::mt19937_64& random, Extent extent, const GuidedParameters& p) {
  const Image colour = randomImage(random, Channels::rgba, p.precision, extent, false);
  const Image normal = randomNormals(random, extent, p.precision);
  const Image depth = randomDepths(random, extent);
  const Picture reference = guided({pictureOf(colour), pictureOf(normal), pictureOf(depth)}, p);
  std::vector<std::string> schedules = {"auto"};
  // Further levels differ only in their distances, and tests/schedule compares them.
  if (p.levels <= 2)
    schedules.push_back(randomGuidedSchedule());
  for (const std::string& schedule : schedules) {
    SCOPED_TRACE(fmt::format("{}: {}x{}\n{}", schedule, extent.width, extent.height, p.text()));
    const Image device = run(graphOf(colour, normal, depth, p), schedule).at("out");
    if (p.precision == Format::f32)
      expectAgrees(device, reference);
    else
      expectChainAgrees(device, reference, p.levels);
  }
}

class GuidedReference : public testing::TestWithParam<int> {};

TEST_P(GuidedReference, Float) {
  std::mt19937_64& random = testRandom();
  const int levels = GetParam() == 2 ? 4 : pick(random, 1, 2);
  const Extent extent = extentOfCase(GetParam(), random);
  expectGuidedAgrees(random, extent, randomGuidedParameters(random, levels, Format::f32));
}

TEST_P(GuidedReference, HalfOfOneLevel) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  expectGuidedAgrees(random, extent, randomGuidedParameters(random, 1, Format::f16));
}

INSTANTIATE_TEST_SUITE_P(Random, GuidedReference, testing::Range(0, 4));

TEST(GuidedReference, RandomHalfOfManyLevels) {
  std::mt19937_64& random = testRandom();
  expectGuidedAgrees(random, {127, 251}, randomGuidedParameters(random, 3, Format::f16));
}

}  // namespace
}  // namespace lacuna::test
