// Large pictures run in tiles.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class TiledGraphs : public testing::Test {
 protected:
  // With eaw, whose estimate of the noise depends on the whole picture.
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {401, 283});
    spill(graph_,
          exposureGraph("in.png", "out.png",
                        "module:eaw:01\nmodule:o-png:02\nconnect:exposure:01:output:eaw:01:input\n"
                        "connect:eaw:01:output:o-png:02:input\nparam:o-png:02:filename:\"filtered.png\"\n"
                        "param:eaw:01:levels:3\n"));
  }
  uint64_t arenaBytes() const { return jsonOf({"plan", graph_, "--json"}).at("memory").at("arenaBytes"); }
  Outcome run(const std::vector<std::string>& options = {}, const std::string& command = "run") const {
    std::vector<std::string> words = {command, graph_};
    words.insert(words.end(), options.begin(), options.end());
    return runProgram(words, {.folder = folder_.path()});
  }

  const Folder folder_;
  const std::string graph_ = folder_.file("graph.cfg");
};

TEST_F(TiledGraphs, AreTheWholePicture) {
  ASSERT_EQ(run().code, 0);
  const uint64_t bytes = arenaBytes();
  const std::string most = std::to_string(bytes / 2);
  const Outcome tiled =
      run({"--memory", most, "-o", "o-png:01=tiled.png", "-o", "o-png:02=filtered-tiled.png"});
  EXPECT_EQ(tiled.code, 0) << tiled.err;
  EXPECT_EQ(slurp(folder_.file("out.png")), slurp(folder_.file("tiled.png")));
  EXPECT_EQ(slurp(folder_.file("filtered.png")), slurp(folder_.file("filtered-tiled.png")));
  const auto plan = jsonOf({"plan", graph_, "--json", "--memory", most});
  EXPECT_GT(plan.at("tiles").at("columns").get<int>() * plan.at("tiles").at("rows").get<int>(), 1);
  EXPECT_GT(plan.at("tiles").at("work").get<double>(), 1.0);
  EXPECT_LE(plan.at("memory").at("arenaBytes").get<uint64_t>(), bytes / 2);
  EXPECT_NE(run({"--memory", most}, "plan").out.find("halo of 22"), std::string::npos);
  uint64_t little = bytes / 2;
  for (double work = 1.0; work <= 2.0;) {
    little = little * 3 / 4;
    work = jsonOf({"plan", graph_, "--json", "--memory", std::to_string(little)}).at("tiles").at("work");
  }
  const Outcome slow = run({"--memory", std::to_string(little)});
  EXPECT_EQ(slow.code, 0);
  EXPECT_NE(slow.err.find("times its pixels"), std::string::npos) << slow.err;
  const Outcome refused = run({"--memory", most, "--schedule", "eaw:01=tiled-mirrored/buffer/pass"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("isn't exact"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace lacuna::test
