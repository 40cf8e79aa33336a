// lacuna graph: the drawing shows the graph.

#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Draw : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {7, 5});
    spill(folder_.file("graph.cfg"),
          exposureGraph("in.png", "out.png",
                        "module:eaw:01\nmodule:o-png:02\nconnect:i-png:01:output:eaw:01:input\n"
                        "connect:eaw:01:output:o-png:02:input\nparam:o-png:02:filename:\"two.png\"\n"));
  }

  size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  }

  const Folder folder_;
};

TEST_F(Draw, ModulesAndConnections) {
  const Outcome outcome = runProgram({"graph", folder_.file("graph.cfg")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count(outcome.out, " -> "), 4U) << outcome.out;
  for (const char* line : {"digraph lacuna {", "\"i-png:01\" -> \"exposure:01\"",
                           "\"exposure:01\" -> \"o-png:01\"", "\"i-png:01\" -> \"eaw:01\""}) {
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << " is not in\n" << outcome.out;
  }
}

TEST_F(Draw, NodesAndTypes) {
  const std::string file = folder_.file("nodes.dot");
  const Outcome outcome = runProgram({"graph", folder_.file("graph.cfg"), "--nodes", "-o", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string dot = slurp(file);
  for (const char* part : {"7x5", "stencil, ", "label=\"eaw:01\"", "pointwise"}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part << " is not in\n" << dot;
  }
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
}

TEST_F(Draw, SvgTakesGraphvizOrSaysSo) {
  const std::string svg = folder_.file("graph.svg");
  const std::string tools = folder_.file("tools");
  fs::create_directories(tools);
  const std::string path = std::getenv("PATH");
  setenv("PATH", tools.c_str(), 1);
  const Outcome without = runProgram({"graph", folder_.file("graph.cfg"), "-o", svg});
  EXPECT_EQ(without.code, 4);
  EXPECT_NE(without.err.find("install graphviz"), std::string::npos) << without.err;

  // A replacement for graphviz, which writes its arguments and its input.
  spill(tools + "/dot",
        "#!/bin/sh\n{ echo \"$1 $2\"; while read -r line; do echo \"$line\"; done <\"$4\"; } >\"$3\"\n");
  fs::permissions(tools + "/dot", fs::perms::owner_all);
  const Outcome with = runProgram({"graph", folder_.file("graph.cfg"), "-o", svg});
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(slurp(svg).rfind("-Tsvg -o\ndigraph lacuna {", 0), 0U) << slurp(svg);

  spill(tools + "/dot", "#!/bin/sh\nexit 1\n");
  fs::remove(svg);
  EXPECT_EQ(runProgram({"graph", folder_.file("graph.cfg"), "-o", svg}).code, 4);
  setenv("PATH", path.c_str(), 1);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().string().find("part"), std::string::npos) << entry.path();
    EXPECT_NE(entry.path().string(), svg);
  }
}

TEST_F(Draw, OtherEndingsAreRefused) {
  const std::string before = listing(folder_.path());
  const Outcome outcome = runProgram({"graph", folder_.file("graph.cfg"), "-o", folder_.file("graph.png")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find(".dot, .gv or .svg"), std::string::npos) << outcome.err;
  EXPECT_EQ(listing(folder_.path()), before);
}

}  // namespace
}  // namespace lacuna::test
