// The report of `bench gemm`: its figures are consistent, and wrong products have no speed.
// Speeds themselves are not tested.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "tests/support/changed_module.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

std::vector<std::string> benchGemm(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"bench",     "gemm", "--runs",       "2",     "--limit",  "0",
                                  "--preheat", "0",    "--candidates", "first", "--device", "cpu"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

// For one table: derived values of its rows must follow from their milliseconds.
void expectGemmConsistent(const nlohmann::json& table) {
  const double operations = table.at("operations"), bytes = table.at("leastBytes");
  const double n = table.at("n"), p = table.at("p"), m = table.at("m");
  EXPECT_EQ(operations, 2 * n * p * m);
  EXPECT_EQ(bytes, 2 * (n * p + p * m + n * m));
  double study = INFINITY, ours = INFINITY;
  for (const nlohmann::json& row : table.at("rows")) {
    if (row.contains("refused")) {
      EXPECT_NE(row.at("refused").get<std::string>().find("VK_NV_cooperative_matrix2"), std::string::npos)
          << row;
      continue;
    }
    const double ms = row.at("ms");
    EXPECT_GT(ms, 0.0) << row;
    EXPECT_LE(row.at("leastMs"), ms) << row;
    EXPECT_GE(row.at("mostMs"), ms) << row;
    EXPECT_EQ(row.at("runs"), 2) << row;
    EXPECT_GE(row.at("leastMs").get<double>() * row.at("timesInARow").get<double>(), 2.0 * 0.999) << row;
    EXPECT_NEAR(row.at("operationsPerSecond").get<double>() * ms * 1e-3, operations, 1e-6 * operations)
        << row;
    EXPECT_NEAR(row.at("bytesPerSecond").get<double>() * ms * 1e-3, bytes, 1e-6 * bytes) << row;
    EXPECT_GT(row.at("error"), 0.0) << row;
    EXPECT_LT(row.at("error"), table.at("accumulate") == "f32" ? 5e-4 : 5e-3) << row;
    double& fastest = row.at("ofStudy") ? study : ours;
    fastest = std::min(fastest, ms);
  }
  if (ours < INFINITY) {
    EXPECT_EQ(table.at("fastest").at("ms"), ours);
    EXPECT_NEAR(table.at("timesStudy"), study / ours, 1e-9 * study / ours);
  }
}

TEST(Bench, GemmMeasuresEveryVariant) {
  const Folder folder;
  const Outcome text = runProgram(
      benchGemm({"--size", "48", "--pack", "none", "--accumulate", "f32", "-o", folder.file("bench.json")}));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("our fastest"), std::string::npos) << text.out;
  const nlohmann::json bench = readJson(slurp(folder.file("bench.json")));
  ASSERT_EQ(bench.at("tables").size(), 2U) << "and the best of each";
  const nlohmann::json& table = bench.at("tables").front();
  expectGemmConsistent(table);
  EXPECT_FALSE(table.contains("packing")) << "rows of 48 are read as they come";
  std::vector<std::string> study, variants;
  for (const nlohmann::json& row : table.at("rows")) {
    variants.push_back(row.at("variant"));
    if (row.at("ofStudy"))
      study.push_back(row.at("variant"));
  }
  std::sort(study.begin(), study.end());
  EXPECT_EQ(study, (std::vector<std::string>{"coopmat", "naive", "shared", "tiled"}));
  EXPECT_GT(variants.size(), study.size()) << "ours";
  const nlohmann::json module = jsonOf({"describe", "coopmat-gemm", "--json"});
  size_t ofProducts = 0;
  for (const nlohmann::json& variant : module.at("variants")) {
    const nlohmann::json& nodes = variant.at("nodes");
    ofProducts += std::count(nodes.begin(), nodes.end(), "product") > 0 ? 1 : 0;
  }
  EXPECT_EQ(variants.size(), ofProducts);
  for (const nlohmann::json& kernel : bench.at("study").at("figures")) {
    EXPECT_EQ(kernel.at("operationsPerSecond").get<double>(),
              2.0 * kernel.at("multiplyAddsPerSecond").get<double>());
  }
}

TEST(Bench, GemmOfSeveralShapesSumsAndLayouts) {
  const std::vector<std::string> words = benchGemm(
      {"--size", "32,40", "--shape", "33x20x17", "--schedule", "naive@32x4", "--schedule", "shared"});
  std::vector<std::string> json = words;
  json.emplace_back("--json");
  const nlohmann::json bench = jsonOf(json);
  std::vector<std::string> tables;
  for (const nlohmann::json& table : bench.at("tables")) {
    tables.push_back(fmt::format("{} {} {} {} {}", table.at("n").get<int>(), table.at("p").get<int>(),
                                 table.at("m").get<int>(), table.at("accumulate").get<std::string>(),
                                 table.at("input").get<std::string>()));
    expectGemmConsistent(table);
    EXPECT_EQ(table.at("rows").size(), 2U);
    EXPECT_FALSE(table.contains("timesStudy")) << "none of ours was measured";
    // Sizes that aren't multiples of 16 are packed in any case.
    EXPECT_EQ(table.contains("packing"), table.at("n") != 32 || table.at("input") != "row-major") << table;
  }
  std::vector<std::string> expected;
  for (const char* shape : {"32 32 32", "40 40 40", "33 20 17"}) {
    for (const char* sums : {"f32", "f16"})
      for (const char* input : {"row-major", "panels"})  // these kernels don't read fragments
        expected.push_back(fmt::format("{} {} {}", shape, sums, input));
  }
  EXPECT_EQ(tables, expected);

  const Outcome text = runProgram(words);
  ASSERT_EQ(text.code, 0) << text.err;
  for (const std::string_view line : splitLines(text.out))
    EXPECT_LE(line.size(), 120U) << line;
  for (const char* part : {"33x20x17, f16 sums, panels", "   naive@32x4/buffer", "packing both",
                           "a multiply-add as one operation", "not known here"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
}

TEST(Bench, GemmLeavesOutWhatTakesTooLong) {
  const Outcome text =
      runProgram({"bench", "gemm", "--runs", "2", "--preheat", "0", "--candidates", "first", "--device",
                  "cpu", "--size", "32,64", "--schedule", "naive", "--pack", "panels", "--limit", "1e-9"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("left out: 3 products would take"), std::string::npos) << text.out;
}

// Measures with another naive kernel.
Outcome changedGemm(const std::string& from, const std::string& to) {
  return ChangedModule("coopmat-gemm", "naive.glsl", from, to)
      .run(benchGemm(
          {"--size", "32", "--schedule", "naive", "--pack", "none", "--accumulate", "f32", "--json"}));
}

TEST(Bench, GemmDoesNotTimeWrongProducts) {
  const std::string last = "at.row == rows - 1 && at.column == columns - 1";
  const std::pair<std::string, std::string> changes[] = {
      {"  finish(at, sum);", "  finish(at, " + last + " ? sqrt(float(-rows)) : sum);"},
      {"  finish(at, sum);", "  if (!(" + last + ")) { finish(at, sum); }"},
      {"k < inner", "k < inner - 1"}};
  for (const auto& [from, to] : changes) {
    const Outcome outcome = changedGemm(from, to);
    EXPECT_EQ(outcome.code, 1) << to << outcome.err;
    EXPECT_NE(outcome.err.find("1 of the schedules compute wrong results"), std::string::npos) << outcome.err;
    const nlohmann::json row = readJson(outcome.out).at("tables").at(0).at("rows").at(0);
    EXPECT_EQ(row.at("wrong"), true) << row;
    EXPECT_FALSE(row.contains("ms")) << row;
    EXPECT_NE(row.at("refused").get<std::string>().find("wrong: relative error"), std::string::npos) << row;
  }
  EXPECT_EQ(changedGemm("k < inner", "k < inner - 0").code, 0) << "else nothing was wrong";
}

TEST(Bench, GemmNamesWhatIsWrong) {
  const Outcome sizes =
      runProgram(benchGemm({"--size", "16,0", "--size", "8x8", "--shape", "3x4", "--shape", "1x2x3x4"}));
  EXPECT_EQ(sizes.code, 2);
  for (const char* part : {"--size 0: expected the side of square matrices",
                           "--size 8x8: ", "--shape 3x4: expected NxPxM, such as", "--shape 1x2x3x4: "})
    EXPECT_NE(sizes.err.find(part), std::string::npos) << part << " is not in\n" << sizes.err;
  const Outcome schedules =
      runProgram(benchGemm({"--size", "16", "--schedule", "tild", "--schedule", "naive@spiral"}));
  EXPECT_EQ(schedules.code, 2);
  for (const char* part :
       {"--schedule tild: no schedule has this name; there are naive, coopmat, tiled, blocks",
        "--schedule naive@spiral: "})
    EXPECT_NE(schedules.err.find(part), std::string::npos) << part << " is not in\n" << schedules.err;
  const std::pair<std::vector<std::string>, const char*> options[] = {
      {{"bench", "gemm", "--radius", "3"}, "unknown option '--radius'"},
      {{"bench", "rhf", "--pack", "panels"}, "unknown option '--pack'"},
      {{"bench", "rhf", "--shape", "1x2x3"}, "unknown option '--shape'"},
      {{"bench", "gemm", "--accumulate", "f64"}, "known are f32, f16"}};
  for (const auto& [words, part] : options) {
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 2) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace lacuna::test
