// Outputs that are truncated, and weights as outputs.

#include "tests/cli/sequences.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

TEST(FilesThatAreThere, RandomWeightsAreInputs) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::f16, ColourTag::rec709, {16, 16}};
  writeImage("exr", folder.file("render.exr"), {{"output", type, randomPixels(type)}});
  const std::string weights = weightsFile(randomNetwork(testRandom(), {unet::Plane::colour}, 4));
  spill(folder.file("w.exr"), weights);
  const Outcome outcome =
      runProgram({"denoise", "render.exr", "--method", "cnn-unet", "--weights", "w.exr", "-o", "w.exr"},
                 {folder.path()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("would overwrite w.exr, which is read by cnn-unet:01"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(slurp(folder.file("w.exr")), weights);
}

using ManyOutputs = Sequences;

// All bytes but some at the end, as when a disk becomes full while copying.
TEST_F(ManyOutputs, RandomTruncatedOnesAreRunAgain) {
  for (const std::string extension : {"png", "jpg", "exr", "pfm", "npy"}) {
    SCOPED_TRACE(extension);
    spill(folder_.file("any.cfg"),
          "lacuna:1\nframes:3\nmodule:i-png:01\nmodule:o-file:01\n"
          "connect:i-png:01:output:o-file:01:input\nparam:i-png:01:filename:\"one.png\"\n"
          "param:i-png:01:still:true\nparam:o-file:01:filename:\"any/%d." +
              extension + "\"\n");
    const auto runAny = [&](const std::vector<std::string>& more) {
      std::vector<std::string> words = {"run", "any.cfg"};
      words.insert(words.end(), more.begin(), more.end());
      return runProgram(words, {.folder = folder_.path()});
    };
    ASSERT_EQ(runAny({}).code, 0);
    const std::string second = folder_.file("any/1." + extension), whole = slurp(second);
    EXPECT_NE(runAny({"--resume"}).err.find("3 of 3 frames already exist"), std::string::npos);
    const auto left = static_cast<size_t>(pick(testRandom(), 12, static_cast<int>(whole.size()) - 1));
    spill(second, whole.substr(0, left));
    const Outcome outcome = runAny({"--resume"});
    EXPECT_NE(outcome.err.find("2 of 3 frames already exist"), std::string::npos) << outcome.err;
    EXPECT_EQ(slurp(second), whole) << left;
  }
}

}  // namespace
}  // namespace lacuna::test
