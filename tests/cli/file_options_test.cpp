// -i and -o: a file for the only source or sink of a graph, or for one of several.

#include <fmt/format.h>

#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class FileOptions : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), Extent{19, 11});
    writeRandomPng(folder_.file("other.png"), Extent{7, 5});
    spill(folder_.file("one.cfg"), exposureGraph("in.png", "out.png"));
    spill(folder_.file("two.cfg"), exposureGraph("in.png", "out.png",
                                                 "module:o-png:02\nparam:o-png:02:filename:\"second.png\"\n"
                                                 "connect:exposure:01:output:o-png:02:input\n"));
  }

  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "run");
    return runProgram(words, {folder_.path()});
  }
  bool exists(const std::string& name) const { return fs::exists(folder_.file(name)); }

  const Folder folder_;
};

TEST_F(FileOptions, NeedNoInstanceWhereThereIsOne) {
  const Outcome outcome = run({"one.cfg", "-i", "other.png", "-o", "given.png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(exists("out.png"));
  EXPECT_EQ(probeImage("png", folder_.file("given.png"), {}).begin()->second.extent, (Extent{7, 5}));
}

TEST_F(FileOptions, NameAnInstanceWhereThereAreSeveral) {
  const Outcome wrong = run({"two.cfg", "-o", "given.png"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("-o given.png: the graph has 2 sinks, o-png:01, o-png:02"), std::string::npos)
      << wrong.err;
  EXPECT_NE(wrong.err.find("-o o-png:01=given.png"), std::string::npos) << wrong.err;
  EXPECT_FALSE(exists("out.png") || exists("second.png") || exists("given.png"));
  const Outcome right = run({"two.cfg", "-o", "o-png:02=given.png", "-i", "i-png:01=other.png"});
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_TRUE(exists("out.png") && exists("given.png") && !exists("second.png"));
}

TEST_F(FileOptions, NamesWithAnEqualsSignArePlain) {
  const Outcome wrong = run({"one.cfg", "-o", "o-png=given.png"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("expected FILE or sink:instance=FILE"), std::string::npos) << wrong.err;
  EXPECT_EQ(run({"one.cfg", "-o", "./o-png=given.png"}).code, 0);
  EXPECT_TRUE(exists("o-png=given.png"));
}

TEST_F(FileOptions, WithoutASourceThereIsNothingToName) {
  spill(folder_.file("memory.cfg"),
        "lacuna:1\nmodule:i-memory:01\nmodule:o-png:01\nconnect:i-memory:01:output:o-png:01:input\n");
  const Outcome outcome = run({"memory.cfg", "-i", "in.png", "-o", "out.png"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("-i in.png: the graph has no source for a file"), std::string::npos)
      << outcome.err;
}

TEST_F(FileOptions, AGraphComesFromStandardInput) {
  const std::string line = fmt::format("cd {} && cat one.cfg | {} run - -o given.png 2>&1", folder_.path(),
                                       place("LACUNA_PROGRAM", LACUNA_PROGRAM));
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_TRUE(exists("given.png"));
}

}  // namespace
}  // namespace lacuna::test
