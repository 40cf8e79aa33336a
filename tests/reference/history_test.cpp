// Temporal nodes against consequences of their definition: running means where nothing moves, shifts by
// whole pixels, camera cuts, missing values. (Other tests compare their full formulas with CPU versions.)

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

using Frame = std::map<std::string, Image>;  // by names of sources, or of sinks

std::vector<Frame> runFrames(MemoryGraph graph, const std::vector<Frame>& frames) {
  graph.sources = frames.front();
  MemoryRun run(graph, "auto");
  std::vector<Frame> results;
  for (size_t f = 0; f < frames.size(); ++f) {
    run.bring(frames[f]);
    run.compute(static_cast<int>(f));
    results.push_back(run.results());
  }
  return results;
}

Image randomPlane(std::mt19937_64& random, Channels channels, Extent extent, double from, double to) {
  Image image = makeImage(channels, Format::f32, extent,
                          channels == Channels::rgba ? ColourTag::rec709 : ColourTag::data);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x)
      for (int c = 0; c < componentCount(channels); ++c)
        image.set(x, y, c, uniform(random, from, to));
  }
  return image;
}

Image constantPlane(Channels channels, Extent extent, std::initializer_list<double> values) {
  Image image = makeImage(channels, Format::f32, extent, ColourTag::data);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x)
      for (int c = 0; const double value : values)
        image.set(x, y, c++, value);
  }
  return image;
}

// out(x, y) = in(x + dx, y + dy), with pixels outside as in `fresh`.
Image shifted(const Image& in, const Image& fresh, int dx, int dy) {
  Image out = fresh;
  const Extent e = in.type.extent;
  for (int y = 0; y < static_cast<int>(e.height); ++y) {
    for (int x = 0; x < static_cast<int>(e.width); ++x) {
      const int u = x + dx;
      const int v = y + dy;
      if (u >= 0 && v >= 0 && u < static_cast<int>(e.width) && v < static_cast<int>(e.height))
        for (int c = 0; c < componentCount(in.type.channels); ++c)
          out.set(x, y, c, in.at(u, v, c));
    }
  }
  return out;
}

// Among the 13x13 pixels around each pixel, no two values of one or of different images are within half a
// percent of each other.
Image separateDepths(Extent extent, int number) {
  Image image = makeImage(Channels::depth, Format::f32, extent, ColourTag::data);
  for (uint32_t y = 0; y < extent.height; ++y)
    for (uint32_t x = 0; x < extent.width; ++x)
      image.set(x, y, 0, std::pow(1.01, x % 13 + 13 * (y % 13) + 0.5 * number));
  return image;
}

// Neighbours don't count in the levels, and the compared pixels are not clamped.
const char* const apart =
    "param:svgf:01:precision:f32\nparam:svgf:01:levels:2\nparam:svgf:01:firefly:0\n"
    "param:svgf:01:sigma_depth:0.0001\nparam:svgf:01:depth_tolerance:0\n";

Frame frameOf(std::mt19937_64& random, Extent extent, int number = 0) {
  Frame frame;
  frame["in"] = randomPlane(random, Channels::rgba, extent, 0.05, 4.0);
  frame["albedo"] = randomPlane(random, Channels::rgb, extent, 0.1, 1.0);
  frame["normal"] = constantPlane(Channels::normal, extent, {0.0, 0.6, 0.8});
  frame["depth"] = separateDepths(extent, number);
  frame["motion"] = constantPlane(Channels::mv, extent, {0.0, 0.0});
  return frame;
}

MemoryGraph svgfGraph(const std::string& parameters) {
  MemoryGraph graph;
  graph.text = "frames:64\nsvgf o-memory:out\n" + parameters;
  for (const char* name : {"in", "albedo", "normal", "depth", "motion"})
    graph.text += fmt::format("i-memory:{0} {1}=svgf\n", name, std::string(name) == "in" ? "input" : name);
  return graph;
}

class Temporal : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = extentOfCase(GetParam(), random_);
};

// Radiance over albedo is averaged; history counts at most `history` frames.
TEST_P(Temporal, NothingMovesRunningMean) {
  std::vector<Frame> frames = {frameOf(random_, extent_)};
  for (int f = 1; f < 6; ++f) {
    frames.push_back(frames[0]);
    frames.back()["in"] = randomPlane(random_, Channels::rgba, extent_, 0.05, 4.0);
  }
  const int history = 4;
  const auto results =
      runFrames(svgfGraph(fmt::format("{}param:svgf:01:history:{}\n", apart, history)), frames);
  Picture mean = pictureOf(frames[0]["in"]);
  for (size_t f = 0; f < frames.size(); ++f) {
    const Picture now = pictureOf(frames[f]["in"]);
    for (size_t i = 0; i < mean.values.size(); ++i) {
      const double part = i % 4 == 3 ? 1.0 : 1.0 / std::min(static_cast<int>(f) + 1, history);
      mean.values[i] += part * (now.values[i] - mean.values[i]);
    }
    SCOPED_TRACE(fmt::format("frame {}", f));
    expectAgrees(results[f].at("out"), mean);
  }
}

// Two frames of the same surfaces, the second moved by whole pixels, and svgf's result.
struct Shift {
  std::vector<Frame> frames;
  Picture expected;
};

Shift shiftedBy(std::mt19937_64& random, Extent extent, int dx, int dy) {
  Shift shift;
  shift.frames = {frameOf(random, extent, 0), frameOf(random, extent, 1)};
  Frame& last = shift.frames[0];
  Frame& now = shift.frames[1];
  now["depth"] = shifted(last["depth"], now["depth"], dx, dy);
  now["albedo"] = last["albedo"] = constantPlane(Channels::rgb, extent, {0.5, 0.5, 0.5});
  now["motion"] = constantPlane(Channels::mv, extent, {double(dx), double(dy)});
  const Picture before = pictureOf(shifted(last["in"], now["in"], dx, dy));
  shift.expected = pictureOf(now["in"]);
  for (size_t i = 0; i < before.values.size(); ++i) {
    double& value = shift.expected.values[i];
    value = i % 4 == 3 ? value : 0.5 * (value + before.values[i]);
  }
  return shift;
}

TEST_P(Temporal, WholePixelsMove) {
  const int dx = pick(random_, -3, 3);
  const int dy = pick(random_, -3, 3);
  const Shift shift = shiftedBy(random_, extent_, dx, dy);
  SCOPED_TRACE(fmt::format("{}x{} by {} {}", extent_.width, extent_.height, dx, dy));
  // In a small image, all pixels that decide on a cut may have left it.
  const std::string neverCut = std::string(apart) + "param:svgf:01:cut_share:1\n";
  expectAgrees(runFrames(svgfGraph(neverCut), shift.frames)[1].at("out"), shift.expected);
}

// In two rows the lower one decides on a cut, (4, 1) here, and leaves the image: the upper one loses its
// history as well.
TEST(TemporalCuts, SmallImagesThatMoveAreCut) {
  std::mt19937_64 random(1);
  const Shift shift = shiftedBy(random, {5, 2}, 0, 1);
  const std::string share = std::string(apart) + "param:svgf:01:cut_share:";
  expectAgrees(runFrames(svgfGraph(share + "1\n"), shift.frames)[1].at("out"), shift.expected);
  expectAgrees(runFrames(svgfGraph(share + "0.7\n"), shift.frames)[1].at("out"),
               pictureOf(shift.frames[1].at("in")));
}

// As if the frame of the cut were the first.
TEST_P(Temporal, CameraCuts) {
  std::vector<Frame> frames = {frameOf(random_, extent_), frameOf(random_, extent_),
                               frameOf(random_, extent_)};
  for (Frame& frame : frames)
    frame["depth"] = randomPlane(random_, Channels::depth, extent_, 1.0, 1.01);
  const std::string cut =
      "keyframe:0:svgf:01:cut:false\nkeyframe:2:svgf:01:cut:true\nkeyframe:3:svgf:01:cut:false\n";
  const Image first = runFrames(svgfGraph(""), {frames[2]})[0].at("out");
  EXPECT_EQ(runFrames(svgfGraph(cut), frames)[2].at("out").words, first.words);
  EXPECT_NE(runFrames(svgfGraph(""), frames)[2].at("out").words, first.words);
}

// All pixels but one in each row fail: that one loses its history, too.
TEST_P(Temporal, LargeFailureIsACut) {
  const Extent extent = {std::max(extent_.width, 16U), extent_.height};
  std::vector<Frame> frames = {frameOf(random_, extent), frameOf(random_, extent)};
  for (Frame& frame : frames)
    frame["depth"] = randomPlane(random_, Channels::depth, extent, 1.0, 1.01);
  frames[1]["motion"] = constantPlane(Channels::mv, extent, {1e4, 0.0});
  for (uint32_t y = 0; y < extent.height; ++y) {
    const int x = pick(random_, 0, static_cast<int>(extent.width) - 1);
    frames[1]["motion"].set(static_cast<uint32_t>(x), y, 0, 0.0);
  }
  const Image first = runFrames(svgfGraph(""), {frames[1]})[0].at("out");
  EXPECT_EQ(runFrames(svgfGraph("param:svgf:01:cut_share:0.4\n"), frames)[1].at("out").words, first.words);
  EXPECT_NE(runFrames(svgfGraph("param:svgf:01:cut_share:1\n"), frames)[1].at("out").words, first.words);
}

// NaN and infinities of one frame leave no trace, and pixels next to them are finite at once.
TEST_P(Temporal, MissingValuesNeverStay) {
  std::vector<Frame> frames;
  for (int f = 0; f < 3; ++f) {
    frames.push_back(frameOf(random_, extent_));
    frames.back()["depth"] = randomPlane(random_, Channels::depth, extent_, 1.0, 1.01);
  }
  const double wrong[] = {std::nan(""), INFINITY, -INFINITY, 3e38};
  for (auto& [name, image] : frames[0]) {
    for (int k = 0; k < 1 + static_cast<int>(extent_.width * extent_.height / 20); ++k) {
      const int x = pick(random_, 0, static_cast<int>(extent_.width) - 1);
      const int y = pick(random_, 0, static_cast<int>(extent_.height) - 1);
      const int c =
          name == "in" ? pick(random_, 0, 2) : pick(random_, 0, componentCount(image.type.channels) - 1);
      image.set(x, y, c, wrong[pick(random_, 0, 3)]);
    }
  }
  const auto results = runFrames(svgfGraph(""), frames);
  for (size_t f = 0; f < results.size(); ++f) {
    const Picture picture = pictureOf(results[f].at("out"));
    for (size_t i = 0; i < picture.values.size(); ++i)
      ASSERT_TRUE(std::isfinite(picture.values[i])) << "frame " << f << ", value " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Temporal, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
