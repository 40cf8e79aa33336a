// lacuna denoise --method rhf from a path tracer's files: frames of one sample give the same result as one
// picture of all samples with its histograms.

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr int sampleCount = 16;

class DenoiseRhf : public testing::Test {
 protected:
  // A still room: a file a frame, or one with ray histograms.
  void render(const std::string& file, int frames, int samplesOfFrame, const std::string& more) const {
    spill(folder_.file("render.cfg"),
          fmt::format("lacuna:1\nframes:{}\nmodule:pathtrace:01\nmodule:o-exr:01\n"
                      "param:pathtrace:01:filename:\"{}/scenes/cornell.scene\"\nparam:pathtrace:01:width:40\n"
                      "param:pathtrace:01:height:32\nparam:pathtrace:01:samples:{}\n"
                      "param:pathtrace:01:still:true\nparam:pathtrace:01:precision:f32\n"
                      "param:o-exr:01:precision:f32\nparam:o-exr:01:filename:\"{}\"\n"
                      "connect:pathtrace:01:output:o-exr:01:input\n{}",
                      frames, exampleFolder(), samplesOfFrame, file, more));
    const Outcome outcome = runProgram({"run", "render.cfg", "-q"}, {folder_.path()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  std::vector<float> denoised(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    words.insert(words.end(), {"-o", "out.exr"});
    const Outcome outcome = runProgram(words, {folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("(rhf)"), std::string::npos) << outcome.err;
    return asFloats(readPlane("exr", folder_.file("out.exr"), "output"));
  }

  const Folder folder_;
};

// Relative to a value, or to .01 where it is smaller.
double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = a.size() == b.size() && !a.empty() ? 0.0 : 1e30;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    most = std::max(most, std::abs(double{a[i]} - b[i]) / std::max(std::abs(double{b[i]}), 0.01));
  return most;
}

TEST_F(DenoiseRhf, FramesGiveWhatTheirPictureDoes) {
  render("noisy_%04d.exr", sampleCount, 1, "");
  render("both.exr", 1, sampleCount, "connect:pathtrace:01:histogram:o-exr:01:histogram\n");
  const std::vector<float> frames = denoised({"noisy_%04d.exr", "--method", "rhf"});
  // The histograms are equal bit for bit; the mean is, up to the order of its additions.
  EXPECT_LT(largestDifference(frames, denoised({"both.exr"})), 1e-4);
  EXPECT_EQ(denoised({"both.exr", "--histogram", "both.exr"}), denoised({"both.exr"}));
  const std::vector<float> mean = denoised({"noisy_%04d.exr", "--method", "rhf", "--strength", "0"});
  EXPECT_GT(largestDifference(frames, mean), 0.1) << "nothing was filtered";
  EXPECT_GT(largestDifference(frames, denoised({"both.exr", "--strength", "2"})), 0.01)
      << "the threshold counts";
}

}  // namespace
}  // namespace lacuna::test
