// The report of `bench unet`. Speeds are never tested, but what they are made of.

#include <nlohmann/json.hpp>
#include <numeric>

#include "graph/config/text.h"
#include "tests/support/own_weights.h"
#include "tests/support/program.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

class BenchUnet : public testing::Test {
 protected:
  std::vector<std::string> words(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"bench",     "unet", "--runs",   "2",   "--limit",   "0",
                                    "--preheat", "0",    "--device", "cpu", "--modules", own_.folder()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string weights(const std::vector<Plane>& planes) const {
    spill(folder_.file("mine.safetensors"), weightsFile(randomNetwork(testRandom(), planes, 5)));
    return folder_.file("mine.safetensors");
  }

  const Folder folder_;
  const OwnWeights own_{folder_.path()};
};

double sumOf(const nlohmann::json& rows, const char* key) {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [&](double sum, const nlohmann::json& row) {
    return sum + row.at(key).get<double>();
  });
}

// Derived values of a candidate's row and of the table of its layers must follow from their milliseconds.
void expectUnetConsistent(const nlohmann::json& table, const nlohmann::json& row) {
  const nlohmann::json& layers = table.at("layers");
  EXPECT_DOUBLE_EQ(table.at("operations"), sumOf(layers, "operations"));
  EXPECT_GE(table.at("paddedOperations"), table.at("operations"));
  ASSERT_FALSE(row.contains("refused")) << row;
  const double ms = row.at("ms");
  EXPECT_GT(ms, 0.0);
  EXPECT_LE(row.at("leastMs"), ms);
  EXPECT_GE(row.at("mostMs"), ms);
  EXPECT_EQ(row.at("runs"), 2);
  EXPECT_LE(row.at("error"), 6e-3);
  EXPECT_NEAR(row.at("operationsPerSecond").get<double>() * ms, 1e3 * table.at("operations").get<double>(),
              1.0);
  EXPECT_NEAR(sumOf(row.at("passes"), "ms"), row.at("msOfPasses"), 1e-9);
  if (table.at("rows")[0].at("label") == "   all layers") {  // by oneDNN
    const nlohmann::json& all = table.at("rows")[0];
    EXPECT_NEAR(all.at("operationsPerSecond").get<double>() * all.at("ms").get<double>(),
                1e3 * table.at("operations").get<double>(), 1.0);
    EXPECT_DOUBLE_EQ(all.at("floorBytes"), sumOf(layers, "floorBytes"));
    return;
  }
  ASSERT_GT(table.at("rows").size(), layers.size()) << "other passes, and sums";
  std::vector<double> msOfLayers(layers.size());
  for (const nlohmann::json& pass : row.at("passes"))
    if (pass.contains("layer"))
      msOfLayers.at(pass.at("layer").get<size_t>()) += pass.at("ms").get<double>();
  for (size_t i = 0; i < layers.size(); ++i)
    EXPECT_NEAR(table.at("rows")[i].at("ms"), msOfLayers[i], 1e-9) << i;
}

TEST_F(BenchUnet, RandomMeasuresEveryLayer) {
  own_.write("guides.safetensors",
             weightsFile(randomNetwork(testRandom(),
                                       {Plane::colour, Plane::albedo, Plane::normal, Plane::depth}, 5)));
  const nlohmann::json bench = jsonOf(words({"--size", "17x9", "--json", "-o", folder_.file("bench.json")}));
  EXPECT_EQ(readJson(slurp(folder_.file("bench.json"))), bench);
  EXPECT_EQ(bench.at("planes"), "input, albedo, normal, depth");
  EXPECT_EQ(bench.at("study").at("figures").size(), 16U);
  ASSERT_EQ(bench.at("tables").size(), 2U) << "on CPUs the default alone, and the summary";
  const nlohmann::json& table = bench.at("tables").front();
  ASSERT_EQ(bench.at("tables").back().at("rows").size(), 1U);
  expectUnetConsistent(table, bench.at("tables").back().at("rows").front());
  EXPECT_EQ(table.at("layers").front().at("width"), 20) << "multiples of 4, which this network halves to";
  EXPECT_EQ(table.at("layers").front().at("height"), 12);
  EXPECT_EQ(table.at("pictureBytes"), 17 * 9 * (8 + 8 + 8 + 4 + 8));
  EXPECT_FALSE(table.at("isStudyNetwork"));
}

TEST_F(BenchUnet, RandomWeightsAndSizes) {
  const Outcome text = runProgram(
      words({"--size", "4x4", "--size", "24x8", "--network", weights({Plane::colour, Plane::albedo})}));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"for input, albedo", "\n4x4, ", "\n24x8, ", "   features", "   sum of passes", "   in one go"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
  EXPECT_EQ(text.out.find("study"), std::string::npos) << "which has another network:\n" << text.out;
  const std::string tables = text.out.substr(text.out.find("\n4x4, "));
  for (const std::string_view line : splitLines(tables))
    EXPECT_LE(line.size(), 120U) << line;
}

// Without these columns the study can't be compared with.
TEST_F(BenchUnet, StudysFiguresAreBesideItsNetwork) {
  const std::string file = folder_.file("bench.json");
  const Outcome text =
      runProgram(words({"--network", "study", "--size", "32x32", "--schedule", "plain", "-o", file}));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"cnn-unet with study, weights: drawn at random; for input, normal, depth", "study: Vannson 2023",
        "a multiply-add as one operation", "7, 9, 11, 13 and 15", "  study ms   TFLOP/s\n", "   x study\n",
        "study ms: those of 1024x1024, by the number of pixels"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
  const nlohmann::json bench = readJson(slurp(file));
  const nlohmann::json& table = bench.at("tables").front();
  const nlohmann::json& row = bench.at("tables").back().at("rows").front();
  expectUnetConsistent(table, row);
  EXPECT_TRUE(table.at("isStudyNetwork"));
  EXPECT_EQ(table.at("parameters"), 861093.0);
  const nlohmann::json& figures = bench.at("study").at("figures");
  ASSERT_EQ(table.at("layers").size(), figures.size());
  for (size_t i = 0; i < figures.size(); ++i) {
    const nlohmann::json& layer = table.at("rows").at(i);
    EXPECT_DOUBLE_EQ(layer.at("studyMs").get<double>() * 1024, figures[i].at("ms").get<double>()) << i;
    EXPECT_NEAR(layer.at("studyPerSecond").get<double>() * layer.at("studyMs").get<double>(),
                1e3 * layer.at("operations").get<double>(), 1.0)
        << i;
  }
  EXPECT_NEAR(row.at("timesStudy").get<double>() * row.at("ms").get<double>(), 30.79 / 1024, 1e-9);
}

TEST_F(BenchUnet, NetworksOfOpenImageDenoiseHaveTheirLayers) {
  for (const auto& [name, parameters] : {std::pair("oidn-base", 919811), std::pair("oidn-small", 320035)}) {
    const nlohmann::json bench = jsonOf(words({"--network", name, "--size", "16x16", "--json"}));
    EXPECT_EQ(bench.at("planes"), "input, albedo, normal");
    const nlohmann::json& table = bench.at("tables").front();
    expectUnetConsistent(table, bench.at("tables").back().at("rows").front());
    EXPECT_EQ(table.at("layers").size(), 16U);
    EXPECT_EQ(table.at("layers").back().at("name"), "dec_conv0");
    EXPECT_EQ(table.at("parameters"), parameters) << name;
    EXPECT_FALSE(table.at("isStudyNetwork"));
  }
}

TEST_F(BenchUnet, RandomMistakesAreNamed) {
  const std::string file = weights({Plane::colour}), spoilt = folder_.file("spoilt.safetensors");
  spill(spoilt, "abc");
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--size", "4x4"}, "has no weights for input, albedo, normal and depth; expected --network FILE"},
      {{"--size", "4x4", "--network", "oidn-bas"},
       "--network oidn-bas: no such file; expected rgb-and, study, oidn-base, oidn-small, or weights in a "
       ".safetensors or .tza file"},
      {{"--size", "4x4", "--network", spoilt},
       "spoilt.safetensors: has 3 bytes, but a safetensors file begins"},
      {{"--size", "4x4", "--weights", file},
       "unknown option '--weights' of `lacuna bench unet`; here it is --network"},
      {{"--size", "4x4", "--network", file, "--schedule", "fastest"},
       "--schedule fastest: cnn-unet can't run so; there are "},
      {{"--size", "1024"}, "--size: '1024': expected WIDTHxHEIGHT"},
      {{"--pack", "panels"}, "unknown option '--pack'"}};
  for (const auto& [more, expected] : cases) {
    const Outcome outcome = runProgram(words(more));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(expected), std::string::npos) << expected << " is not in\n" << outcome.err;
  }
  const Outcome other = runProgram({"bench", "rhf", "--network", file});
  EXPECT_NE(other.err.find("unknown option '--network'"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace lacuna::test
