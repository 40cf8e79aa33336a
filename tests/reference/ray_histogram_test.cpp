// ray-histogram against its definition in double precision, over frames with NaNs, infinities and alpha.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

constexpr int frameCount = 6;

struct HistogramScale {
  int bins;
  double gamma, maximum;
};

// A pixel's histograms and mean, sample by sample.
class PixelSum {
 public:
  explicit PixelSum(const HistogramScale& scale)
      : scale_(scale), bins_(static_cast<size_t>(3 * scale.bins) + 1, 0.0) {}

  // `sample`: red, green, blue, alpha. One that isn't finite counts nowhere.
  void add(const std::array<double, 4>& sample) {
    if (!std::all_of(sample.begin(), sample.end(), [](double v) { return std::isfinite(v); }))
      return;
    ++bins_.back();
    alpha_ += sample[3];
    for (size_t c = 0; c < 3; ++c) {
      const double light = sample[c];
      sum_[c] += light;
      largest_ = std::max(largest_, std::abs(light));
      addColour(c, light);
    }
  }

  const std::vector<double>& bins() const { return bins_; }
  double alpha() const { return bins_.back() > 0 ? alpha_ / bins_.back() : 0.0; }
  double colour(size_t c) const { return bins_.back() > 0 ? sum_[c] / bins_.back() : 0.0; }
  double bound() const { return 2e-6 * std::max(largest_, 0.01); }  // each frame rounds

 private:
  // Delbracio et al. 2014, as in its authors' program: evenly spaced bins up to 1, then two bins up to 2.
  void addColour(size_t c, double light) {
    const double v = std::min(std::pow(std::max(0.0, light), 1 / scale_.gamma) / scale_.maximum, 2.0);
    const double f = v * (scale_.bins - 2);
    const int i = static_cast<int>(std::floor(f));
    const bool isEven = i < scale_.bins - 2;
    const double share = isEven ? f - i : v - 1;
    const size_t bin =
        c * static_cast<size_t>(scale_.bins) + static_cast<size_t>(isEven ? i : scale_.bins - 2);
    bins_[bin] += 1 - share;
    bins_[bin + 1] += share;
  }

  HistogramScale scale_;
  std::vector<double> bins_;
  std::array<double, 3> sum_{};
  double alpha_ = 0.0, largest_ = 0.0;
};

std::array<double, 4> sampleAt(const Image& frame, uint32_t x, uint32_t y) {
  const uint32_t components = componentCount(frame.type.channels);
  std::array<double, 4> sample{0, 0, 0, 1};
  for (uint32_t c = 0; c < components; ++c)
    sample[c] = frame.at(x, y, static_cast<int>(c));
  if (components == 1)
    sample[1] = sample[2] = sample[0];
  return sample;
}

// Alpha of renders: none, full, or partial; sometimes NaN in alpha alone.
void drawAlpha(std::mt19937_64& random, Image& frame) {
  const double values[] = {0.0, 1.0, 1.0, uniform(random, 0.05, 1.0), std::nan("")};
  for (uint32_t y = 0; y < frame.type.extent.height; ++y)
    for (uint32_t x = 0; x < frame.type.extent.width; ++x)
      frame.set(x, y, 3, values[pick(random, 0, 4)]);
}

class RayHistogram : public testing::TestWithParam<int> {
 protected:
  RayHistogram() {
    const int i = GetParam();
    static const int bins[] = {3, 8, 20};
    static const Channels channels[] = {Channels::rgba, Channels::rgb, Channels::y};
    scale_ = i == 8 ? HistogramScale{20, 2.2, 2.5}
                    : HistogramScale{bins[i / 3], uniform(random_, 1, 3), uniform(random_, 0.5, 3)};
    for (int f = 0; f < frameCount; ++f) {
      frames_.push_back(randomImage(random_, channels[(i + i / 3) % 3],
                                    i % 2 == 0 ? Format::f32 : Format::f16, extentOfCase(i % 3, random_),
                                    true));
      if (frames_.back().type.channels == Channels::rgba)
        drawAlpha(random_, frames_.back());
    }
  }

  MemoryGraph graph(const std::string& sinks) const {
    MemoryGraph result;
    result.text = fmt::format(
        "frames:{}\ni-memory:in ray-histogram\nparam:ray-histogram:01:bins:{}\n"
        "param:ray-histogram:01:gamma:{}\nparam:ray-histogram:01:maximum:{}\n{}",
        frameCount, scale_.bins, scale_.gamma, scale_.maximum, sinks);
    result.modulePath.push_back(testFolder() + "/gpu/modules");
    result.sources["in"] = frames_.front();
    return result;
  }

  std::map<std::string, Image> results(const MemoryGraph& graph) const {
    MemoryRun running(graph, "auto");
    for (int f = 0; f < frameCount; ++f) {
      running.bring({{"in", frames_[static_cast<size_t>(f)]}});
      running.compute(f);
    }
    return running.results();
  }

  std::mt19937_64& random_ = testRandom();
  HistogramScale scale_{};
  std::vector<Image> frames_;
};

constexpr const char* meanSink = "ray-histogram o-memory:mean\n";
constexpr const char* histogramSink = "ray-histogram:01:histogram o-array:bins\n";

TEST_P(RayHistogram, FillsBinsAndMeans) {
  const std::map<std::string, Image> images = results(graph(std::string(meanSink) + histogramSink));
  const Image& mean = images.at("mean");
  const Image& bins = images.at("bins");
  const auto [width, height] = frames_.front().type.extent;
  const uint32_t components = componentCount(mean.type.channels);
  ASSERT_EQ(mean.type.format, Format::f32);
  ASSERT_EQ(bins.words.size(), size_t{width} * height * static_cast<size_t>(3 * scale_.bins + 1));
  // The device's pow has an error of 4e-6 at these values; its result is a position among bins.
  const double binBound = frameCount * 4e-6 * scale_.bins;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      PixelSum expected(scale_);
      for (const Image& frame : frames_)
        expected.add(sampleAt(frame, x, y));
      for (size_t b = 0; b < expected.bins().size(); ++b) {
        const auto at = static_cast<uint32_t>((b * height + y) * width + x);
        ASSERT_NEAR(bins.at(at, 0, 0), expected.bins()[b], binBound) << x << ", " << y << ", plane " << b;
      }
      for (uint32_t c = 0; c < std::min(components, 3U); ++c) {
        ASSERT_NEAR(mean.at(x, y, static_cast<int>(c)), expected.colour(c), expected.bound())
            << x << ", " << y;
      }
      if (components == 4)
        ASSERT_NEAR(mean.at(x, y, 3), expected.alpha(), 1e-6) << x << ", " << y;
    }
  }
}

TEST_P(RayHistogram, EachOutputAlone) {
  const std::map<std::string, Image> both = results(graph(std::string(meanSink) + histogramSink));
  EXPECT_EQ(results(graph(meanSink)).at("mean").words, both.at("mean").words);
  EXPECT_EQ(results(graph(histogramSink)).at("bins").words, both.at("bins").words);
}

INSTANTIATE_TEST_SUITE_P(Random, RayHistogram, testing::Range(0, 9));

// One array for all frames, changed in place.
TEST(RayHistogramMemory, IsTakenOnce) {
  MemoryGraph graph = graphAround("ray-histogram", makeImage(Channels::rgb, Format::f32, {64, 48}), "");
  graph.text += histogramSink;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  const FrameGraph schedule = scheduleOf(graph, "auto");
  const uint64_t histogram = uint64_t{61} * 64 * 48 * 4;
  EXPECT_EQ(std::count_if(schedule.resources.begin(), schedule.resources.end(),
                          [&](const Resource& r) { return r.bytes == histogram && r.persistent; }),
            1);
  EXPECT_LT(schedule.arenaBytes, histogram + histogram / 2);
}

}  // namespace
}  // namespace lacuna::test
