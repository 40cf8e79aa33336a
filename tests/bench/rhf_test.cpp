// The report of `bench rhf`. Speeds are never tested, but what they are made of.

#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "tests/support/changed_module.h"
#include "tests/support/environment.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

std::vector<std::string> benchRhf(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"bench",    "rhf", "--runs",    "1", "--limit", "0",    "--preheat", "0",
                                  "--device", "cpu", "--samples", "4", "--size",  "24x16"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

// For one table: derived values of its rows must follow from their milliseconds.
void expectRhfConsistent(const nlohmann::json& table) {
  const double sequentialMs = table.at("sequential").at("ms");
  const double floorMs = table.at("floor").at("ms");
  const double naiveMs = table.at("rows").at(1).at("ms");
  const double pixels = table.at("width").get<double>() * table.at("height").get<double>();
  for (const nlohmann::json& row : table.at("rows")) {
    if (row.contains("refused") || row.at("step") == "sequential")
      continue;
    const double ms = row.at("ms");
    double sum = 0.0;
    for (const nlohmann::json& pass : row.at("passes"))
      sum += pass.at("ms").get<double>();
    EXPECT_NEAR(sum, ms, 1e-9) << row;
    EXPECT_NEAR(row.at("timesNaive").get<double>() * ms, naiveMs, 1e-6 * naiveMs) << row;
    EXPECT_NEAR(row.at("timesSequential").get<double>() * ms, sequentialMs, 1e-6 * sequentialMs) << row;
    EXPECT_NEAR(row.at("timesFloor").get<double>() * floorMs, ms, 1e-6 * ms) << row;
    EXPECT_NEAR(row.at("nsPerPixel").get<double>() * pixels, ms * 1e6, 1.0) << row;
  }
}

TEST(Bench, RhfMeasuresEveryStep) {
  const Folder folder;
  const nlohmann::json bench = jsonOf(benchRhf({"--json", "-o", folder.file("bench.json")}));
  EXPECT_EQ(readJson(slurp(folder.file("bench.json"))), bench);
  EXPECT_EQ(bench.at("study").at("processorMs"), 39800.0);
  ASSERT_EQ(bench.at("tables").size(), 1U);
  const nlohmann::json& table = bench.at("tables").front();
  expectRhfConsistent(table);
  // Half-float colours in and out, and 25 planes.
  EXPECT_EQ(table.at("floor").at("bytes"), 24.0 * 16 * (2 * 8 + 25 * 4));
  EXPECT_EQ(table.at("terms").at("search"), 24.0 * 16 * 169 * 9 * 24);
  EXPECT_EQ(table.at("terms").at("pairs"), 24.0 * 16 * 84 * 24);
  std::vector<std::string> steps;
  for (const nlohmann::json& row : table.at("rows")) {
    if (row.at("step") == "sequential")
      continue;
    steps.push_back(row.at("step"));
    const bool isSearch = row.at("step") != "pairs";
    EXPECT_EQ(row.contains("schedule"), isSearch);
    EXPECT_EQ(row.at("guarantee") == "exact", row.at("step") != "half" && row.at("step") != "eighth");
  }
  EXPECT_EQ(steps, (std::vector<std::string>{"naive", "uncached", "shared", "padded", "nearest", "cached",
                                             "binwise", "half", "eighth", "once", "early", "pairs"}));
  EXPECT_EQ(table.at("rows").at(1).at("passes").size(), 3U) << "packing, the search, and putting in place";
}

TEST(Bench, RhfOfNamedStepsAndSeveralSizes) {
  const Outcome text = runProgram(benchRhf({"--size", "40x16", "--bins", "20", "--schedule", "naive@8x8",
                                            "--schedule", "shared@64x4", "--schedule", "once"}));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const std::string_view line : splitLines(text.out))
    EXPECT_LE(line.size(), 120U) << line;
  for (const char* words : {"cornell 24x16, 20 x 3 bins", "cornell 40x16, 20 x 3 bins", "   naive@8x8/buffer",
                            "+  once@32x8/buffer", "114192 bytes of shared memory, the device has 32768",
                            "ns/pixel, by size and scene"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << " is not in\n" << text.out;
  EXPECT_EQ(text.out.find("padded"), std::string::npos) << text.out;
}

// The same search, whose loads bypass a cache.
TEST(Bench, RhfWithoutTheFirstCacheIsTheNaiveStep) {
  const nlohmann::json rows =
      jsonOf(benchRhf({"--schedule", "naive@8x8", "--schedule", "uncached@8x8", "--json"}))
          .at("tables")
          .at(0)
          .at("rows");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].at("schedule"), "naive@8x8/buffer");
  EXPECT_EQ(rows[2].at("label"), "+  uncached@8x8/buffer");
  EXPECT_TRUE(rows[2].contains("ms")) << "its result is naive's";
}

class RhfQuality : public testing::Test {
 protected:
  static nlohmann::json table(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"bench", "rhf",       "--quality", "--runs",   "1",   "--limit",
                                      "0",     "--preheat", "0",         "--device", "cpu", "--size",
                                      "40x40", "--samples", "32",        "--json"};
    const Environment optimising("GALLIVM_PERF", "");  // paths take longer to trace than to compile
    words.insert(words.end(), more.begin(), more.end());
    return jsonOf(words).at("tables").at(0);
  }
};

// Unfiltered, the error falls with the root of the samples; filtered, few samples do as well as several times
// as many.
TEST_F(RhfQuality, IsThatOfMoreSamples) {
  const nlohmann::json made = table({"--reference", "1024"});
  EXPECT_EQ(made.at("scene").get<std::string>().substr(made.at("scene").get<std::string>().rfind('/')),
            "/cornell-sky.scene");
  const nlohmann::json &few = made.at("rows").at(0), &many = made.at("rows").at(1);
  EXPECT_EQ(few.at("samples"), 32.0);
  EXPECT_GT(few.at("filterMs"), 0.0);
  EXPECT_EQ(few.at("blockRms"), many.at("blockRms"));
  const double ratio = many.at("samples").get<double>() / 32.0;
  EXPECT_GT(ratio, 1.5);
  EXPECT_LT(ratio, 32.0);
  EXPECT_EQ(made.at("figures").at(0).at("value"), ratio);
  EXPECT_NEAR(made.at("figures").at(1).at("value").get<double>() * few.at("ms").get<double>(),
              many.at("ms").get<double>(), 1e-6 * many.at("ms").get<double>());
  EXPECT_NE(made.at("notes").dump().find("16 times the time (figure 5e)"), std::string::npos);
}

// A threshold below every distance leaves the picture nearly as it is: equal quality takes about as many
// samples.
TEST_F(RhfQuality, OfAFilterThatDoesLittleIsThatOfAsManySamples) {
  const nlohmann::json made = table({"--reference", "1024", "-p", "rhf:01:threshold=0", "-p", "rhf:01:k=0"});
  EXPECT_NEAR(made.at("figures").at(0).at("value").get<double>(), 1.0, 0.25);
}

TEST_F(RhfQuality, NeedsAReferenceOfMoreSamples) {
  const nlohmann::json made = table({"--reference", "32"});
  EXPECT_NE(made.at("rows").at(1).at("refused").get<std::string>().find("raise --reference"),
            std::string::npos);
  EXPECT_TRUE(made.at("figures").empty());
}

// The first measured step is compared with the definition in double precision, the others with the first.
TEST(Bench, RhfDoesNotTimeWhatIsWrong) {
  const std::vector<std::string> words = benchRhf({"--schedule", "naive", "--schedule", "once", "--json"});
  const std::string changes[][3] = {
      {"search/bin_wise.glsl", "at_histogram(bins, at)", "0.0"},
      {"search/histogram_wise.glsl", "data[at * (bins + 1) + w]", "data[at * (bins + 1)]"}};
  for (const auto& [file, from, to] : changes) {
    const Outcome outcome = ChangedModule("rhf", file, from, to).run(words);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const nlohmann::json rows = readJson(outcome.out).at("tables").at(0).at("rows");
    const bool isNaive = file != "search/bin_wise.glsl";
    EXPECT_EQ(rows.at(1).contains("ms"), !isNaive) << rows;
    EXPECT_EQ(rows.at(isNaive ? 1 : 2).at("wrong"), true) << rows;
    EXPECT_EQ(rows.at(2).contains("ms"), isNaive) << rows;
  }
}

}  // namespace
}  // namespace lacuna::test
