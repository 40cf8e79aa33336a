// `lacuna tune`, and its effect on `plan` and `run`.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/environment.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Tune : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in1.png"), {37, 23});
    writeRandomPng(folder_.file("in2.png"), {37, 23});
    spill(
        graph_,
        graphText("frames:2\ni-png eaw o-png\nparam:i-png:01:filename:\"in%d.png\"\nparam:i-png:01:first:1\n"
                  "param:o-png:01:filename:\"out%d.png\"\nparam:eaw:01:levels:1\nparam:eaw:01:noise:0.1\n"));
    runProgram({"tune", "--forget"});
  }
  void TearDown() override { unsetenv("LACUNA_TUNE_ALWAYS"); }

  nlohmann::json jsonOf(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return readJson(outcome.out);
  }
  // The candidates of the plan that are measured.
  std::vector<std::string> measured() const {
    std::vector<std::string> names;
    const nlohmann::json plan = jsonOf({"plan", graph_});
    for (const auto& candidate : plan.at("choices").at(0).at("candidates"))
      if (candidate.at("measured").get<bool>())
        names.push_back(candidate.at("schedule"));
    return names;
  }

  const Folder folder_;
  const std::string graph_ = folder_.file("graph.cfg");
};

TEST_F(Tune, MeasuresAndPlanTakesTheFastest) {
  EXPECT_TRUE(measured().empty());
  const nlohmann::json tuned = jsonOf({"tune", graph_, "--schedule", "rows2/buffer/pass", "--runs", "2"});
  const nlohmann::json& chain = tuned.at("filters").at(0);
  EXPECT_EQ(chain.at("node"), "eaw:01:atrous");
  // The requested schedule, and the previous choice.
  ASSERT_EQ(chain.at("measured").size(), 2U);
  EXPECT_GT(chain.at("measured").at(0).at("ms").get<double>(), 0.0);
  const std::vector<std::string> known = measured();
  ASSERT_EQ(known.size(), 2U);
  const nlohmann::json plan = jsonOf({"plan", graph_}).at("choices").at(0);
  EXPECT_EQ(plan.at("schedule"), chain.at("measured").at(0).at("schedule"));
  EXPECT_EQ(plan.at("schedule"), chain.at("auto"));
  EXPECT_EQ(plan.at("schedule"), known.front());
  const std::string shown = std::regex_replace(runProgram({"plan", graph_}).out, std::regex("\\s+"), " ");
  EXPECT_NE(shown.find("auto: the fastest of 2 measured on 2"), std::string::npos) << shown;
  // Forgotten: as before.
  EXPECT_EQ(runProgram({"tune", graph_, "--forget"}).out, "forgot the measurements of 1 filter\n");
  EXPECT_TRUE(measured().empty());
}

// Measurements as a file: another machine's count, but less than those of this one.
TEST_F(Tune, ResultsCanBeSentToAnotherMachine) {
  const std::string file = folder_.file("found.json");
  EXPECT_EQ(runProgram({"tune", "--export", file}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(file)) << "nothing was measured";
  jsonOf({"tune", graph_, "--schedule", "rows2/buffer/pass", "--runs", "2", "--export", file});
  const nlohmann::json found = readJson(slurp(file));
  EXPECT_EQ(found.at("program").get<std::string>() + "\n", runProgram({"--version"}).out);
  EXPECT_EQ(found.at("filters").size(), 1U);
  EXPECT_EQ(found.at("filters").at(0).at("filter"), "eaw:atrous");
  EXPECT_EQ(runProgram({"tune", "--export", "-"}).out, slurp(file));
  EXPECT_EQ(jsonOf({"tune", "--import", file}), nlohmann::json({{"kept", 0}, {"stayed", 1}}));

  runProgram({"tune", "--forget"});
  EXPECT_EQ(jsonOf({"tune", "--import", file}), nlohmann::json({{"kept", 1}, {"stayed", 0}}));
  EXPECT_EQ(measured().size(), 2U);
  const Outcome shown = runProgram({"plan", graph_});
  EXPECT_NE(shown.out.find("on another machine"), std::string::npos) << shown.out;
  EXPECT_EQ(runProgram({"tune", "--export", folder_.file("again.json")}).code, 2) << "not measured here";
  jsonOf({"tune", graph_, "--schedule", "rows3/buffer/pass", "--runs", "2"});
  EXPECT_EQ(measured().front().substr(0, 4), "rows");
  EXPECT_EQ(runProgram({"plan", graph_}).out.find("on another machine"), std::string::npos);

  // Another driver is reported.
  nlohmann::json other = found;
  other["driver"] = "driver 7";
  spill(file, other.dump());
  const Outcome told = runProgram({"tune", "--import", file});
  EXPECT_EQ(told.code, 0);
  EXPECT_NE(told.err.find("measured with driver driver 7, here is " + found.at("driver").get<std::string>()),
            std::string::npos)
      << told.err;
}

// A file that is cut anywhere, or lacks anything, is refused, and nothing of it is kept.
TEST_F(Tune, WrongFilesAreRefused) {
  const std::string file = folder_.file("found.json");
  jsonOf({"tune", graph_, "--schedule", "rows2/buffer/pass", "--runs", "2", "--export", file});
  runProgram({"tune", "--forget"});
  const nlohmann::json right = readJson(slurp(file));
  const auto refusal = [&](const std::string& text) {
    spill(file, text);
    const Outcome outcome = runProgram({"tune", "--import", file});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_TRUE(outcome.err.starts_with("lacuna: error: --import " + file + ": ")) << outcome.err;
    EXPECT_TRUE(measured().empty());
    return outcome.err.substr(0, outcome.err.find('\n'));
  };
  const auto with = [&](const char* place, const nlohmann::json& value) {
    nlohmann::json wrong = right;
    wrong[nlohmann::json::json_pointer(place)] = value;
    return refusal(wrong.dump());
  };
  EXPECT_TRUE(refusal(right.dump().substr(0, 100)).ends_with("expected JSON by `lacuna tune --export`"));
  EXPECT_TRUE(with("/version", 4)
                  .ends_with("version: expected 3, this program's; export it again by a program of "
                             "the same version, found 4"));
  EXPECT_TRUE(with("/format", "else").ends_with("format: expected \"lacuna tuning\", found \"else\""));
  EXPECT_NE(with("/device", "NVIDIA H200").find("these are measurements of NVIDIA H200, expected those of "),
            std::string::npos);
  EXPECT_TRUE(
      with("/filters/0/pixels", -1).ends_with("filters[0].pixels: expected a number of pixels, found -1"));
  EXPECT_TRUE(with("/filters/0/ms", nlohmann::json::object())
                  .ends_with("filters[0].ms: expected the milliseconds of at least one schedule, found {}"));
  EXPECT_TRUE(with("/filters/0/ms/rows2", "fast")
                  .ends_with("filters[0].ms.rows2: expected milliseconds above 0, found \"fast\""));
  EXPECT_TRUE(with("/filters/0/date", 7).ends_with("filters[0].date: expected a text, found 7"));
  EXPECT_TRUE(refusal("[]").ends_with("the file: expected an object by `lacuna tune --export`, found []"));
}

// A kernel's variants: inexact ones are measured on request, and never chosen.
TEST_F(Tune, MeasuresVariantsOfKernels) {
  spill(graph_, graphText("i-png bilateral-study o-png\nparam:i-png:01:filename:\"in1.png\"\n"
                          "param:i-png:01:precision:u8\nparam:o-png:01:filename:\"out.png\"\n"
                          "param:bilateral-study:01:radius:1\nparam:bilateral-study:01:iterations:2\n"));
  const Environment modules("LACUNA_MODULES", benchModules());
  EXPECT_TRUE(measured().empty());
  const nlohmann::json tuned = jsonOf({"tune", graph_, "--schedule", "constant", "--schedule", "exponent@8x8",
                                       "--schedule", "tiles@8x8/n1", "--runs", "2", "--seconds", "0"});
  ASSERT_EQ(tuned.at("filters").size(), 1U);  // its two iterations are one
  const nlohmann::json& filter = tuned.at("filters").at(0);
  // The requested schedules, the previous choice, and those around `constant`: workgroups, and then images
  // with the best of them. If another variant comes close in time, the schedules around that one, too.
  std::vector<std::string> known = measured();
  EXPECT_EQ(known.size(), filter.at("measured").size());
  for (const char* name :
       {"exponent@8x8/n4/image", "tiles@8x8/n1/buffer", "pairs@32x4/image", "constant@16x16/buffer",
        "constant@8x8/buffer", "constant@4x4/buffer", "constant@32x32/buffer", "constant@32x8/buffer"})
    EXPECT_EQ(std::erase(known, name), 1U) << name;
  EXPECT_TRUE(std::any_of(known.begin(), known.end(), [](const std::string& name) {
    return name.starts_with("constant@") && name.ends_with("/image");
  }));
  const nlohmann::json plan = jsonOf({"plan", graph_});
  std::string fastest;
  for (const auto& each : filter.at("measured")) {
    const std::string name = each.at("schedule");
    fastest = fastest.empty() && !name.starts_with("exponent") ? name : fastest;
  }
  for (const auto& choice : plan.at("choices")) {
    EXPECT_EQ(choice.at("schedule"), fastest);
    EXPECT_NE(choice.at("reason").get<std::string>().find("auto: the fastest of "), std::string::npos);
  }
  EXPECT_EQ(plan.at("choices").size(), 2U);
  EXPECT_EQ(runProgram({"run", graph_, "--no-progress"}, {.folder = folder_.path()}).code, 0);
  EXPECT_EQ(runProgram({"tune", graph_, "--forget"}).out, "forgot the measurements of 1 filter\n");
  EXPECT_TRUE(measured().empty());
}

TEST_F(Tune, LongRunsMeasureQuietly) {
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run", graph_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = runProgram(arguments, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  run({"--no-progress"});  // a CPU device: never
  EXPECT_TRUE(measured().empty());
  const std::string plain = slurp(folder_.file("out1.png"));
  EXPECT_FALSE(plain.empty());
  setenv("LACUNA_TUNE_ALWAYS", "1", 1);
  run({"--no-progress", "--no-tune"});
  EXPECT_TRUE(measured().empty());
  EXPECT_NE(run({"--progress"}).find("eaw:01:atrous: measured"), std::string::npos);
  EXPECT_GE(measured().size(), 2U);
  EXPECT_EQ(slurp(folder_.file("out1.png")), plain);
  EXPECT_EQ(run({"--progress"}).find("measured"), std::string::npos);  // known by now
}

}  // namespace
}  // namespace lacuna::test
