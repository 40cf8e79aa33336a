// lacuna new makes modules that pass their own tests, and lacuna test sees when they don't.

#include <cstring>
#include <fstream>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class New : public testing::TestWithParam<std::string> {
 protected:
  std::string make() {
    const std::string module = folder_.file("my-module");
    const Outcome outcome = runProgram({"new", module, "--kind", GetParam()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("README.md"), std::string::npos) << outcome.out;
    return module;
  }

  const Folder folder_;
};

TEST_P(New, PassesItsOwnTest) {
  const std::string module = make();
  const Outcome outcome = runProgram({"test", "."}, {module});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("test/small.cfg: passed"), std::string::npos) << outcome.out;
  EXPECT_EQ(runProgram({"fmt", "--check", module + "/test/small.cfg"}).out, "");
  const Outcome described = runProgram({"describe", "my-module", "--modules", folder_.path()});
  EXPECT_EQ(described.code, 0) << described.err;
  for (const auto& entry : fs::recursive_directory_iterator(module))
    if (entry.is_regular_file())
      EXPECT_EQ(slurp(entry.path().string()).find("@NAME@"), std::string::npos) << entry.path();
}

TEST_P(New, ATestFailsOnAnotherImage) {
  const std::string module = make();
  std::string image = slurp(module + "/test/expected/small.pfm");
  const float wrong = 123.0F;
  std::memcpy(image.data() + image.size() - sizeof wrong, &wrong, sizeof wrong);
  spill(module + "/test/expected/small.pfm", image);
  const Outcome outcome = runProgram({"test", module});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("pixel 19,0, channel 2"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(module + "/test/expected/small.pfm"), image) << "a test wrote over what it compares with";
}

INSTANTIATE_TEST_SUITE_P(Kinds, New, testing::Values("pointwise", "stencil", "reduce", "kernel"),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace lacuna::test
