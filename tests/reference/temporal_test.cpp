// firefly, reproject and taa on the device against their double-precision versions, frame after frame.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/random_surfaces.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

constexpr int temporalFrames = 5;

using Images = std::map<std::string, Image>;

// Some pixels are NaN or infinite, some are much brighter than others.
void spoil(std::mt19937_64& random, Image& image) {
  const Extent e = image.type.extent;
  for (uint32_t n = 0; n <= e.width * e.height / 50; ++n) {
    const auto x = static_cast<uint32_t>(random() % e.width);
    const auto y = static_cast<uint32_t>(random() % e.height);
    const int c = pick(random, 0, 2);
    const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(), 30.0 * image.at(x, y, c)};
    image.set(x, y, c, bad[pick(random, 0, 2)]);
  }
}

// Sources of all images, connected to the inputs of `module` with their names, except `in`.
MemoryGraph graphOf(const std::string& module, const Images& images, const std::string& parameters) {
  std::string text = fmt::format("frames:{}\n{}", temporalFrames, parameters);
  for (const auto& [name, image] : images)
    if (name != "in")
      text += fmt::format("i-memory:{0} {0}={1}\n", name, module);
  MemoryGraph graph = graphAround(module, images.at("in"), text);
  graph.sources = images;
  return graph;
}

void expectClose(const Image& device, const Picture& reference, const std::string& what) {
  const Deviation d = relativeDeviation(device, reference);
  EXPECT_LE(d.worst, 1e-3) << what << ", " << d.where;
}

// With ties, rounding decides which neighbour fills a missing pixel.
void settleTies(Image& image) {
  for (auto ties = fireflyTies(pictureOf(image)); !ties.empty(); ties = fireflyTies(pictureOf(image))) {
    for (const auto& [x, y] : ties)
      for (int c = 0; c < 3; ++c)
        image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c, 0.25);
  }
}

// Of neighbours that are equally near the first counts.
void settleDepths(Image& image) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y)
    for (uint32_t x = 0; x < image.type.extent.width; ++x)
      image.set(x, y, 0, std::round(image.at(x, y, 0)));
}

class TemporalReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = extentOfCase(GetParam(), random_);
};

TEST_P(TemporalReference, Firefly) {
  Image image = randomImage(random_, Channels::rgba, Format::f32, extent_, false);
  spoil(random_, image);
  settleTies(image);
  const double factor = uniform(random_, 1.0, 3.0);
  const auto graph = graphAround("firefly", image, fmt::format("param:firefly:01:factor:{:.9f}\n", factor));
  expectAgrees(run(graph, "auto").at("out"), fireflyReference(pictureOf(image), factor));
}

TEST_P(TemporalReference, Reproject) {
  ReprojectParameters p;
  p.history = pick(random_, 2, 6);
  p.depthTolerance = uniform(random_, 0.05, 0.2);
  p.normalTolerance = uniform(random_, 0.3, 0.7);
  p.reach = pick(random_, 0, 1) == 0 ? 0 : 1;
  const bool withId = pick(random_, 0, 1) == 1;
  RandomSurfaces scene(random_, extent_);
  const auto nextFrame = [&] {
    Images images = scene.frame(withId);
    images.erase("albedo");
    spoil(random_, images.at("in"));
    return images;
  };
  Images images = nextFrame();
  MemoryGraph graph =
      graphOf("reproject", images,
              fmt::format("reproject:01:length o-memory:length\nreproject:01:mask o-memory:mask\n"
                          "param:reproject:01:history:{}\nparam:reproject:01:depth_tolerance:{:.9f}\n"
                          "param:reproject:01:normal_tolerance:{:.9f}\nparam:reproject:01:reach:{}\n",
                          p.history, p.depthTolerance, p.normalTolerance, p.reach));
  SCOPED_TRACE(graph.text);
  ReprojectReference reference(p);
  MemoryRun device(graph, "auto");
  for (int frame = 0; frame < temporalFrames; ++frame) {
    device.bring(images);
    device.compute(frame);
    SvgfFrame geometry;
    geometry.normal = pictureOf(images.at("normal"));
    geometry.depth = pictureOf(images.at("depth"));
    geometry.motion = pictureOf(images.at("motion"));
    if (withId)
      geometry.id = pictureOf(images.at("id"));
    const Reprojected wanted = reference.next(geometry, pictureOf(images.at("in")));
    const Images found = device.results();
    expectClose(found.at("out"), wanted.output, fmt::format("frame {}", frame));
    expectClose(found.at("length"), wanted.length, fmt::format("length, frame {}", frame));
    expectClose(found.at("mask"), wanted.mask, fmt::format("mask, frame {}", frame));
    images = nextFrame();
  }
}

TEST_P(TemporalReference, Taa) {
  TaaParameters p;
  p.blend = uniform(random_, 0.05, 0.5);
  p.gamma = uniform(random_, 0.5, 2.0);
  p.catmullRom = pick(random_, 0, 1) == 1;
  const bool withDepth = pick(random_, 0, 1) == 1;
  RandomSurfaces scene(random_, extent_);
  const auto nextFrame = [&] {
    Images all = scene.frame(false);
    Images images{{"in", all.at("in")}, {"motion", all.at("motion")}};
    if (withDepth) {
      images["depth"] = all.at("depth");
      settleDepths(images.at("depth"));
    }
    spoil(random_, images.at("in"));
    return images;
  };
  Images images = nextFrame();
  const MemoryGraph graph =
      graphOf("taa", images,
              fmt::format("param:taa:01:blend:{:.9f}\nparam:taa:01:gamma:{:.9f}\nparam:taa:01:sampling:{}\n",
                          p.blend, p.gamma, p.catmullRom ? "catmull-rom" : "bilinear"));
  SCOPED_TRACE(graph.text);
  TaaReference reference(p);
  MemoryRun device(graph, "auto");
  for (int frame = 0; frame < temporalFrames; ++frame) {
    device.bring(images);
    device.compute(frame);
    std::optional<Picture> depth;
    if (withDepth)
      depth = pictureOf(images.at("depth"));
    const Image found = device.results().at("out");
    const Picture wanted = reference.next(pictureOf(images.at("in")), pictureOf(images.at("motion")), depth);
    SCOPED_TRACE(fmt::format("frame {}", frame));
    expectWithinError(found, wanted, reference.error());
    expectSmall(reference.error(), wanted);
    // So that roundings of frames do not add up.
    reference.remember(pictureOf(found));
    images = nextFrame();
  }
}

INSTANTIATE_TEST_SUITE_P(Random, TemporalReference, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
