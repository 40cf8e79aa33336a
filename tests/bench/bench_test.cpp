// What benchmarks report. Speeds are never tested, but what they are made of.

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "graph/config/text.h"
#include "tests/support/changed_module.h"
#include "tests/support/environment.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

TEST(Bench, Graph) {
  const Folder folder;
  // A small picture: the driver's code isn't optimised here.
  writeRandomPng(folder.file("small.png"), {96, 64});
  const std::string picture = "i-file:in:filename=\"" + folder.file("small.png") + "\"";
  const nlohmann::json bench =
      jsonOf({"bench", "graph", photoGraph, "-p", picture, "-p", "eaw:01:levels=2", "--schedule", "rows2",
              "--runs", "2", "--preheat", "0", "--device", "cpu", "--json", "-o", folder.file("bench.json")});
  EXPECT_EQ(readJson(slurp(folder.file("bench.json"))), bench);
  EXPECT_EQ(bench.at("runs"), 2);
  EXPECT_NE(bench.at("schedules").dump().find("rows2"), std::string::npos);
  double ms = 0.0, read = 0.0, share = 0.0, transferred = 0.0;
  const nlohmann::json& table = bench.at("tables").front();
  for (const nlohmann::json& pass : table.at("rows")) {
    const bool isTransfer = pass.at("isTransfer");
    EXPECT_GT(pass.at("ms").get<double>(), 0.0);
    EXPECT_EQ(pass.at("floorMs").get<double>() == 0.0, isTransfer);
    const double bytes = pass.at("bytesRead").get<double>() + pass.at("bytesWritten").get<double>();
    EXPECT_NEAR(pass.value("bytesPerSecond", 0.0) * pass.at("ms").get<double>() * 1e-3, bytes, 1e-6 * bytes);
    ms += isTransfer ? 0.0 : pass.at("ms").get<double>();
    read += isTransfer ? 0.0 : pass.at("bytesRead").get<double>();
    share += pass.at("share").get<double>();
    transferred +=
        isTransfer ? pass.at("bytesRead").get<double>() + pass.at("bytesWritten").get<double>() : 0.0;
  }
  EXPECT_NEAR(table.at("ms").get<double>(), ms, 1e-9);
  EXPECT_EQ(table.at("bytes").at("read"), read);
  EXPECT_NEAR(share, 1.0, 1e-9);
  EXPECT_EQ(table.at("floor").at("bytes"), transferred);
  EXPECT_GT(table.at("wallMs").get<double>(), table.at("inOneGoMs").get<double>());
  const Outcome text = runProgram({"bench", "graph", photoGraph, "-p", picture, "-p", "eaw:01:levels=1", "-p",
                                   "eaw:01:noise=0.03", "--runs", "3", "--preheat", "0", "--limit", "0"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* word : {"medians of 3 runs", "x floor", "share", "all in one go", "wall time"})
    EXPECT_NE(text.out.find(word), std::string::npos) << text.out;
}

TEST(Bench, RecordsTheClockThatTheDriverStates) {
  const Folder folder;
  std::ofstream(folder.file("nvidia-smi"))
      << "#!/bin/sh\ncase $2 in GPU-*-*-*-*-*) echo '1755, 1980';; esac\n";
  std::filesystem::permissions(folder.file("nvidia-smi"), std::filesystem::perms::owner_all);
  const Environment path("PATH", folder.path() + ":" + getenv("PATH"));
  const nlohmann::json bench = jsonOf({"bench", "gemm", "--size", "32", "--schedule", "naive", "--runs", "1",
                                       "--limit", "0", "--preheat", "0", "--device", "cpu", "--json"});
  EXPECT_EQ(bench.at("clockMHz"), (nlohmann::json{{"least", 1755}, {"most", 1980}}));
}

TEST(Bench, Atrous) {
  const Folder folder;
  const nlohmann::json bench =
      jsonOf({"bench", "atrous", "--size", "24x16", "--filter", "guided", "--schedule", "rows2/image",
              "--runs", "1", "--preheat", "0", "--json", "-o", folder.file("bench.json")});
  const nlohmann::json& rows = bench.at("tables").at(0).at("rows");
  ASSERT_EQ(rows.size(), 2U) << "the baseline, and what was asked for";
  const nlohmann::json& row = rows.back();
  EXPECT_EQ(row.at("family"), "rows2");
  EXPECT_EQ(row.at("passes").size(), 5U);
  EXPECT_GT(row.at("ms").get<double>(), 0.0);
  const double baselineMs = rows.front().at("ms").get<double>();
  EXPECT_NEAR(row.at("speedup").get<double>() * row.at("ms").get<double>(), baselineMs, 1e-6 * baselineMs);
  // Colour in and out, 8 bytes each, and the geometry, as many.
  EXPECT_NEAR(row.at("floorMs").get<double>() * 1e-3 * bench.at("copyBytesPerSecond").get<double>(),
              24 * 16 * 24, 1.0);
  const nlohmann::json& summary = bench.at("tables").at(2).at("rows").front();
  EXPECT_LE(summary.at("bestMs").get<double>(), summary.at("autoMs").get<double>());
  EXPECT_EQ(readJson(slurp(folder.file("bench.json"))), bench);
}

// Dolp, Hanika, Dachsbacher 2024, section 4.2: its figures beside ours, which are those of the schedules
// above.
TEST(Bench, AtrousBesideThePapersFigures) {
  const nlohmann::json bench = jsonOf({"bench", "atrous", "--size", "24x16", "--filter", "svgf", "--schedule",
                                       "tiled/image", "--schedule", "tiled-unstaged/image", "--runs", "1",
                                       "--limit", "0", "--preheat", "0", "--device", "cpu", "--json"});
  std::map<std::string, nlohmann::json> tables;
  for (const nlohmann::json& table : bench.at("tables"))
    tables[table.at("name")] = table.at("rows");
  const auto firstLevel = [&](size_t row) {
    return tables.at("atrous").at(row).at("passes").at(0).at("ms").get<double>();
  };
  std::map<std::string, nlohmann::json> figures;
  for (const nlohmann::json& row : tables.at("atrous-paper"))
    figures[row.at("name")] = row;
  EXPECT_EQ(figures.size(), 6U) << "none of eaw";
  EXPECT_EQ(figures.at("level").at("ours"), firstLevel(1));
  EXPECT_EQ(figures.at("first-speedup").at("ours"), firstLevel(0) / firstLevel(1));
  EXPECT_EQ(figures.at("first-speedup").at("paper"), 2.5);
  EXPECT_EQ(figures.at("unstaged").at("ours"), firstLevel(2) / firstLevel(1));
}

// A wrong kernel is equally wrong in all schedules, so the first ones are compared with a plain loop.
TEST(Bench, AtrousDoesNotTimeWhatIsWrong) {
  for (const std::string module : {"eaw", "atrous-guided"}) {
    const Outcome outcome = ChangedModule(module, "levels.glsl", "a.weight += w;", "a.weight += 1.1 * w;")
                                .run({"bench", "atrous", "--size", "24x16", "--filter",
                                      module == "eaw" ? "eaw" : "guided", "--schedule", "rows2@16x16/buffer",
                                      "--runs", "1", "--preheat", "0", "--json", "--device", "cpu"});
    EXPECT_EQ(outcome.code, 1) << module << outcome.err;
    for (const nlohmann::json& row : readJson(outcome.out).at("tables").at(0).at("rows")) {
      EXPECT_EQ(row.at("wrong"), true) << row;
      EXPECT_FALSE(row.contains("ms")) << row;
    }
  }
}

TEST(Bench, WithoutADevice) {
  const Folder folder;
  const nlohmann::json borders =
      jsonOf({"bench", "borders", "--json", "--plots", folder.path()}).at("tables");
  ASSERT_EQ(borders.size(), 2U) << "two kernels";
  for (const nlohmann::json& table : borders) {
    EXPECT_EQ(table.at("rows").size(), 30U) << "six strategies, five levels";
    for (const nlohmann::json& row : table.at("rows")) {
      const auto weights = row.at("weightsY").get<std::vector<double>>();
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-9) << row;
    }
    const std::string svg = slurp(folder.file(table.at("name").get<std::string>() + ".svg"));
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n")) << svg;
    EXPECT_NE(svg.find("<rect x="), std::string::npos) << "a bar for each row";
  }
  const nlohmann::json caches =
      jsonOf({"bench", "caches", "--size", "64x48", "--filter", "eaw", "--json"}).at("tables");
  ASSERT_FALSE(caches.empty());
  for (const nlohmann::json& table : caches) {
    for (const nlohmann::json& row : table.at("rows")) {
      EXPECT_GT(row.at("ms").get<double>(), 0.0) << row;
      EXPECT_GE(row.at("firstHitRate").get<double>(), 0.0) << row;
      EXPECT_LT(row.at("firstHitRate").get<double>(), 1.0) << row;
      EXPECT_LE(row.at("busy").at("fetch").get<double>(), 1.0 + 1e-9) << row;
    }
  }
}

// `words` after a few that make it short.
std::vector<std::string> benchBilateral(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"bench", "bilateral", "--runs", "1", "--preheat", "0", "--device", "cpu"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

// Derived values in a filter's rows of the report must follow from their milliseconds.
void expectConsistent(const nlohmann::json& filter) {
  const double sequentialMs = filter.at("sequentialMs");
  std::map<std::string, double> fastest;
  double fastestExact = 1e300;
  for (const nlohmann::json& row : filter.at("rows")) {
    if (!row.contains("refused") && row.at("variant") != "sequential") {
      const double ms = row.at("ms");
      EXPECT_GT(ms, 0.0) << row;
      double& least = fastest.try_emplace(row.at("variant"), ms).first->second;
      least = std::min(least, ms);
      fastestExact = row.at("guarantee") == "exact" ? std::min(fastestExact, ms) : fastestExact;
    }
  }
  for (const nlohmann::json& row : filter.at("rows")) {
    if (!row.contains("refused") && row.at("variant") != "sequential") {
      const double ms = row.at("ms");
      EXPECT_EQ(row.at("fastestOfVariant").get<bool>(), ms == fastest.at(row.at("variant"))) << row;
      EXPECT_NEAR(row.at("timesNaive").get<double>() * ms, fastest.at("naive"), 1e-6 * fastest.at("naive"));
      EXPECT_NEAR(row.at("timesSequential").get<double>() * ms, sequentialMs, 1e-6 * sequentialMs) << row;
    }
  }
  EXPECT_EQ(filter.at("fastestExact").at("ms").get<double>(), fastestExact);
}

TEST(Bench, BilateralMeasuresEveryVariant) {
  const Folder folder;
  const nlohmann::json bench =
      jsonOf(benchBilateral({"--size", "33x17", "--radius", "2", "--json", "-o", folder.file("bench.json")}));
  EXPECT_EQ(readJson(slurp(folder.file("bench.json"))), bench);
  EXPECT_EQ(bench.at("sigmaSpace"), 3.0);
  EXPECT_EQ(bench.at("sigmaRange"), 30.0);
  const nlohmann::json variants =
      jsonOf({"describe", "bilateral-study", "--modules", benchModules(), "--json"}).at("variants");
  ASSERT_EQ(bench.at("tables").size(), 2U) << "colour and grey";
  for (const nlohmann::json& filter : bench.at("tables")) {
    ASSERT_EQ(filter.at("rows").size(), 1 + variants.size()) << "the plain loop's before";
    for (size_t i = 0; i < variants.size(); ++i) {
      EXPECT_EQ(filter.at("rows")[i + 1].at("variant"), variants[i].at("name"));
      EXPECT_EQ(filter.at("rows")[i + 1].at("guarantee"), variants[i].at("guarantee"));
    }
    expectConsistent(filter);
    EXPECT_TRUE(filter.at("study").empty()) << "the study has no such size";
    const nlohmann::json& needed = filter.at("needed");
    EXPECT_TRUE(needed.at("schedule").get<std::string>().starts_with("rows@")) << needed;
    const double count = 25.0 * filter.at("channels").get<double>() * 33 * 17;
    EXPECT_EQ(needed.at("exponentials"), count);
    EXPECT_EQ(needed.at("fmas"), 6 * count);
    for (const nlohmann::json& row : filter.at("rows")) {
      if (row.at("variant") == "rows") {
        EXPECT_NEAR(needed.at("exponentialsPerSecond").get<double>() * row.at("ms").get<double>() * 1e-3,
                    count, 1e-6 * count);
        EXPECT_NEAR(needed.at("fmasPerSecond").get<double>() * row.at("ms").get<double>() * 1e-3, 6 * count,
                    1e-5 * count);
      }
    }
  }
}

// The line that begins with these words, in the tables below a title.
std::string lineOf(const std::string& out, const std::string& title, const std::string& begin) {
  const size_t at = out.find(begin, std::min(out.find(title), out.size()));
  return at == std::string::npos ? "" : out.substr(at, out.find('\n', at) - at);
}

TEST(Bench, BilateralBesideTheStudy) {
  const Folder folder;
  const Outcome text =
      runProgram(benchBilateral({"--size", "512x512", "--radius", "1", "--radius", "3", "--schedule",
                                 "padded", "--schedule", "exponent", "-o", folder.file("bench.json")}));
  ASSERT_EQ(text.code, 0) << text.err;
  for (const std::string_view line : splitLines(text.out))
    EXPECT_LE(line.size(), 120U) << line;
  const std::string one = "512x512, colour, radius 1", three = "512x512, colour, radius 3";
  EXPECT_NE(lineOf(text.out, one, "  sequential").find("| 0 SEQ             62.0000     1.0"),
            std::string::npos);
  EXPECT_NE(lineOf(text.out, one, "  naive@").find("| 1 CUDA             1.8781    33.0     1.00"),
            std::string::npos);
  EXPECT_NE(lineOf(text.out, one, "  padded@").find("| 4 PD               1.8002    34.4     1.04"),
            std::string::npos);
  EXPECT_TRUE(lineOf(text.out, three, "  padded@").ends_with("| 4 PD               8.9298    38.5"))
      << text.out;
  EXPECT_EQ(lineOf(text.out, three, "~ exponent@").find('|'), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find('|', text.out.find("512x512, grey")), std::string::npos) << text.out;
  const nlohmann::json filters = readJson(slurp(folder.file("bench.json"))).at("tables");
  ASSERT_EQ(filters.size(), 4U);
  const nlohmann::json& study = filters[0].at("study");
  ASSERT_EQ(study.size(), 9U) << "the sequential one, and eight versions";
  EXPECT_EQ(study[4].at("variant"), "padded");
  EXPECT_NEAR(study[4].at("timesNaive").get<double>(), 1.04324, 1e-5);
  EXPECT_EQ(filters[1].at("study").size(), 2U);
  EXPECT_EQ(filters[1].at("study")[1].at("fastest"), true);
  EXPECT_TRUE(filters[2].at("study").empty()) << "it measured colour alone";
}

std::vector<std::string> schedulesOf(const nlohmann::json& filter, const std::string& variant) {
  std::vector<std::string> names;
  for (const nlohmann::json& row : filter.at("rows"))
    if (row.at("variant") == variant)
      names.push_back(row.at("schedule"));
  std::sort(names.begin(), names.end());
  return names;
}

// A curve's points are the fastest rows of a variant; `sides` of workgroups are those of naive.
void expectCurves(const nlohmann::json& filter, const nlohmann::json& curves, const std::vector<int>& sides) {
  std::vector<int> found;
  for (const nlohmann::json& point : curves.value("rows", nlohmann::json::array())) {
    const int side = point.at("x");
    for (const auto& [variant, ms] : point.items()) {
      if (variant == "x")
        continue;
      double least = 1e300;
      for (const nlohmann::json& row : filter.at("rows"))
        if (row.at("variant") == variant && row.at("workgroup") == nlohmann::json{side, side})
          least = std::min(least, row.at("ms").get<double>());
      EXPECT_EQ(ms, least) << variant << point;
    }
    if (point.contains("naive"))
      found.push_back(side);
  }
  EXPECT_EQ(found, sides) << curves;
}

TEST(Bench, BilateralCandidates) {
  const std::vector<std::string> asked = {"--size",  "33x17",      "--radius",  "1",
                                          "--json",  "--schedule", "tiles@8x8", "--schedule",
                                          "rows/n2", "--schedule", "tiles@8x8", "--candidates"};
  std::vector<std::string> words = asked;
  words.push_back("all");
  const std::vector<std::string> tiles = {"tiles@8x8/n1/buffer", "tiles@8x8/n2/buffer",
                                          "tiles@8x8/n3/buffer", "tiles@8x8/n4/buffer",
                                          "tiles@8x8/n5/buffer", "tiles@8x8/n6/buffer"};
  const std::vector<std::string> rows = {"rows@16x16/n2/image", "rows@32x4/n2/image", "rows@32x8/n2/image",
                                         "rows@8x8/n2/image"};
  const nlohmann::json all = jsonOf(benchBilateral(words));
  ASSERT_EQ(all.at("tables").size(), 6U) << "colour and grey, each with its curves";
  for (const size_t i : {0, 3}) {
    const nlohmann::json& filter = all.at("tables").at(i);
    EXPECT_EQ(filter.at("rows").size(), 16U) << filter;
    expectCurves(filter, all.at("tables").at(i + 1), {4, 8, 16, 32});
    const nlohmann::json& byN = all.at("tables").at(i + 2);
    ASSERT_EQ(byN.at("rows").size(), 1U) << "rows/n2; tiles have other workgroups";
    EXPECT_EQ(byN.at("rows")[0].at("x"), 2);
    EXPECT_EQ(byN.at("rows")[0].at("rows"), filter.at("rows")[13].at("ms")) << "rows@16x16" << filter;
    EXPECT_EQ(schedulesOf(filter, "naive").size(), 5U);
    EXPECT_EQ(schedulesOf(filter, "tiles"), tiles);
    EXPECT_EQ(schedulesOf(filter, "rows"), rows);
    expectConsistent(filter);
  }
  words.back() = "best";
  const nlohmann::json best = jsonOf(benchBilateral(words));
  for (const nlohmann::json& filter : best.at("tables")) {
    ASSERT_EQ(filter.at("rows").size(), 4U) << filter;
    EXPECT_EQ(std::count(tiles.begin(), tiles.end(), filter.at("rows")[2].at("schedule")), 1) << filter;
    EXPECT_EQ(std::count(rows.begin(), rows.end(), filter.at("rows")[3].at("schedule")), 1) << filter;
    expectConsistent(filter);
  }
}

// A variant that doesn't leave the border unchanged is wrong only with valid-only.
TEST(Bench, BilateralHasTheStudysBorder) {
  const ChangedModule filtersAll("bilateral-study", "register_rows.glsl", " && !isKept(own, p.extent)", "");
  for (const std::string border : {"reflect-101", "valid-only"}) {
    const Outcome outcome =
        filtersAll.run(benchBilateral({"--size", "33x17", "--radius", "2", "--border", border, "--schedule",
                                       "rows", "--limit", "0", "--json"}));
    EXPECT_EQ(outcome.code, border == "valid-only" ? 1 : 0) << outcome.err;
    const nlohmann::json bench = readJson(outcome.out);
    EXPECT_EQ(bench.at("border"), border);
    for (const nlohmann::json& filter : bench.at("tables")) {
      EXPECT_TRUE(filter.at("rows")[1].contains("ms")) << filter;
      EXPECT_EQ(filter.at("rows")[2].value("wrong", false), border == "valid-only") << filter;
    }
  }
  const Outcome wrong = runProgram(benchBilateral({"--border", "mirror"}));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("valid-only"), std::string::npos) << wrong.err;
}

// The naive variant is compared with a plain loop, the others with it.
TEST(Bench, BilateralDoesNotTimeWhatIsWrong) {
  const std::string changes[][4] = {{"naive", "naive.glsl", "spatialWeight(dx, dy)", "spatialWeight(0, dy)"},
                                    {"rows", "register_rows.glsl", "gaussian(offset.x)", "gaussian(0)"}};
  for (const auto& [variant, file, from, to] : changes) {
    const Outcome outcome = ChangedModule("bilateral-study", file, from, to)
                                .run(benchBilateral({"--size", "33x17", "--radius", "2", "--schedule", "rows",
                                                     "--limit", "0", "--json"}));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("2 of the schedules compute wrong results"), std::string::npos) << outcome.err;
    for (const nlohmann::json& filter : readJson(outcome.out).at("tables")) {
      for (const nlohmann::json& row : filter.at("rows")) {
        EXPECT_EQ(row.value("wrong", false), row.at("variant") == variant) << row;
        EXPECT_EQ(row.contains("ms"), row.at("variant") != variant) << row;
      }
    }
  }
}

// An image in which every pixel has taps outside, and a variant that is for smaller radii.
TEST(Bench, BilateralWhatCannotRunIsSaid) {
  const nlohmann::json bench = jsonOf(benchBilateral(
      {"--size", "9x7", "--radius", "4", "--schedule", "pairs", "--candidates", "best", "--json"}));
  for (const nlohmann::json& filter : bench.at("tables")) {
    ASSERT_EQ(filter.at("rows").size(), 3U);
    EXPECT_EQ(filter.at("sequentialMs"), 0.0);
    EXPECT_FALSE(filter.at("rows")[1].contains("timesSequential"));
    EXPECT_NE(filter.at("rows")[2].at("refused").get<std::string>().find("radius == 1"), std::string::npos);
    EXPECT_FALSE(filter.at("rows")[2].contains("ms"));
    EXPECT_FALSE(filter.contains("needed"));
  }
}

}  // namespace
}  // namespace lacuna::test
