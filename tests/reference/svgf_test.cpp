// svgf on the device against its double-precision version, frame after frame: 1e-3 relative in f32.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/reference/files.h"
#include "tests/reference/svgf_surface.h"

namespace lacuna::test {
namespace {

constexpr int frames = 7;  // past those of short history

// A number that rounding up or down by some units in the last place leaves alone.
bool isClear(float code) {
  const float part = code - std::floor(code);
  return part > 0.001F && part < 0.999F;
}

// Two surfaces that meet at an edge, rough and sloped, with holes, seen by a camera that moves a little.
class RandomScene {
 public:
  RandomScene(std::mt19937_64& random, Extent extent) : random_(random), extent_(extent) {
    edge_ = uniform(random, 0.2, 0.8) * extent.width;
    for (Side& side : sides_) {
      for (double& c : side.normal) {
        c = uniform(random, -1.0, 1.0);
      }
      side.depth = uniform(random, 0.5, 20.0);
      side.slope = uniform(random, 0.0, 0.02) * side.depth;
      side.id = uniform(random, 0.0, 1000.0);
    }
  }

  std::map<std::string, Image> frame(bool withId) {
    const double shift[2] = {uniform(random_, -2.0, 2.0), uniform(random_, -2.0, 2.0)};
    const Extent e = extent_;
    std::map<std::string, Image> images;
    images["in"] = randomImage(random_, Channels::rgba, Format::f32, e, pick(random_, 0, 1) == 1);
    images["albedo"] = makeImage(Channels::rgb, Format::f32, e, ColourTag::data);
    images["normal"] = makeImage(Channels::normal, Format::f32, e, ColourTag::data);
    images["depth"] = makeImage(Channels::depth, Format::f32, e, ColourTag::data);
    images["motion"] = makeImage(Channels::mv, Format::f32, e, ColourTag::data);
    if (withId) {
      images["id"] = makeImage(Channels::y, Format::f32, e, ColourTag::data);
    }
    for (uint32_t y = 0; y < e.height; ++y) {
      for (uint32_t x = 0; x < e.width; ++x) {
        setPixel(images, x, y, shift);
      }
    }
    return images;
  }

 private:
  struct Side {
    double normal[3];
    double depth, slope, id;
  };

  void setPixel(std::map<std::string, Image>& images, uint32_t x, uint32_t y, const double shift[2]) {
    const Side& side = sides_[x < edge_ ? 0 : 1];
    const bool hole = pick(random_, 0, 99) == 0;
    const bool black = pick(random_, 0, 19) == 0;
    for (int c = 0; c < 3; ++c) {
      images.at("albedo").set(x, y, c, black ? 0.0 : uniform(random_, -0.1, 1.2));
    }
    setNormal(images.at("normal"), x, y, side, hole);
    const double rough = uniform(random_, 0.0, 0.01 * side.depth);
    images.at("depth").set(x, y, 0, hole ? std::nan("") : side.depth + side.slope * (x + 0.5 * y) + rough);
    for (int c = 0; c < 2; ++c) {
      const bool whole = pick(random_, 0, 3) == 0;
      const double motion = shift[c] + uniform(random_, -0.1, 0.1);
      // Near whole numbers rounding decides which pixels are tapped; whole ones are exact.
      const double part = motion - std::floor(motion);
      images.at("motion").set(x, y, c, whole || part < 0.01 || part > 0.99 ? std::round(motion) : motion);
    }
    if (images.count("id") > 0) {
      images.at("id").set(x, y, 0, side.id);
    }
  }

  void setNormal(Image& image, uint32_t x, uint32_t y, const Side& side, bool hole) {
    float codes[2] = {};
    do {
      double stored[3];
      for (int c = 0; c < 3; ++c) {
        image.set(x, y, c, hole ? 0.0 : side.normal[c] + uniform(random_, -0.1, 0.1));
        stored[c] = image.at(x, y, c);
      }
      svgfNormalCodes(stored, codes);
    } while (!hole && !(isClear(codes[0]) && isClear(codes[1])));
  }

  std::mt19937_64& random_;
  Extent extent_;
  double edge_;
  Side sides_[2];
};

SvgfFrame frameOf(const std::map<std::string, Image>& images) {
  SvgfFrame frame;
  frame.colour = pictureOf(images.at("in"));
  frame.albedo = pictureOf(images.at("albedo"));
  frame.normal = pictureOf(images.at("normal"));
  frame.depth = pictureOf(images.at("depth"));
  frame.motion = pictureOf(images.at("motion"));
  if (images.count("id") > 0) {
    frame.id = pictureOf(images.at("id"));
  }
  return frame;
}

MemoryGraph graphOf(const std::map<std::string, Image>& images, const SvgfParameters& parameters) {
  std::string text = fmt::format("frames:{}\n", frames) + parameters.text();
  for (const auto& [name, image] : images) {
    if (name != "in") {
      text += fmt::format("module:i-memory:{0}\nconnect:i-memory:{0}:output:svgf:01:{0}\n", name);
    }
  }
  MemoryGraph graph = graphAround("svgf", images.at("in"), text);
  graph.sources = images;
  return graph;
}

SvgfParameters randomParameters(std::mt19937_64& random) {
  SvgfParameters p;
  p.levels = pick(random, 1, 5);
  p.history = pick(random, 2, 16);
  p.historyLevel = pick(random, 0, p.levels - 1);
  p.sigmaLuminance = uniform(random, 1.0, 8.0);
  p.sigmaNormal = uniform(random, 1.0, 128.0);
  p.sigmaDepth = uniform(random, 0.2, 4.0);
  p.depthTolerance = uniform(random, 0.05, 0.2);
  p.normalTolerance = uniform(random, 0.3, 0.7);
  p.firefly = pick(random, 0, 1) == 0 ? 0.0 : uniform(random, 1.0, 3.0);
  return p;
}

void expectFrameAgrees(const Image& device, const Picture& reference, Format precision, int frame) {
  const Deviation d = relativeDeviation(device, reference);
  if (precision == Format::f32) {
    EXPECT_LE(d.worst, 1e-3) << "frame " << frame << ", " << d.where;
    return;
  }
  // A rounding that falls the other way moves weights of even surroundings, and what follows from it.
  const Deviation steps = halfDeviation(device, reference);
  EXPECT_LE(d.worst, 0.05) << "frame " << frame << ", " << d.where;
  EXPECT_LE(static_cast<double>(steps.beyond), 0.02 * static_cast<double>(steps.count))
      << "frame " << frame << ": so many values are more than a step of half off, most " << steps.where;
}

class SvgfReferenceTest : public testing::TestWithParam<int> {};

TEST_P(SvgfReferenceTest, RandomGeometry) {
  std::mt19937_64 random(testSeed() + 2300 + static_cast<uint64_t>(GetParam()));
  const Extent extent = extentOfCase(GetParam(), random);
  SvgfParameters parameters = randomParameters(random);
  const bool withId = pick(random, 0, 1) == 1;
  RandomScene scene(random, extent);
  auto images = scene.frame(withId);
  SCOPED_TRACE(fmt::format("{}x{}\n{}", extent.width, extent.height, parameters.text()));
  SvgfReference reference(parameters);
  MemoryRun device(graphOf(images, parameters), "auto");
  for (int frame = 0; frame < frames; ++frame) {
    device.bring(images);
    device.compute(frame);
    expectFrameAgrees(device.results().at("out"), reference.next(frameOf(images)), Format::f32, frame);
    images = scene.frame(withId);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SvgfReferenceTest, testing::Range(0, 4));

// Frames 1 to 4 of a sequence of the shared data folder, by another renderer. Skipped where it is missing.
class RenderedSequence : public testing::Test {
 protected:
  static std::string file(int frame) {
    return fmt::format("{}/../../shared/data/renders/seq/noisy_{:02}.exr", testFolder(), frame);
  }
  void SetUp() override {
    if (!std::filesystem::exists(file(1)))
      GTEST_SKIP() << "no shared data beside the repository";
  }

  // Delivered as i-exr delivers it, y of motion turned downwards.
  static std::map<std::string, Image> load(int frame) {
    MemoryGraph graph;
    graph.text = fmt::format(
        "lacuna:1\nmodule:i-exr:01\nparam:i-exr:01:filename:\"{}\"\n"
        "param:i-exr:01:motion_scale:1:-1\n",
        file(frame));
    for (const auto& [output, name] :
         {std::pair("output", "in"), std::pair("albedo", "albedo"), std::pair("normal", "normal"),
          std::pair("depth", "depth"), std::pair("motion", "motion")}) {
      graph.text +=
          fmt::format("module:o-memory:{1}\nconnect:i-exr:01:{0}:o-memory:{1}:input\n", output, name);
    }
    return runFiles(graph);
  }
};

TEST_F(RenderedSequence, AgreesInFloatAndHalf) {
  for (const Format precision : {Format::f32, Format::f16}) {
    SvgfParameters parameters;
    parameters.precision = precision;
    SvgfReference reference(parameters);
    std::unique_ptr<MemoryRun> device;
    for (int frame = 0; frame < 3; ++frame) {
      const auto images = load(frame + 1);
      if (frame == 0) {
        device = std::make_unique<MemoryRun>(graphOf(images, parameters), "auto");
      }
      device->bring(images);
      device->compute(frame);
      expectFrameAgrees(device->results().at("out"), reference.next(frameOf(images)), precision, frame);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
