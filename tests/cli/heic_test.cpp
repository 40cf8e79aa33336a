// HEIC files: read by i-heic where it is built, else named in a message. colours.heic has four squares,
// lossless, sRGB by code points; libheif wrote it.

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

const std::string colours = LACUNA_TEST_FOLDER "/cli/colours.heic";

TEST(Heic, IsNamedWhereAPictureIsExpected) {
  const Outcome found = runProgram({"info", colours});
  EXPECT_EQ(found.code, 2) << found.err;
  EXPECT_NE(found.err.find("this is a HEIC file; expected "), std::string::npos) << found.err;
  EXPECT_NE(found.err.find("or read it by i-heic in a graph, which needs libheif and a build with "
                           "-DLACUNA_HEIC=ON (modules/heic/README.md)"),
            std::string::npos)
      << found.err;
}

class HeicModule : public testing::Test {
 protected:
  void SetUp() override {
    if (modules().empty())
      GTEST_SKIP() << "i-heic isn't built: -DLACUNA_HEIC=ON";
  }

  static std::string modules() {
#ifdef LACUNA_HEIC_MODULES
    return LACUNA_HEIC_MODULES;
#else
    return "";
#endif
  }

  Outcome run(const std::string& file) const {
    spill(folder_.file("graph.cfg"), "lacuna:1\nmodule:i-heic:in\nparam:i-heic:in:filename:\"" + file +
                                         "\"\nmodule:o-pfm:out\nparam:o-pfm:out:filename:\"out.pfm\"\n"
                                         "connect:i-heic:in:output:o-pfm:out:input\n");
    return runProgram({"run", "graph.cfg", "--modules", modules()}, {folder_.path()});
  }

  const Folder folder_;
};

TEST_F(HeicModule, DeliversLinearColours) {
  const Outcome done = run(colours);
  ASSERT_EQ(done.code, 0) << done.err;
  const std::vector<float> values = asFloats(readPlane("pfm", folder_.file("out.pfm"), "output"));
  constexpr size_t side = 64;
  ASSERT_EQ(values.size(), 4 * side * side);
  const std::pair<size_t, std::array<float, 3>> squares[] = {{16 * side + 16, {0.503F, 0.503F, 0.503F}},
                                                             {16 * side + 48, {1, 0, 0}},
                                                             {48 * side + 16, {0, 0.503F, 0}},
                                                             {48 * side + 48, {1, 1, 1}}};
  for (const auto& [pixel, expected] : squares)
    for (size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(values[4 * pixel + c], expected[c], 0.01) << pixel << ", " << c;
}

TEST_F(HeicModule, DamagedFilesAreErrorsThatNameThem) {
  const std::string whole = slurp(colours);
  for (const size_t length : {whole.size() - 100, whole.size() / 2, size_t{40}}) {
    spill(folder_.file("cut.heic"), whole.substr(0, length));
    const Outcome done = run("cut.heic");
    EXPECT_EQ(done.code, 2) << length;
    EXPECT_NE(done.err.find("cut.heic: damaged HEIC file: "), std::string::npos) << done.err;
  }
}

}  // namespace
}  // namespace lacuna::test
