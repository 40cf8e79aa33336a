// taa where roundings decide or grow: each case is a reduced version of a failure of random frames.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/reference.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

using Images = std::map<std::string, Image>;

Image even(Extent extent, double r, double g, double b) {
  Image image = makeImage(Channels::rgba, Format::f32, extent);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      image.set(x, y, 0, r);
      image.set(x, y, 1, g);
      image.set(x, y, 2, b);
    }
  }
  return image;
}

Image motionOf(Extent extent, double dx, double dy) {
  Image image = makeImage(Channels::mv, Format::f32, extent, ColourTag::data);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      image.set(x, y, 0, dx);
      image.set(x, y, 1, dy);
    }
  }
  return image;
}

struct Held {
  Image found;
  Picture wanted, error;
};

// Runs two frames, compares each with the reference, and returns the second one's result.
Held afterTwo(const Images& first, const Images& second, const TaaParameters& p) {
  MemoryGraph graph = graphAround(
      "taa", first.at("in"),
      fmt::format("frames:2\ni-memory:motion motion=taa\nparam:taa:01:blend:{}\nparam:taa:01:gamma:{}\n"
                  "param:taa:01:sampling:{}\n",
                  p.blend, p.gamma, p.catmullRom ? "catmull-rom" : "bilinear"));
  graph.sources = first;
  TaaReference reference(p);
  MemoryRun device(graph, "auto");
  Held last;
  for (int frame = 0; frame < 2; ++frame) {
    const Images& images = frame == 0 ? first : second;
    device.bring(images);
    device.compute(frame);
    const Image found = device.results().at("out");
    SCOPED_TRACE(fmt::format("frame {}\n{}", frame, graph.text));
    const Picture wanted = reference.next(pictureOf(images.at("in")), pictureOf(images.at("motion")), {});
    expectWithinError(found, wanted, reference.error());
    reference.remember(pictureOf(found));
    last = {found, wanted, reference.error()};
  }
  return last;
}

// Pixel 1 of 2 moves by .5 and a little: 1.5 in float, which is on the border and has history, or more.
TEST(TaaCases, HistoryAtTheBorderIsFoundInFloat) {
  const Extent extent{2, 1};
  Image now = even(extent, 0.5, 0.6, 0.7);
  now.set(0, 0, 0, 0.1);
  const Images first{{"in", even(extent, 0.3, 0.3, 0.3)}, {"motion", motionOf(extent, 0.0, 0.0)}};
  const double least = std::nextafter(0.5F, 1.0F);
  const Image rounded = afterTwo(first, {{"in", now}, {"motion", motionOf(extent, least, 0.0)}}, {}).found;
  EXPECT_NE(rounded.at(1, 0, 1), now.at(1, 0, 1));
  const Image beyond =
      afterTwo(first, {{"in", now}, {"motion", motionOf(extent, 0.5 + 0x1p-23, 0.0)}}, {}).found;
  EXPECT_EQ(beyond.at(1, 0, 1), now.at(1, 0, 1));
}

// Two colours that differ by 1 in 1000: mean of squares less squared mean would leave nothing of their
// deviation.
TEST(TaaCases, BoxOfNearlyEvenPixels) {
  const Extent extent{2, 1};
  Image now = even(extent, 0.713794, 0.543728, 0.562656);
  for (int c = 0; c < 3; ++c)
    now.set(1, 0, c, now.at(0, 0, c) * (1.0 + 0.0005 * (c + 1)));
  for (const double gamma : {0.5, 1.25, 4.0}) {
    TaaParameters p;
    p.gamma = gamma;
    afterTwo({{"in", even(extent, 0.2, 0.9, 0.4)}, {"motion", motionOf(extent, 0.0, 0.0)}},
             {{"in", now}, {"motion", motionOf(extent, 0.0, 0.0)}}, p);
  }
}

// The box is 1e-6 to either side in each of Y's components, 3e-6 in r, g and b; T^-1 takes that times (1 + L)
// (1 + c), at most 4 for colours up to 1; roundings are some 1e-7.
TEST(TaaCases, EvenPixelsKeepNothingOfHistory) {
  const Extent extent{3, 3};
  MemoryGraph graph = graphAround("taa", even(extent, 0.1, 0.2, 0.3),
                                  "frames:41\ni-memory:motion motion=taa\nparam:taa:01:gamma:4\n");
  graph.sources["motion"] = motionOf(extent, 0.0, 0.0);
  MemoryRun device(graph, "auto");
  device.compute(0);
  for (int frame = 1; frame <= 40; ++frame) {
    const double level = frame % 2 == 0 ? 0.0125 * frame : 1.0 - 0.0125 * frame;
    const Image now = even(extent, level, 0.8 * level, 0.6 * level);
    device.bring({{"in", now}});
    device.compute(frame);
    const Deviation d =
        deviation(device.results().at("out"), pictureOf(now), [](int, int, int, double) { return 1.3e-5; });
    EXPECT_LE(d.worst, 1.0) << "level " << level << ", " << d.where;
  }
}

// A Catmull-Rom weight is -.07: pixel 1's history is -4000, which counts as 0, without rounding errors of
// thousands.
TEST(TaaCases, HistoryBelowZeroIsNone) {
  const Extent extent{4, 1};
  Image before = even(extent, 0.7, 0.9, 0.8);
  for (int c = 0; c < 3; ++c)
    before.set(0, 0, c, 60000.0);
  Image now = even(extent, 0.6, 0.5, 0.4);
  now.set(2, 0, 0, 0.0);
  const Held held = afterTwo({{"in", before}, {"motion", motionOf(extent, 0.0, 0.0)}},
                             {{"in", now}, {"motion", motionOf(extent, 0.3, 0.0)}}, {});
  for (size_t c = 0; c < 3; ++c)
    EXPECT_LT(held.error.at(1, 0)[c], 1e-4);
}

// A missing pixel takes a history of 60000, whose T is 1 - 2e-5: T^-1 divides by the remainder, and magnifies
// roundings as much.
TEST(TaaCases, BrightHistory) {
  const Extent extent{5, 5};
  Image before = even(extent, 0.7, 0.9, 0.8);
  before.set(2, 2, 1, 60000.0);
  Image now = before;
  now.set(2, 2, 1, std::nan(""));
  now.set(1, 2, 1, 60000.0);
  TaaParameters p;
  p.gamma = 1.61709;
  for (const double motion : {0.0, 0.011, 0.5}) {
    for (const bool catmullRom : {true, false}) {
      p.catmullRom = catmullRom;
      afterTwo({{"in", before}, {"motion", motionOf(extent, 0.0, 0.0)}},
               {{"in", now}, {"motion", motionOf(extent, motion, -motion)}}, p);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
