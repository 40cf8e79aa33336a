// Limits of a graph on a device, the parts that aren't run, and the search for modules.

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/changed_module.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class GraphLimits : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {37, 23});
    write("");
  }
  void write(const std::string& more) const { spill(graph_, exposureGraph("in.png", "out.png", more)); }
  // With eaw, whose estimate of the noise depends on the whole picture.
  void writeFiltered(const std::string& more = "") const {
    writeRandomPng(folder_.file("in.png"), {401, 283});
    write(
        "module:eaw:01\nmodule:o-png:02\nconnect:exposure:01:output:eaw:01:input\n"
        "connect:eaw:01:output:o-png:02:input\nparam:o-png:02:filename:\"filtered.png\"\n" +
        more);
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

// The size that the device allocates, to the byte.
TEST_F(GraphLimits, MemoryIsWhatTheDeviceAllocates) {
  const uint64_t bytes = arenaBytes();
  EXPECT_EQ(run({"--memory", std::to_string(bytes)}).code, 0);
  const Outcome refused = run({"--memory", std::to_string(bytes - 1)});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("of the device's memory, but may take"), std::string::npos) << refused.err;
  for (const char* enough : {"1.5GB", "512M", "800MiB", "2 g", "0.25tb", "999999B"}) {
    EXPECT_EQ(run({"--memory", enough}).code, 0) << enough;
  }
  EXPECT_EQ(run({"--memory", "1K"}).code, 2);
  EXPECT_EQ(run({"--memory", ".5KiB"}).code, 2);
  for (const char* wrong :
       {"-1", "0", "0GB", "-1GB", "GB", "1.5XB", "1e3", "1GiBi", "1.2.3M", "9999999999T", "", "nan"}) {
    const Outcome outcome = run({"--memory", wrong});
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_NE(outcome.err.find("--memory"), std::string::npos) << outcome.err;
  }
}

TEST_F(GraphLimits, LargePicturesRunInTiles) {
  writeFiltered("param:eaw:01:levels:3\n");
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

TEST_F(GraphLimits, WhatHasNoTilesIsNamed) {
  writeRandomPng(folder_.file("in.png"), {401, 283});
  write(
      "module:resize:01\nmodule:o-png:02\nparam:resize:01:factor:0.5\nconnect:exposure:01:output:resize:01:"
      "input\n"
      "connect:resize:01:output:o-png:02:input\nparam:o-png:02:filename:\"half.png\"\n");
  const Outcome refused = run({"--memory", "500K"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("it can't run in tiles: resize:01:across depends on the whole picture"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(fs::exists(folder_.file("half.png")));
}

// Arrays that a tile makes or adds to need its pixels alone.
TEST_F(GraphLimits, BodiesThatDontAskForTheirPixelsHaveNoTiles) {
  writeFiltered();
  const uint64_t bytes = arenaBytes();
  const auto refusalOf = [&](const ChangedModule& eaw) {
    const Outcome outcome = eaw.run({"run", graph_, "--memory", std::to_string(bytes / 2)});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  const std::string adds =
      refusalOf({"eaw", "residual.glsl", "ownsPixel(min(corner + sides / 2, extent_input - 1))", "true"});
  EXPECT_NE(adds.find("residual.glsl: error: eaw:01:residual can't run in tiles"), std::string::npos) << adds;
  EXPECT_NE(adds.find("ownsPixel(p) tells"), std::string::npos) << adds;
  const std::string makes =
      refusalOf({"eaw", "tiles.glsl", "!hasPixels(corner, corner + side - 1)", "false"});
  EXPECT_NE(makes.find("tiles.glsl: error: eaw:01:tiles can't run in tiles"), std::string::npos) << makes;
  EXPECT_NE(makes.find("hasPixels(first, last) tells"), std::string::npos) << makes;
  EXPECT_FALSE(fs::exists(folder_.file("filtered.png")));
}

TEST_F(GraphLimits, HistoryIsWholeInTiles) {
  writeRandomPng(folder_.file("in.png"), {401, 283});
  write(
      "module:accum:01\nmodule:o-exr:02\nconnect:exposure:01:output:accum:01:input\n"
      "connect:accum:01:output:o-exr:02:input\nparam:o-exr:02:filename:\"mean.exr\"\n");
  const uint64_t bytes = arenaBytes();
  const auto plan = jsonOf({"plan", graph_, "--json", "--memory", std::to_string(bytes * 95 / 100)});
  EXPECT_GT(plan.at("tiles").at("rows").get<int>(), 1);
  const Outcome refused = run({"--memory", "3M"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("4.3 MiB of it for the previous frame's images, which are kept whole"),
            std::string::npos)
      << refused.err;
}

TEST_F(GraphLimits, WhatLeadsToNoSinkIsWarnedOf) {
  write(
      "module:eaw:02\nmodule:exposure:03\nconnect:i-png:01:output:eaw:02:input\n"
      "connect:eaw:02:output:exposure:03:input\n");
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = run({}, command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* module : {"eaw:02", "exposure:03"}) {
      EXPECT_NE(
          outcome.err.find(fmt::format("warning: {} is not run: its outputs don't lead to a sink", module)),
          std::string::npos)
          << outcome.err;
    }
    EXPECT_EQ(outcome.err.find("i-png:01 is not run"), std::string::npos) << outcome.err;
  }
  EXPECT_TRUE(fs::exists(folder_.file("out.png")));
}

TEST_F(GraphLimits, SharedMemoryIsWhatBodiesDeclare) {
  const std::string module = folder_.file("hoard");
  ASSERT_EQ(runProgram({"new", module, "--kind", "kernel"}).code, 0);
  ASSERT_EQ(runProgram({"check", module}).code, 0);
  const auto hoarding = [&](const std::string& count) {
    spill(module + "/main.glsl",
          "shared float hoarded[" + count +
              "];\nvoid run(Pixel p) {\n  hoarded[gl_LocalInvocationIndex] = 1.0;\n  barrier();\n"
              "  if (any(greaterThanEqual(p.position, p.extent))) { return; }\n"
              "  store_output(p.position, load_input(ivec2(p.extent.x - 1 - p.position.x, p.position.y)) *\n"
              "                               hoarded[gl_LocalInvocationIndex]);\n}\n");
  };
  hoarding("1000 + 24");
  EXPECT_EQ(runProgram({"check", module}).code, 0);
  EXPECT_EQ(runProgram({"test", module}).code, 0);
  hoarding("1000 * 1000");
  const Outcome checked = runProgram({"check", module});
  EXPECT_EQ(checked.code, 2);
  EXPECT_NE(checked.err.find("has 4000000 bytes of shared memory"), std::string::npos) << checked.err;
  const Outcome outcome = runProgram(
      {"run", module + "/test/small.cfg", "--modules", folder_.path(), "-o", folder_.file("o.pfm")});
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("needs 4000000 bytes of shared memory, the device has"), std::string::npos)
      << outcome.err;
}

// The program alone, without its modules.
TEST_F(GraphLimits, FoldersWithoutModulesAreNamed) {
  const std::string copy = folder_.file("bin/lacuna");
  fs::create_directory(folder_.file("bin"));
  fs::copy_file(place("LACUNA_PROGRAM", LACUNA_PROGRAM), copy);
  const auto errorOf = [&](const std::string& words) {
    const std::string err = folder_.file("err");
    EXPECT_EQ(std::system(fmt::format("'{}' {} > /dev/null 2> '{}'", copy, words, err).c_str()), 2 << 8)
        << words;
    return slurp(err);
  };
  for (const std::string& words :
       {std::string("modules"), "check '" + graph_ + "'", std::string("describe eaw")}) {
    const std::string err = errorOf(words);
    EXPECT_NE(err.find("no modules were found in "), std::string::npos) << err;
    EXPECT_NE(err.find(folder_.file("lib/lacuna/modules")), std::string::npos) << err;
  }
  fs::create_directories(folder_.file("lib/lacuna/modules"));
  fs::copy(moduleFolder() + "/exposure", folder_.file("lib/lacuna/modules/exposure"));
  const std::string half = errorOf("check '" + graph_ + "'");
  EXPECT_NE(half.find("unknown module 'i-png'"), std::string::npos) << half;
  EXPECT_NE(half.find(folder_.file("lib/lacuna/modules")), std::string::npos) << half;
}

}  // namespace
}  // namespace lacuna::test
