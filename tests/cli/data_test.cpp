// Commands whose output is data: on stdout, and as JSON where a script asks for it.

#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "graph/compile/compile.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

TEST(Data, ModulesAndDescribe) {
  const Outcome list = runProgram({"modules"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.err, "");
  const nlohmann::json modules = jsonOf({"modules", "--json"});
  ASSERT_GE(modules.size(), 10U);
  for (const auto& module : modules) {
    const std::string name = module.at("name");
    EXPECT_NE(list.out.find(name), std::string::npos);
    const Outcome text = runProgram({"describe", name});
    EXPECT_EQ(text.code, 0);
    EXPECT_EQ(text.err, "");
    EXPECT_NE(text.out.find(module.at("summary").get<std::string>()), std::string::npos) << text.out;
    EXPECT_EQ(jsonOf({"describe", name, "--json"}).at("name"), name);
  }
}

TEST(Data, Devices) {
  const nlohmann::json devices = jsonOf({"devices", "--json"});
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.at(0).at("number"), 0);
  EXPECT_GT(devices.at(0).at("limits").at("memoryBytes").get<uint64_t>(), 0U);
  const nlohmann::json flat = devices.at(0).flatten();  // must outlive its items
  for (const auto& [name, value] : flat.items())
    EXPECT_EQ(name.find('_'), std::string::npos) << "names are written as in the other commands: " << name;
  const Outcome text = runProgram({"devices"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(text.out.starts_with("0: " + devices.at(0).at("name").get<std::string>())) << text.out;
}

TEST(Data, Plan) {
  const nlohmann::json plan = jsonOf({"plan", photoGraph, "--json", "--schedule", "eaw:01=rows4"});
  EXPECT_FALSE(plan.at("passes").empty());
  EXPECT_GT(plan.at("memory").at("arenaBytes").get<uint64_t>(), 0U);
  bool chosen = false;
  for (const auto& choice : plan.at("choices"))
    chosen = chosen || choice.at("schedule").get<std::string>().starts_with("rows4");
  EXPECT_TRUE(chosen) << plan.at("choices").dump(2);
}

TEST(Data, StagesOfPlan) {
  const Outcome all = runProgram({"plan", photoGraph, "-p", "eaw:01:levels=3", "--stage", "all"});
  EXPECT_EQ(all.code, 0) << all.err;
  size_t at = 0;
  std::string last;
  std::set<std::string> unchanged;
  for (const std::string stage : stageNames) {
    const Outcome alone = runProgram({"plan", photoGraph, "-p", "eaw:01:levels=3", "--stage", stage});
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_NE(alone.out.find("eaw:01"), std::string::npos) << stage;
    const bool isUnchanged = alone.out == last;
    const std::string part = "== " + stage + "\n" + (isUnchanged ? "(unchanged)\n" : alone.out);
    EXPECT_EQ(all.out.substr(at, part.size()), part);
    at += part.size();
    last = alone.out;
    if (isUnchanged)
      unchanged.insert(stage);
  }
  EXPECT_EQ(at, all.out.size());
  EXPECT_EQ(unchanged.count("order"), 1U);  // nothing to do
  for (const std::string stage : {"modules", "sources", "nodes", "plan", "layout", "frame"})
    EXPECT_EQ(unchanged.count(stage), 0U) << stage;
}

TEST(Data, PlansOfDevicesThatAreNotHere) {
  const auto families = [](const std::string& model) {
    std::string schedules;
    const nlohmann::json plan = jsonOf({"plan", photoGraph, "--model", model, "--json"});
    for (const auto& choice : plan.at("choices"))
      schedules += choice.at("schedule").get<std::string>() + " ";
    return schedules;
  };
  EXPECT_NE(families("nvidia"), families("lavapipe"));
  EXPECT_EQ(families("nvidia"), families("intel"));
}

TEST(Data, Compare) {
  const Folder folder;
  writeRandomPng(folder.file("a.png"), {16, 12});
  writeRandomPng(folder.file("b.png"), {16, 12});
  writeRandomPng(folder.file("small.png"), {15, 12});
  const nlohmann::json other = jsonOf({"compare", folder.file("a.png"), folder.file("b.png"), "--json"});
  EXPECT_GT(other.at("relMSE").get<double>(), 0.0);
  EXPECT_LT(other.at("PSNR").get<double>(), 20.0);
  const nlohmann::json same = jsonOf({"compare", folder.file("a.png"), folder.file("a.png"), "--json"});
  EXPECT_EQ(same.at("relMSE").get<double>(), 0.0);
  EXPECT_NEAR(same.at("SSIM").get<double>(), 1.0, 1e-9);
  for (const std::string file : {"small.png", "missing.png"}) {
    const Outcome outcome = runProgram({"compare", folder.file("a.png"), folder.file(file)});
    EXPECT_EQ(outcome.code, 2) << file;
    EXPECT_EQ(outcome.out, "") << file;
    EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace lacuna::test
