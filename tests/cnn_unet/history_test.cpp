// cnn-unet with history: compared with PyTorch's frames; a frame without history has the bits of a first
// frame.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/cnn_unet/golden_file.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

constexpr int frameCount = 3;
constexpr const char* size = "21x34-frames";

std::vector<RenderPlanes> framesOf(const GoldenFile& golden, bool takesFiltered) {
  std::vector<RenderPlanes> frames;
  for (int k = 0; k < frameCount; ++k) {
    frames.push_back(golden.planes(fmt::format("-{}", k)));
    if (!takesFiltered)
      frames.back().erase("filtered");
  }
  return frames;
}

// The denoised frames, one after the other. `more`: lines of the graph.
std::vector<Image> denoisedFrames(const std::string& weights, const std::vector<RenderPlanes>& frames,
                                  const std::string& arithmetic = "auto", const std::string& more = {}) {
  MemoryGraph graph = unetGraph({weights, frames[0], Format::f16, false, arithmetic});
  graph.text += more;
  MemoryRun memory(graph, "auto");
  std::vector<Image> made;
  for (size_t k = 0; k < frames.size(); ++k) {
    memory.bring(unetGraph({weights, frames[k], Format::f16}).sources);
    memory.compute(static_cast<int>(k));
    made.push_back(memory.results().at("out"));
  }
  return made;
}

struct FramesCase {
  const char* weights;
  bool takesFiltered;
  const char* arithmetic;
};

class UnetGoldenFrames : public testing::TestWithParam<FramesCase> {};

TEST_P(UnetGoldenFrames, AreWhatPyTorchComputes) {
  const FramesCase& of = GetParam();
  const GoldenFile golden(of.weights, size);
  const std::vector<Image> made =
      denoisedFrames(golden.weights(), framesOf(golden, of.takesFiltered), of.arithmetic);
  for (size_t k = 0; k < made.size(); ++k) {
    SCOPED_TRACE(k);
    expectDenoised(made[k], golden.image(fmt::format("output-{}", k)));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, UnetGoldenFrames,
                         testing::Values(FramesCase{"tiny-rgb-and-past", false, "auto"},
                                         FramesCase{"tiny-rgb-and-past-svgf", true, "plain"},
                                         FramesCase{"smallest-past", true, "matrices"},
                                         FramesCase{"rgb-and-past-svgf", true, "auto"}));

class UnetHistory : public testing::Test {
 protected:
  // The last frame is the same without the frames before it.
  void expectNoHistory(const std::vector<RenderPlanes>& frames, const std::string& more = {}) {
    const std::vector<Image> all = denoisedFrames(golden_.weights(), frames, "auto", more);
    const std::vector<Image> alone = denoisedFrames(golden_.weights(), {frames.back()});
    EXPECT_EQ(all.back().words, alone.back().words);
  }

  const GoldenFile golden_{"tiny-rgb-and-past-svgf", size};
  std::vector<RenderPlanes> frames_ = framesOf(golden_, true);
};

TEST_F(UnetHistory, CountsInOtherFrames) {
  const std::vector<Image> all = denoisedFrames(golden_.weights(), frames_);
  const std::vector<Image> alone = denoisedFrames(golden_.weights(), {frames_.back()});
  EXPECT_NE(all.back().words, alone.back().words);
}

TEST_F(UnetHistory, EndsWithTheParameterCut) {
  expectNoHistory(frames_, "frames:3\nkeyframe:0:cnn-unet:01:cut:false\nkeyframe:2:cnn-unet:01:cut:true\n");
}

TEST_F(UnetHistory, EndsWithoutMotion) {
  for (double& v : frames_.back()["motion"].values)
    v = NAN;
  expectNoHistory(frames_);
}

TEST_F(UnetHistory, EndsWhereMostSurfacesAreOthers) {
  Channelled& depth = frames_.back()["depth"];
  for (size_t i = 0; i < depth.values.size(); ++i)
    if (i % static_cast<size_t>(depth.width) > 3)
      depth.values[i] = 100.0;
  expectNoHistory(frames_);
}

}  // namespace
}  // namespace lacuna::test
