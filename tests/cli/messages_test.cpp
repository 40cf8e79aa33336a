// Messages: each names what was found, its origin and a remedy, in one form. Nothing is written.

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Messages : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {16, 16});
    spill(
        folder_.file("graph.cfg"),
        exposureGraph("in.png", "out.png",
                      "module:eaw:01\nmodule:crop:01\nmodule:o-png:02\nconnect:i-png:01:output:eaw:01:input\n"
                      "connect:eaw:01:output:crop:01:input\nconnect:crop:01:output:o-png:02:input\n"
                      "param:o-png:02:filename:\"two.png\"\n"));
  }

  void expect(const std::vector<std::string>& words, const std::vector<std::string>& messages) const {
    SCOPED_TRACE(testing::PrintToString(words));
    const std::string before = listing(folder_.path());
    const Outcome outcome = runProgram(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& message : messages) {
      EXPECT_NE(outcome.err.find(message), std::string::npos) << "'" << message << "' is not in\n"
                                                              << outcome.err;
    }
    EXPECT_EQ(listing(folder_.path()), before);
  }

  const Folder folder_;
};

TEST_F(Messages, OfValuesOnTheCommandLine) {
  expect({"run", "graph.cfg", "-o", "o-png:01="},
         {"lacuna: error: o-png:01 has no filename (from -o o-png:01=)",
          "hint: the name of a file must follow"});
  expect({"run", "graph.cfg", "-i", ""}, {"lacuna: error: i-png:01 has no filename (from -i '')"});
  expect({"run", "graph.cfg", "-o", "o-png:01=~/x.png"}, {"~/x.png: '~' would be a folder called ~"});
  expect({"run", "graph.cfg", "-p", "crop:01:x=-10"},
         {"lacuna: error: 'x' is -10, but must be 0 to 65535 (from -p crop:01:x=-10)"});
  expect({"run", "graph.cfg", "-p", "eaw:01:gains=1,1.5"},
         {"(from -p eaw:01:gains=1,1.5)", "hint: values of a list are separated by ':': 1:1.5"});
  expect({"run", "graph.cfg", "-p", "eaw:01:gains=[1, 1.5]"}, {"are separated by ':': 1:1.5\n"});
  expect({"run", "graph.cfg", "--schedule", "eaw:01"},
         {"lacuna: error: --schedule eaw:01: expected the name of a schedule, or module:instance=NAME"});
  expect({"run", "graph.cfg", "--schedule", "eaw:01="},
         {"--schedule eaw:01=: expected the name of a schedule"});
  expect({"run", "graph.cfg", "--schedule", ""}, {"--schedule : expected the name of a schedule"});
  expect({"run", "graph.cfg", "-o", "o-png:01=/proc/x.png"}, {"'/proc' takes no files"});
  expect({"graph", "graph.cfg", "-o", "in.png/x.svg"}, {"-o in.png/x.svg: 'in.png' is not a folder"});
  expect({"run", "graph.cfg", "-o", "=x.png"}, {"-o =x.png: expected FILE or sink:instance=FILE"});
}

TEST_F(Messages, OfPicturesInPlaceOfGraphsAndCommands) {
  expect({"in.png"}, {"'in.png' is a picture, not a command: `lacuna denoise in.png -o OUT`"});
  expect({"run", "in.png"},
         {"in.png: this is a picture; expected a graph file", "`lacuna denoise in.png -o OUT`"});
  expect({"check", "in.png"}, {"in.png: this is a picture; expected a graph file"});
}

TEST_F(Messages, OfFrames) {
  expect({"run", "graph.cfg", "--frames", "0-99999999999"},
         {"lacuna: error: --frames 0-99999999999: the largest number of a frame is 999999999"});
  expect({"run", "graph.cfg", "--frames", "5-2"}, {"--frames 5-2: 2 comes before 5"});
  expect({"run", "graph.cfg", "--frames", "1-9x0"}, {"the step must be 1 or more"});
  expect({"run", "graph.cfg", "--frames", "0-999999999x5"},
         {"--frames 0-999999999x5: at most 1000000 frames with gaps between them; A-B may be any number"});
  expect({"run", "graph.cfg", "--frames", "1,,2"}, {"expected A, A-B or A-BxSTEP, or several with commas"});
  const std::string empty = "lacuna: error: --frames: '': expected A, A-B or A-BxSTEP, ";
  expect({"run", "graph.cfg", "--frames", ""}, {empty + "several with commas, all or last"});
  expect({"run", "graph.cfg", "--frames="}, {"--frames"});
  expect({"denoise", "in.png", "-o", "out.png", "--frames", ""}, {empty});
  expect({"compare", "in.png", "in.png", "--frames", ""}, {empty + "or several with commas"});
}

TEST_F(Messages, OfOptions) {
  expect({"run", "graph.cfg", "--in-flight", "0"},
         {"lacuna: error: --in-flight: '0' is not a whole number from 1 to 64"});
  expect({"run", "graph.cfg", "--memory", "lots"},
         {"--memory: 'lots' is not a size: expected bytes, such as 500MB"});
  expect({"run", "graph.cfg", "-o"}, {"lacuna: error: --output needs a value: FILE"});
  expect({"tune", "graph.cfg", "--seconds", "-1"}, {"--seconds: '-1' is not a number from 0 on"});
  expect({"tune", "none.cfg", "--seconds", "0"}, {"none.cfg: error: the file cannot be read"});
  expect({"compare", "in.png", "in.png", "--max-relmse", "x"}, {"--max-relmse: 'x' is not a number"});
  expect({"plan", "graph.cfg", "--stage", "nodes", "--json"}, {"lacuna: error: --stage nodes has no JSON"});
  expect({"new", "/proc/x", "--kind", "stencil"}, {"lacuna: error: /proc/x: '/proc' takes no files"});
}

// The suggested remedy must not be a second module of the kind that reports the error.
TEST_F(Messages, OfColours) {
  spill(folder_.file("graph.cfg"),
        "lacuna:1\nmodule:i-png:01\nmodule:colour:01\nmodule:o-png:01\nparam:i-png:01:filename:\"in.png\"\n"
        "param:o-png:01:filename:\"out.png\"\nparam:colour:01:from:rec2020\nparam:colour:01:to:rec709\n"
        "connect:i-png:01:output:colour:01:input\nconnect:colour:01:output:o-png:01:input\n");
  expect({"run", "graph.cfg"}, {"takes rec2020, but i-png:01:output is rec709",
                                "hint: 'from' states the input's type: param:colour:01:from:rec709"});
}

TEST(Plan, IsOneScreen) {
  const Outcome plan = runProgram({"plan", photoGraph});
  ASSERT_EQ(plan.code, 0) << plan.err;
  EXPECT_LE(std::count(plan.out.begin(), plan.out.end(), '\n'), 24) << plan.out;
  EXPECT_EQ(plan.out.find("barrier"), std::string::npos) << plan.out;
  const Outcome verbose = runProgram({"plan", photoGraph, "--verbose"});
  EXPECT_NE(verbose.out.find("  barrier: "), std::string::npos) << verbose.out;
}

}  // namespace
}  // namespace lacuna::test
