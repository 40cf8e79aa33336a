// accum compared with the running mean in double precision: within 2e-6 of the largest input value, over 12
// frames.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

// Runs each frame's own image through a graph with a source `in`; `check` gets the values of `out` after each
// frame.
void runFrames(const MemoryGraph& graph, const std::vector<Image>& frames,
               const std::function<void(size_t frame, const Image& image)>& check) {
  MemoryRun running(graph, "auto");
  for (size_t f = 0; f < frames.size(); ++f) {
    running.bring({{"in", frames[f]}});
    running.compute(static_cast<int>(f));
    check(f, running.results().at("out"));
  }
}

class AccumReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
};

// mean_t = mean_{t-1} + (x - mean_{t-1}) / n over the frames whose pixel is finite.
class RunningMean {
 public:
  RunningMean(const Picture& like, int window)
      : window_(window),
        mean_(like.width, like.height, like.components),
        largest_(mean_),
        counts_(like.values.size() / static_cast<size_t>(like.components), 0) {}

  void add(const Picture& frame, bool reset) {
    const auto n = static_cast<size_t>(frame.components);
    for (size_t p = 0; p < counts_.size(); ++p) {
      double* mean = &mean_.values[p * n];
      const double* x = &frame.values[p * n];
      if (reset) {
        counts_[p] = 0;
        std::fill(mean, mean + n, 0.0);
      }
      if (!std::all_of(x, x + n, [](double v) { return std::isfinite(v); }))
        continue;
      counts_[p] = window_ > 0 ? std::min(counts_[p] + 1, window_) : counts_[p] + 1;
      for (size_t c = 0; c < n; ++c) {
        mean[c] += (x[c] - mean[c]) / counts_[p];
        largest_.values[p * n + c] = std::max(largest_.values[p * n + c], std::abs(x[c]));
      }
    }
  }
  const Picture& mean() const { return mean_; }
  const Picture& largest() const { return largest_; }  // |x| so far

 private:
  int window_;
  Picture mean_;
  Picture largest_;
  std::vector<int> counts_;
};

TEST_P(AccumReference, MeanOfFinitePixels) {
  static const Channels channels[] = {Channels::rgba, Channels::rgb, Channels::y};
  const int window = GetParam() == 0 ? 0 : pick(random_, 1, 5);
  const int resetAt = GetParam() > 0 ? 7 : -1;  // also at pixels that aren't finite then
  const Extent extent = extentOfCase(GetParam(), random_);
  std::vector<Image> frames;
  for (int f = 0; f < 12; ++f) {
    frames.push_back(randomImage(random_, channels[GetParam()], GetParam() == 2 ? Format::f16 : Format::f32,
                                 extent, true));
  }
  std::string parameters = fmt::format("param:accum:01:window:{}\nframes:12\n", window);
  if (resetAt > 0) {
    parameters += fmt::format(
        "keyframe:0:accum:01:reset:false\nkeyframe:{}:accum:01:reset:true\nkeyframe:{}:accum:01:reset:"
        "false\n",
        resetAt, resetAt + 1);
  }
  RunningMean reference(pictureOf(frames[0]), window);
  runFrames(graphAround("accum", frames[0], parameters), frames, [&](size_t f, const Image& image) {
    reference.add(pictureOf(frames[f]), static_cast<int>(f) == resetAt);
    const Picture& largest = reference.largest();
    const Deviation d = deviation(image, reference.mean(), [&](int x, int y, int c, double) {
      return 2e-6 * std::max(largest.at(x, y)[c], 0.01);
    });
    EXPECT_LE(d.worst, 1.0) << "frame " << f << ", " << d.where;
  });
}

INSTANTIATE_TEST_SUITE_P(Random, AccumReference, testing::Range(0, 3));

}  // namespace
}  // namespace lacuna::test
