// motion-mean against its double-precision version, frame after frame: written from its README ('How it
// works').

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

#include "tests/reference/blocks.h"
#include "tests/reference/random_surfaces.h"
#include "tests/reference/svgf_surface.h"

namespace lacuna::test {
namespace {

constexpr int framesInAll = 9;

struct MeanSettings {
  size_t frames = 4;
  double depthTolerance = 0.1, normalTolerance = 0.8, albedoTolerance = 0.15, lightTolerance = 1.0;
};

struct KeptSample {
  bool there = false, moves = false;
  double light[3] = {}, albedo[3] = {}, motion[2] = {};
  SvgfSurface surface;
};
using KeptFrame = std::vector<KeptSample>;

struct MeanResult {
  Picture output, count, error;  // error: of light in halves, which a device may also round towards 0
};

// Of earlier frames, before they are weighed: their mean times d, and its error; luminance of light now and
// before.
struct PastMean {
  double colour[3] = {}, error[3] = {}, now = 0.0, before = 0.0;
  int count = 0;
  bool there = false;
};
using PastFrame = std::vector<PastMean>;

double greyOfLight(const double* light) {
  return 0.212639006 * light[0] + 0.715168679 * light[1] + 0.072192315 * light[2];
}

class MotionMeanReference {
 public:
  explicit MotionMeanReference(MeanSettings settings) : settings_(settings) {}

  MeanResult next(const SvgfFrame& frame) {
    const Picture& colour = frame.colour;
    const KeptFrame now = keptOf(frame);
    PastFrame past(now.size());
    for (int y = 0; y < colour.height; ++y)
      for (int x = 0; x < colour.width; ++x)
        past[placeOf(colour, x, y)] = pastOf(frame, now, x, y);
    earlier_.push_front(now);
    if (earlier_.size() > settings_.frames - 1)
      earlier_.pop_back();
    return mixed(colour, past, weightsOf(colour, past));
  }

 private:
  KeptFrame keptOf(const SvgfFrame& frame) const {
    const std::vector<SvgfSurface> surfaces =
        svgfSurfaces(frame, frame.hasAlbedo ? Emitters::turnedAround : Emitters::asTheyAre);
    KeptFrame kept(surfaces.size());
    for (size_t i = 0; i < kept.size(); ++i) {
      KeptSample& sample = kept[i];
      const double* radiance = &frame.colour.values[i * static_cast<size_t>(frame.colour.components)];
      double divisor[3];
      for (size_t c = 0; c < 3; ++c) {
        const double albedo = frame.hasAlbedo ? frame.albedo.values[3 * i + c] : 1.0;
        sample.albedo[c] = albedo > 0.0 ? std::min(albedo, 1.0) : 0.0;
      }
      svgfDivisor(sample.albedo, radiance, Format::f16, divisor);
      sample.there = std::all_of(radiance, radiance + 3, [](double v) { return std::isfinite(v); });
      for (int c = 0; c < 3; ++c)
        sample.light[c] = radiance[c] / divisor[c];
      std::copy_n(&frame.motion.values[2 * i], 2, sample.motion);
      sample.moves = !earlier_.empty() && !frame.cut && std::isfinite(sample.motion[0]) &&
                     std::isfinite(sample.motion[1]);
      sample.surface = surfaces[i];
    }
    return kept;
  }

  bool isSame(const SvgfSurface& now, const SvgfSurface& last) const {
    const double cosine =
        now.normal[0] * last.normal[0] + now.normal[1] * last.normal[1] + now.normal[2] * last.normal[2];
    return std::abs(last.depth - now.depth) <=
               settings_.depthTolerance * std::abs(now.depth) + 2.0 * now.slope &&
           cosine >= settings_.normalTolerance;
  }

  static size_t placeOf(const Picture& colour, int x, int y) {
    return static_cast<size_t>(y) * static_cast<size_t>(colour.width) + static_cast<size_t>(x);
  }

  PastMean pastOf(const SvgfFrame& frame, const KeptFrame& now, int x, int y) const {
    const Picture& colour = frame.colour;
    const KeptSample& own = now[placeOf(colour, x, y)];
    const KeptSample* last = &own;
    double place[2] = {static_cast<double>(x), static_cast<double>(y)}, sum[3] = {}, rounding[3] = {};
    PastMean past;
    for (const KeptFrame& before : earlier_) {
      if (!last->moves)
        break;
      for (int c = 0; c < 2; ++c)
        place[c] += last->motion[c];
      const int column = static_cast<int>(std::floor(place[0] + 0.5)),
                row = static_cast<int>(std::floor(place[1] + 0.5));
      if (!colour.contains(column, row) ||
          !isSame(last->surface, before[placeOf(colour, column, row)].surface))
        break;
      last = &before[placeOf(colour, column, row)];
      double difference = 0.0;
      for (int c = 0; c < 3; ++c)
        difference = std::max(difference, std::abs(last->albedo[c] - own.albedo[c]));
      if (!last->there || difference > settings_.albedoTolerance)
        continue;
      ++past.count;
      for (int c = 0; c < 3; ++c) {
        sum[c] += rounded(last->light[c], Format::f16);
        rounding[c] += std::max(std::abs(last->light[c]), 6.2e-5) / 1024.0;
      }
    }
    double divisor[3];
    svgfDivisor(own.albedo, colour.at(x, y), Format::f16, divisor);
    for (int c = 0; c < 3 && past.count > 0; ++c) {
      sum[c] /= past.count;
      past.colour[c] = sum[c] * divisor[c];
      past.error[c] = rounding[c] / past.count * divisor[c];
    }
    past.there = own.there;
    past.now = own.there ? greyOfLight(own.light) : 0.0;
    past.before = greyOfLight(sum);
    return past;
  }

  // Of blocks.
  Picture weightsOf(const Picture& colour, const PastFrame& past) const {
    const int columns = (colour.width + blockSide - 1) / blockSide,
              rows = (colour.height + blockSide - 1) / blockSide;
    Picture sums(columns, rows, 5), weights(columns, rows, 1);
    for (int y = 0; y < colour.height; ++y)
      for (int x = 0; x < colour.width; ++x) {
        const PastMean& p = past[placeOf(colour, x, y)];
        if (!p.there || p.count == 0)
          continue;
        double* sum = sums.at(x / blockSide, y / blockSide);
        const double terms[] = {1.0, p.now, p.before, p.now * p.now, static_cast<double>(p.count)};
        for (int c = 0; c < 5; ++c)
          sum[c] += terms[c];
      }
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        double around[5] = {}, squares = 0.0;
        for (int y = std::max(j - 2, 0); y <= std::min(j + 2, rows - 1); ++y)
          for (int x = std::max(i - 2, 0); x <= std::min(i + 2, columns - 1); ++x) {
            const double w = std::exp(-((x - i) * (x - i) + (y - j) * (y - j)) / 2.0);
            for (int c = 0; c < 5; ++c)
              around[c] += w * sums.at(x, y)[c];
            squares += w * w * sums.at(x, y)[0];
          }
        *weights.at(i, j) = weightOf(around, squares);
      }
    return weights;
  }

  double weightOf(const double* around, double squares) const {
    if (around[0] == 0.0)
      return 1.0;
    const double n = around[0], now = around[1] / n, before = around[2] / n;
    const double variance =
        std::max(around[3] / n - now * now, 0.0) * squares / (n * n) * (1.0 + n / around[4]);
    const double excess =
        (now - before) * (now - before) / std::max(variance * std::pow(settings_.lightTolerance, 2), 1e-30);
    return 1.0 / (1.0 + std::max(excess - 1.0, 0.0) / 2.0);
  }

  static MeanResult mixed(const Picture& colour, const PastFrame& past, const Picture& weights) {
    MeanResult result{colour, Picture(colour.width, colour.height, 1),
                      Picture(colour.width, colour.height, colour.components)};
    for (int y = 0; y < colour.height; ++y)
      for (int x = 0; x < colour.width; ++x) {
        const PastMean& p = past[placeOf(colour, x, y)];
        const double count = p.there ? between(weights, x, y, 0) * p.count : p.count;
        *result.count.at(x, y) = count + (p.there ? 1.0 : 0.0);
        const double share = p.there ? count / (1.0 + count) : 1.0;
        for (int c = 0; c < 3; ++c) {
          const double own = colour.at(x, y)[c], change = p.there ? p.colour[c] - own : 0.0;
          double& error = result.error.at(x, y)[c];
          error = 1e-5 * std::abs(own);
          if (p.count == 0)
            continue;
          result.output.at(x, y)[c] = p.there ? own + share * change : p.colour[c];
          // Sums over blocks in float move weights by less than 1e-3.
          error =
              share * p.error[c] + 1e-5 * (std::abs(own) + std::abs(p.colour[c])) + 1e-3 * std::abs(change);
          if (!p.there)
            error = p.error[c] + 1e-5 * std::abs(p.colour[c]);
        }
      }
    return result;
  }

  MeanSettings settings_;
  std::deque<KeptFrame> earlier_;
};

// Halves hold these values, and float sums of them are exact: rounding decides nothing.
void coarsen(Image& image) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y)
    for (uint32_t x = 0; x < image.type.extent.width; ++x)
      for (int c = 0; c < componentCount(image.type.channels); ++c)
        image.set(x, y, c, std::round(64.0 * image.at(x, y, c)) / 64.0);
}

class MotionMeanCase : public testing::TestWithParam<int> {};

TEST_P(MotionMeanCase, RandomFramesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  RandomSurfaces scene(random, extent);
  MeanSettings settings;
  settings.frames = static_cast<size_t>(GetParam() == 3 ? 8 : pick(random, 1, 8));
  settings.depthTolerance = uniform(random, 0.05, 0.2);
  settings.normalTolerance = uniform(random, 0.3, 0.7);
  settings.albedoTolerance = uniform(random, 0.1, 0.6);
  settings.lightTolerance = uniform(random, 0.2, 3.0);
  std::vector<std::string> planes = {"motion"};
  for (const char* name : {"albedo", "normal", "depth"})
    if (GetParam() == 2 || pick(random, 0, 3) > 0)
      planes.emplace_back(name);
  const auto nextFrame = [&] {
    std::map<std::string, Image> all = scene.frame(false), images{{"in", all.at("in")}};
    for (const std::string& name : planes)
      images[name] = all.at(name);
    coarsen(images.at("motion"));
    if (images.contains("albedo"))
      coarsen(images.at("albedo"));
    const auto anywhere = [&] {
      return std::array{pick(random, 0, static_cast<int>(extent.width) - 1),
                        pick(random, 0, static_cast<int>(extent.height) - 1)};
    };
    for (const char* name : {"in", "motion"}) {
      const auto [x, y] = anywhere();
      images.at(name).set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 1,
                          pick(random, 0, 1) == 0 ? std::nan("") : std::numeric_limits<double>::infinity());
    }
    return images;
  };
  const int cut = pick(random, 2, framesInAll - 2);
  std::map<std::string, Image> images = nextFrame();
  std::string text = fmt::format(
      "frames:{}\nmotion-mean:01:count o-memory:count\nparam:motion-mean:01:frames:{}\n"
      "param:motion-mean:01:depth_tolerance:{:.9f}\nparam:motion-mean:01:normal_tolerance:{:.9f}\n"
      "param:motion-mean:01:albedo_tolerance:{:.9f}\nparam:motion-mean:01:light_tolerance:{:.9f}\nkeyframe:{}"
      ":motion-mean:01:cut:false\n"
      "keyframe:{}:motion-mean:01:cut:true\nkeyframe:{}:motion-mean:01:cut:false\n",
      framesInAll, settings.frames, settings.depthTolerance, settings.normalTolerance,
      settings.albedoTolerance, settings.lightTolerance, cut - 1, cut, cut + 1);
  for (const std::string& name : planes)
    text += fmt::format("i-memory:{0} {0}=motion-mean\n", name);
  MemoryGraph graph = graphAround("motion-mean", images.at("in"), text);
  graph.sources = images;
  SCOPED_TRACE(graph.text);
  MotionMeanReference reference(settings);
  MemoryRun device(graph, "auto");
  double most = 0.0;
  for (int number = 0; number < framesInAll; ++number) {
    SCOPED_TRACE(fmt::format("frame {}", number));
    device.bring(images);
    device.compute(number);
    SvgfFrame frame = frameOf(images);
    frame.cut = number == cut;
    const MeanResult wanted = reference.next(frame);
    const std::map<std::string, Image> found = device.results();
    const Deviation counts = relativeDeviation(found.at("count"), wanted.count);
    EXPECT_LE(counts.worst, 1e-3) << counts.where;
    expectWithinError(found.at("out"), wanted.output, wanted.error);
    if (number == 0 || number == cut)
      EXPECT_EQ(found.at("out").words, images.at("in").words);
    most = std::max(most, largestOf(wanted.count.values));
    images = nextFrame();
  }
  if (extent.width > 100 && settings.frames > 2)
    EXPECT_GT(most, 2.0) << "earlier frames count";
}

INSTANTIATE_TEST_SUITE_P(MotionMean, MotionMeanCase, testing::Range(0, 6));

// A surface that moves by whole pixels: all earlier samples are found, and no value is interpolated. In the
// last frame it is as bright as before, or four times as bright: then its noise shows the difference.
std::array<double, 2> lastOfMoving(double factor) {
  const Extent extent{64, 48};
  const int steps[] = {0, 3, -2, 4, 1};  // of each frame; uneven, so that one frame's motion isn't another's
  const auto frameOfStep = [&](int number, int shift) {
    std::map<std::string, Image> images{{"in", makeImage(Channels::rgba, Format::f32, extent)},
                                        {"motion", makeImage(Channels::mv, Format::f32, extent)}};
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x) {
        const int place = static_cast<int>(x) - shift;  // of the surface
        for (int c = 0; c < 3; ++c)
          images.at("in").set(x, y, c, (16.0 * (place & 15) + number + 256.0) * (number == 4 ? factor : 1.0));
        images.at("motion").set(x, y, 0, -steps[number]);
      }
    return images;
  };
  MemoryGraph graph =
      graphAround("motion-mean", frameOfStep(0, 0).at("in"),
                  "frames:5\nparam:motion-mean:01:frames:4\ni-memory:motion motion=motion-mean\n"
                  "motion-mean:01:count o-memory:count\n");
  graph.sources = frameOfStep(0, 0);
  MemoryRun device(graph, "auto");
  int shift = 0;
  for (int number = 0; number < 5; ++number) {
    shift += steps[number];
    device.bring(frameOfStep(number, shift));
    device.compute(number);
  }
  return {device.results().at("out").at(32, 24, 0) - 16.0 * ((32 - shift) & 15) - 256.0,
          device.results().at("count").at(32, 24, 0)};
}

TEST(MotionMean, FollowsMotionFromFrameToFrame) {
  const auto [mean, count] = lastOfMoving(1.0);
  EXPECT_EQ(mean, 2.5) << "of frames 1 to 4, at one place of the surface";
  EXPECT_EQ(count, 4.0);
}

TEST(MotionMean, LightThatChangedDoesNotLag) {
  EXPECT_LT(lastOfMoving(4.0)[1], 1.05);
}

}  // namespace
}  // namespace lacuna::test
