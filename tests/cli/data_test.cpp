// Commands whose output is data: on stdout, and as JSON where a script asks for it.

#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/cli/program.h"
#include "tests/support/places.h"

namespace lacuna::test {
namespace {

// Exit 0 and JSON on stdout; null if not.
nlohmann::json jsonOf(const std::vector<std::string>& arguments) {
  const Outcome outcome = runProgram(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << outcome.out;
  return json.is_discarded() ? nlohmann::json() : json;
}

const std::string photo = LACUNA_TEST_FOLDER "/../pipelines/photo.cfg";

// Little output waits in a buffer until the end, much of it fails on the way.
TEST(Data, WhatCannotBePrintedIsExit4) {
  const Folder folder;
  for (const std::string words : {"modules", "completion bash", "devices --json"}) {
    const std::string line = place("LACUNA_PROGRAM", LACUNA_PROGRAM) + " " + words;
    const int status = std::system((line + " >/dev/full 2>'" + folder.file("err") + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 4) << words;
    EXPECT_NE(slurp(folder.file("err")).find("No space left"), std::string::npos) << words;
  }
}

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

TEST(Data, ModulesOfAUser) {
  const std::string examples = LACUNA_TEST_FOLDER "/../examples";
  EXPECT_EQ(runProgram({"describe", "chroma-smooth"}).code, 2);
  EXPECT_EQ(jsonOf({"describe", "chroma-smooth", "--json", "--modules", examples}).at("name"),
            "chroma-smooth");
}

TEST(Data, BrokenModuleIsSaid) {
  const Outcome outcome = runProgram({"describe", "syntax", "--modules", LACUNA_TEST_FOLDER "/error/broken"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("module.toml:"), std::string::npos) << outcome.err;
}

TEST(Data, BenchOfAGraph) {
  const Folder folder;
  const nlohmann::json bench =
      jsonOf({"bench", "graph", photo, "-p", "eaw:01:levels=2", "--schedule", "rows2", "--runs", "3",
              "--preheat", "0", "--device", "cpu", "--json", "-o", folder.file("bench.json")});
  EXPECT_EQ(nlohmann::json::parse(slurp(folder.file("bench.json"))), bench);
  EXPECT_EQ(bench.at("runs"), 3);
  EXPECT_NE(bench.at("schedules").dump().find("rows2"), std::string::npos);
  double ms = 0.0, read = 0.0, share = 0.0, transferred = 0.0;
  for (const nlohmann::json& pass : bench.at("passes")) {
    const bool isTransfer = pass.at("isTransfer");
    EXPECT_GT(pass.at("ms").get<double>(), 0.0);
    EXPECT_EQ(pass.at("floorMs").get<double>() == 0.0, isTransfer);
    ms += isTransfer ? 0.0 : pass.at("ms").get<double>();
    read += isTransfer ? 0.0 : pass.at("bytesRead").get<double>();
    share += pass.at("share").get<double>();
    transferred +=
        isTransfer ? pass.at("bytesRead").get<double>() + pass.at("bytesWritten").get<double>() : 0.0;
  }
  EXPECT_NEAR(bench.at("ms").get<double>(), ms, 1e-9);
  EXPECT_EQ(bench.at("bytes").at("read"), read);
  EXPECT_NEAR(share, 1.0, 1e-9);
  EXPECT_EQ(bench.at("floor").at("bytes"), transferred);
  EXPECT_GT(bench.at("wallMs").get<double>(), bench.at("inOneGoMs").get<double>());
  const Outcome text = runProgram({"bench", "graph", photo, "--runs", "3", "--preheat", "0", "--limit", "0"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* word : {"medians of 3 runs", "x floor", "share", "all in one go", "wall time"}) {
    EXPECT_NE(text.out.find(word), std::string::npos) << text.out;
  }
}

TEST(Data, Devices) {
  EXPECT_FALSE(jsonOf({"devices", "--json"}).empty());
  const Outcome text = runProgram({"devices"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out, "");
}

TEST(Data, Plan) {
  const nlohmann::json plan = jsonOf({"plan", photo, "--json", "--schedule", "eaw:01=rows4"});
  EXPECT_FALSE(plan.at("passes").empty());
  EXPECT_GT(plan.at("memory").at("arenaBytes").get<uint64_t>(), 0U);
  bool chosen = false;
  for (const auto& choice : plan.at("choices")) {
    chosen = chosen || choice.at("schedule").get<std::string>().starts_with("rows4");
  }
  EXPECT_TRUE(chosen) << plan.at("choices").dump(2);
  for (const std::string stage : {"modules", "nodes", "cull", "fuse", "schedule", "shaders"}) {
    const Outcome outcome = runProgram({"plan", photo, "--stage", stage});
    EXPECT_EQ(outcome.code, 0) << stage;
    EXPECT_NE(outcome.out.find("eaw:01"), std::string::npos) << stage << "\n" << outcome.out;
  }
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

TEST(Data, Bench) {
  const Folder folder;
  const nlohmann::json bench =
      jsonOf({"bench", "atrous", "--size", "24x16", "--filter", "guided", "--schedule", "rows2/buffer",
              "--runs", "1", "--preheat", "0", "--json", "-o", folder.file("bench.json")});
  ASSERT_EQ(bench.at("rows").size(), 2U) << "the baseline, and what was asked for";
  const nlohmann::json& row = bench.at("rows").back();
  EXPECT_EQ(row.at("family"), "rows2");
  EXPECT_EQ(row.at("passes").size(), 5U);
  EXPECT_GT(row.at("ms").get<double>(), 0.0);
  const double baselineMs = bench.at("rows").front().at("ms").get<double>();
  EXPECT_NEAR(row.at("speedup").get<double>() * row.at("ms").get<double>(), baselineMs, 1e-6 * baselineMs);
  // Colour in and out, 8 bytes each, and the geometry, as many.
  EXPECT_NEAR(row.at("floorMs").get<double>() * 1e-3 * bench.at("copyBytesPerSecond").get<double>(),
              24 * 16 * 24, 1.0);
  const nlohmann::json& summary = bench.at("summary").front();
  EXPECT_LE(summary.at("bestMs").get<double>(), summary.at("autoMs").get<double>());
  EXPECT_EQ(nlohmann::json::parse(slurp(folder.file("bench.json"))), bench);
}

TEST(Data, BenchWithoutADevice) {
  const nlohmann::json borders = jsonOf({"bench", "borders", "--json"});
  ASSERT_EQ(borders.size(), 60U) << "two kernels, six strategies, five levels";
  for (const nlohmann::json& row : borders) {
    const auto weights = row.at("weightsY").get<std::vector<double>>();
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-9) << row;
  }
  const nlohmann::json caches = jsonOf({"bench", "caches", "--size", "64x48", "--filter", "eaw", "--json"});
  ASSERT_FALSE(caches.empty());
  for (const nlohmann::json& row : caches) {
    EXPECT_GT(row.at("ms").get<double>(), 0.0) << row;
    EXPECT_GE(row.at("firstHitRate").get<double>(), 0.0) << row;
    EXPECT_LT(row.at("firstHitRate").get<double>(), 1.0) << row;
    EXPECT_LE(row.at("busy").at("fetch").get<double>(), 1.0 + 1e-9) << row;
  }
}

}  // namespace
}  // namespace lacuna::test
