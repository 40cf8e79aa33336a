// Wrong graphs, through the program: exit 2, nothing on stdout, every message on stderr, no file touched.

#include <sstream>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

const std::string folder = LACUNA_TEST_FOLDER "/error";

std::vector<std::string> wrongGraphs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cfg") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> errorLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("error: ") != std::string::npos) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class WrongGraphs : public testing::TestWithParam<std::string> {};

TEST_P(WrongGraphs, ExitWith2AndTouchNothing) {
  const std::string before = listing(folder);
  for (const std::string command : {"run", "check", "plan"}) {
    SCOPED_TRACE(command);
    const Outcome outcome =
        runProgram({command, GetParam() + ".cfg", "--modules", "modules"}, {.folder = folder});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& line : errorLines(slurp(folder + "/" + GetParam() + ".expected"))) {
      EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\nis not in\n" << outcome.err;
    }
  }
  EXPECT_EQ(listing(folder), before);
}

INSTANTIATE_TEST_SUITE_P(Files, WrongGraphs, testing::ValuesIn(wrongGraphs()), testName);

// Several mistakes of one file, in the order of its lines, each with its line and a caret.
TEST(Check, ReportsEverythingAtOnceInOrder) {
  const Outcome outcome =
      runProgram({"check", "39-everything-at-once.cfg", "--modules", "modules"}, {.folder = folder});
  const std::vector<std::string> lines = errorLines(outcome.err);
  ASSERT_GE(lines.size(), 5U) << outcome.err;
  std::pair<int, int> last{0, 0};
  for (const std::string& line : lines) {
    std::pair<int, int> place;
    ASSERT_EQ(
        std::sscanf(line.c_str(), "39-everything-at-once.cfg:%d:%d: error: ", &place.first, &place.second), 2)
        << line;
    EXPECT_LT(last, place) << line;
    last = place;
  }
  EXPECT_EQ(outcome.code, 2);
}

// One wrong file among several is reported, in any place.
TEST(Check, TakesSeveralFiles) {
  const Folder here;
  writeRandomPng(here.file("in.png"), {5, 3});
  spill(here.file("good.cfg"), exposureGraph("in.png", "out.png"));
  spill(here.file("bad.cfg"), exposureGraph("in.png", "out.png", "param:exposure:01:stps:1\n"));
  EXPECT_EQ(runProgram({"check", here.file("good.cfg"), here.file("good.cfg")}).code, 0);
  EXPECT_EQ(runProgram({"check", here.file("bad.cfg"), here.file("good.cfg")}).code, 2);
  const Outcome last = runProgram({"check", here.file("good.cfg"), here.file("bad.cfg")});
  EXPECT_EQ(last.code, 2);
  EXPECT_NE(last.err.find("did you mean 'stops'?"), std::string::npos) << last.err;
  EXPECT_FALSE(fs::exists(here.file("out.png")));
}

}  // namespace
}  // namespace lacuna::test
