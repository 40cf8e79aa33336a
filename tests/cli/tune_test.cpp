// `lacuna tune`, and what `plan` and `run` make of it.

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace lacuna::test {
namespace {

class Tune : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in1.png"), {37, 23});
    writeRandomPng(folder_.file("in2.png"), {37, 23});
    spill(graph_,
          "lacuna:1\nframes:2\nmodule:i-png:01\nmodule:eaw:01\nmodule:o-png:01\n"
          "param:i-png:01:filename:\"in%d.png\"\nparam:i-png:01:first:1\n"
          "param:o-png:01:filename:\"out%d.png\"\nparam:eaw:01:levels:1\nparam:eaw:01:noise:0.1\n"
          "connect:i-png:01:output:eaw:01:input\nconnect:eaw:01:output:o-png:01:input\n");
    runProgram({"tune", "--forget"});
  }
  void TearDown() override { unsetenv("LACUNA_TUNE_ALWAYS"); }

  nlohmann::json jsonOf(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return nlohmann::json::parse(outcome.out);
  }
  // The candidates of the plan that are measured.
  std::vector<std::string> measured() const {
    std::vector<std::string> names;
    const nlohmann::json plan = jsonOf({"plan", graph_});
    for (const auto& candidate : plan.at("choices").at(0).at("candidates")) {
      if (candidate.at("measured").get<bool>()) {
        names.push_back(candidate.at("schedule"));
      }
    }
    return names;
  }

  const Folder folder_;
  const std::string graph_ = folder_.file("graph.cfg");
};

TEST_F(Tune, MeasuresAndPlanTakesTheFastest) {
  EXPECT_TRUE(measured().empty());
  const nlohmann::json tuned = jsonOf({"tune", graph_, "--schedule", "rows2/buffer/pass", "--runs", "2"});
  const nlohmann::json& chain = tuned.at("chains").at(0);
  EXPECT_EQ(chain.at("node"), "eaw:01:atrous");
  // The one asked for, and the one that was taken before.
  ASSERT_EQ(chain.at("measured").size(), 2U);
  EXPECT_GT(chain.at("measured").at(0).at("ms").get<double>(), 0.0);
  const std::vector<std::string> known = measured();
  ASSERT_EQ(known.size(), 2U);
  const nlohmann::json plan = jsonOf({"plan", graph_}).at("choices").at(0);
  EXPECT_EQ(plan.at("schedule"), chain.at("measured").at(0).at("schedule"));
  EXPECT_EQ(plan.at("schedule"), chain.at("auto"));
  EXPECT_EQ(plan.at("schedule"), known.front());
  const Outcome shown = runProgram({"plan", graph_});
  EXPECT_NE(shown.out.find("auto: the fastest of 2 measured on 2"), std::string::npos) << shown.out;
  // Forgotten: as before.
  EXPECT_EQ(runProgram({"tune", graph_, "--forget"}).out, "forgot the measurements of 1 filter\n");
  EXPECT_TRUE(measured().empty());
}

TEST_F(Tune, LongRunsMeasureQuietly) {
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run", graph_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  run({"--no-progress"});  // a CPU device: never
  EXPECT_TRUE(measured().empty());
  const std::string plain = slurp(folder_.file("out1.png"));
  setenv("LACUNA_TUNE_ALWAYS", "1", 1);
  run({"--no-progress", "--no-tune"});
  EXPECT_TRUE(measured().empty());
  EXPECT_NE(run({"--progress"}).find("eaw:01:atrous: measured"), std::string::npos);
  EXPECT_GE(measured().size(), 2U);
  EXPECT_EQ(slurp(folder_.file("out1.png")), plain);
  EXPECT_EQ(run({"--progress"}).find("measured"), std::string::npos);  // known by now
}

TEST_F(Tune, SaysWhatIsWrong) {
  const auto fails = [&](const std::vector<std::string>& arguments, const std::string& text) {
    const Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  fails({"tune"}, "which graph?");
  fails({"tune", folder_.file("none.cfg")}, "none.cfg");
  fails({"tune", graph_, "--schedule", "rowz"}, "no schedule is called so");
  fails({"tune", graph_, "--schedule", "eaw:02=rows"}, "no module 'eaw:02'");
  fails({"tune", graph_, "--seconds", "-1"}, "--seconds");
}

}  // namespace
}  // namespace lacuna::test
