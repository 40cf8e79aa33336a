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
  for (const auto& entry : fs::recursive_directory_iterator(module)) {
    if (entry.is_regular_file()) {
      EXPECT_EQ(slurp(entry.path().string()).find("@NAME@"), std::string::npos) << entry.path();
    }
  }
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

TEST(NewModule, RefusesWhatItCannotMake) {
  const Folder folder;
  fs::create_directories(folder.file("there"));
  std::ofstream(folder.file("file")) << "text";
  const std::string before = listing(folder.path());
  const auto refused = [&](const std::string& name, const std::string& message) {
    const Outcome outcome = runProgram({"new", folder.file(name), "--kind", "pointwise"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  refused("there", "already exists");
  refused("file", "already exists");
  refused("two words", "'two words' is not a name of a module");
  refused("eaw", "a module 'eaw' is already installed");
  refused("file/inside", "is not a folder");
  EXPECT_EQ(runProgram({"new", folder.file("x")}).code, 2);
  EXPECT_EQ(listing(folder.path()), before);
}

TEST(NewModule, MakesTheFoldersAboveIt) {
  const Folder folder;
  EXPECT_EQ(runProgram({"new", folder.file("mine/deep/fresh"), "--kind", "pointwise"}).code, 0);
  EXPECT_TRUE(fs::exists(folder.file("mine/deep/fresh/module.toml")));
}

TEST(TestCommand, TakesNamesAndAcceptsResults) {
  const Folder folder;
  const std::string module = folder.file("my-module"), expected = module + "/test/expected/small.pfm";
  ASSERT_EQ(runProgram({"new", module, "--kind", "kernel"}).code, 0);
  const std::string before = slurp(expected);
  spill(module + "/main.glsl",
        "void run(Pixel p) { if (all(lessThan(p.position, p.extent))) { store_output(p.position, "
        "load_input(p.position) + 1.0); } }\n");
  const std::vector<std::string> byName = {"test", "my-module", "--modules", folder.path()};
  EXPECT_EQ(runProgram(byName).code, 1);
  EXPECT_EQ(slurp(expected), before);
  const Outcome accepted = runProgram({"test", module, "--accept"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("expected/small.pfm: accepted"), std::string::npos) << accepted.out;
  EXPECT_NE(slurp(expected), before);
  EXPECT_EQ(runProgram(byName).code, 0);
  fs::remove_all(module + "/test/expected");
  EXPECT_EQ(runProgram({"test", module, "--accept"}).code, 0);
  EXPECT_EQ(runProgram(byName).code, 0);
  EXPECT_EQ(runProgram({"test", module, "--accept"}).out.find("accepted"), std::string::npos)
      << "nothing is new";
  EXPECT_NE(runProgram({"test", "eaw"}).err.find("graphs in test/; "), std::string::npos);
  EXPECT_NE(runProgram({"test", "no-such"}).err.find("no-such: expected a module's folder, or its name"),
            std::string::npos);
}

TEST(TestCommand, SaysWhatIsMissing) {
  const Folder folder;
  const Outcome empty = runProgram({"test", folder.path()});
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("expected a module's folder"), std::string::npos) << empty.err;
  const std::string module = folder.file("mine");
  ASSERT_EQ(runProgram({"new", module, "--kind", "kernel"}).code, 0);
  fs::remove(module + "/test/expected/small.pfm");
  const Outcome missing = runProgram({"test", module});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("small.pfm, the expected file, is missing"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace lacuna::test
