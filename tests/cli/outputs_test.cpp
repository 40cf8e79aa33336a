// Outputs that are truncated.

#include "tests/cli/sequences.h"

namespace lacuna::test {
namespace {

using ManyOutputs = Sequences;

// All bytes but some at the end, as when a disk becomes full while copying.
TEST_F(ManyOutputs, RandomTruncatedOnesAreRunAgain) {
  for (const std::string extension : {"png", "jpg", "exr", "pfm", "npy"}) {
    SCOPED_TRACE(extension);
    spill(folder_.file("any.cfg"),
          graphText("frames:3\ni-png o-file\nparam:i-png:01:filename:\"one.png\"\nparam:i-png:01:still:true\n"
                    "param:o-file:01:filename:\"any/%d." +
                    extension + "\"\n"));
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
