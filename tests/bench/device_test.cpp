// The report of `bench device`: its figures are consistent. Speeds themselves are not tested.

#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

std::vector<std::string> benchDevice(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"bench",     "device", "--runs",  "1",        "--limit", "0",
                                  "--preheat", "0",      "--quick", "--device", "cpu"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

TEST(Bench, DeviceMeasuresEveryPart) {
  const Folder folder;
  const nlohmann::json bench =
      jsonOf(benchDevice({"--json", "-o", folder.file("bench.json"), "--plots", folder.file("plots/of/it")}));
  EXPECT_EQ(readJson(slurp(folder.file("bench.json"))), bench);
  std::vector<std::string> names;
  for (const nlohmann::json& table : bench.at("tables")) {
    names.push_back(table.at("name"));
    const std::string svg = slurp(folder.file("plots/of/it/" + names.back() + ".svg"));
    EXPECT_TRUE(svg.starts_with("<svg ")) << names.back();
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << names.back();
    if (table.contains("refused")) {
      EXPECT_EQ(names.back(), "tensor");
      EXPECT_NE(table.at("refused").get<std::string>().find("no cooperative matrices"), std::string::npos)
          << table;
      EXPECT_FALSE(table.contains("rows")) << table;
      continue;
    }
    ASSERT_FALSE(table.at("rows").empty()) << table;
    double before = -1.0;
    for (const nlohmann::json& row : table.at("rows")) {
      EXPECT_GT(row.at("x").get<double>(), before) << table;
      EXPECT_GE(row.size(), 2U) << table;
      before = row.at("x");
      for (const auto& [name, value] : row.items())
        EXPECT_TRUE(name == "x" || value.get<double>() > 0.0) << row;
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"clocks", "copy", "latency", "banks", "divergence", "arithmetic",
                                             "tensor"}));
  EXPECT_GT(bench.at("ceilings").at("copyBytesPerSecond").get<double>(), 0.0);
  EXPECT_GT(bench.at("ceilings").at("f32PerSecond").get<double>(), 0.0);
}

// The points of a curve, by their x.
std::map<double, double> pointsOf(const nlohmann::json& bench, const char* curve) {
  std::map<double, double> points;
  for (const nlohmann::json& row : bench.at("tables").at(0).at("rows"))
    if (row.contains(curve))
      points[row.at("x")] = row.at(curve);
  return points;
}

TEST(Bench, DevicePredictsBankConflicts) {
  const nlohmann::json bench = jsonOf(benchDevice({"--part", "banks", "--json"}));
  ASSERT_EQ(bench.at("tables").size(), 1U);
  EXPECT_EQ(bench.at("ceilings").at("copyBytesPerSecond"), 0.0) << "it was not measured";
  auto oneBank = pointsOf(bench, "k, predicted"), stride = pointsOf(bench, "stride, predicted");
  for (const auto& [k, ns] : oneBank) {
    // k threads in a bank: k requests. A stride causes as many conflicts as the greatest common divisor of it
    // and the number of banks.
    EXPECT_GE(k, 1.0);
    const auto requests = oneBank.at(1) + (k - 1) * (oneBank.at(32) - oneBank.at(1)) / 31;
    EXPECT_NEAR(ns, requests, 1e-9 * std::abs(requests)) << k;
  }
  EXPECT_NEAR(stride.at(1), oneBank.at(1), 1e-9);
  EXPECT_NEAR(stride.at(5), oneBank.at(1), 1e-9);
  EXPECT_NEAR(stride.at(33), oneBank.at(1), 1e-9);
}

TEST(Bench, DeviceKeepsWhatItMeasured) {
  const std::vector<std::string> kept =
      benchDevice({"--part", "divergence", "--part", "copy", "--kept", "--json"});
  const nlohmann::json first = jsonOf(kept);
  EXPECT_EQ(jsonOf(kept).at("tables"), first.at("tables")) << "nothing was measured again";
  const nlohmann::json again = jsonOf(benchDevice({"--part", "divergence", "--json"}));
  EXPECT_NE(again.at("tables").at(0), first.at("tables").at(1)) << "asked for without --kept";
  const nlohmann::json last = jsonOf(kept);
  EXPECT_EQ(last.at("tables").at(0), first.at("tables").at(0));
  EXPECT_EQ(last.at("tables").at(1), again.at("tables").at(0));
}

TEST(Bench, DeviceAsATable) {
  const Outcome text = runProgram(benchDevice({"--part", "divergence", "--part", "arithmetic"}));
  EXPECT_EQ(text.code, 0) << text.err;
  for (const std::string_view line : splitLines(text.out))
    EXPECT_LE(line.size(), 120U) << line;
  for (const char* words : {"divergence: 32 threads", "k distinct branches", "two branches take as long as",
                            "one multiprocessor: ", "FLOP/s", "ceilings", "f32 multiply-adds"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << " is not in\n" << text.out;
  EXPECT_EQ(text.out.find("latency"), std::string::npos);
}

TEST(Bench, DeviceNamesWhatIsWrong) {
  const Outcome part = runProgram({"bench", "device", "--part", "latencies"});
  EXPECT_EQ(part.code, 2);
  EXPECT_NE(part.err.find("latency"), std::string::npos) << part.err;
  const Outcome option = runProgram({"bench", "device", "--size", "16x16"});
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("unknown option '--size'"), std::string::npos) << option.err;
  const Folder folder;
  spill(folder.file("file"), "");
  const Outcome plots = runProgram(benchDevice({"--plots", folder.file("file/below")}));
  EXPECT_EQ(plots.code, 4);
  EXPECT_NE(plots.err.find("--plots"), std::string::npos) << plots.err;
}

// Dolp, Hanika, Dachsbacher 2024, supplementary: numbers of its figures. The shader's sums are checked before
// its times count.
TEST(Bench, BanksAreThoseOfThePapersFigures) {
  const nlohmann::json bench = jsonOf({"bench", "banks", "--tile", "20x20", "--runs", "1", "--limit", "0",
                                       "--preheat", "0", "--device", "cpu", "--json"});
  std::map<std::string, nlohmann::json> tables;
  for (const nlohmann::json& table : bench.at("tables"))
    tables[table.at("name")] = table;
  const auto rowsOf = [&](const std::string& name) {
    std::vector<std::string> rows;
    for (const nlohmann::json& row : tables.at(name).at("rows"))
      rows.push_back(row.at("banks"));
    return rows;
  };
  EXPECT_EQ(rowsOf("bank-pattern").at(1), " 20 21 22 23 24 25 26 27 28 29 30 31  0  1  2  3  4  5  6  7");
  const std::vector<std::string> notes = tables.at("bank-pattern").at("notes");
  EXPECT_EQ(notes.at(1), "row query (figure 2a): 32 n = 20 s + 4: n = 5 m + 2, s = 8 m + 3");
  EXPECT_EQ(notes.at(2), "column query (figure 2b): 32 n + 4 = 20 s: n = 5 m + 3, s = 8 m + 5");
  EXPECT_EQ(rowsOf("bank-shape-8x4"),
            (std::vector<std::string>{"  0  1  2  3 16 17 18 19", " 20 21 22 23  4  5  6  7",
                                      "  8  9 10 11 24 25 26 27", " 28 29 30 31 12 13 14 15"}))
      << "figure 3a";
  EXPECT_EQ(rowsOf("bank-shape-2x16").size(), 16U) << "figure 3b";
  std::map<std::string, nlohmann::json> shapes;
  for (const nlohmann::json& row : tables.at("bank-shapes").at("rows"))
    shapes[row.at("shape")] = row;
  for (const char* name : {"rows", "4x8", "8x4", "2x16"}) {
    EXPECT_TRUE(shapes.at(name).contains("ns")) << shapes.at(name);
    EXPECT_FALSE(shapes.at(name).contains("wrong")) << shapes.at(name);
  }
  EXPECT_EQ(shapes.at("1x32").at("refused"), "does not cover the workgroup");
}

}  // namespace
}  // namespace lacuna::test
