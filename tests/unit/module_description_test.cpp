#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/module/condition.h"
#include "graph/module/description.h"
#include "graph/module/registry.h"
#include "graph/module/words.h"
#include "tests/support/folder.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using test::Folder;

const std::string testModules = std::string(LACUNA_TEST_FOLDER) + "/error/modules";

std::shared_ptr<const ModuleDescription> readRight(const std::string& folder) {
  Diagnostics diagnostics;
  auto module = readModule(folder, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return module;
}

// The folder of a module `m` from `input` to `output`.
std::string written(const Folder& folder, const std::string& toml) {
  fs::create_directories(folder.file("m"));
  folder.write("m/m.glsl", "");
  return fs::path(folder.write("m/module.toml", R"toml(name = "m"
summary = "ein schöner Filter" # ü
connector = [{ name = "input", direction = "input", channels = "any4", formats = ["f16", "f32"] },
  { name = "output", direction = "output" }]
)toml" + toml))
      .parent_path();
}

TEST(ReadModule, ReadsWhatIsThere) {
  const auto module = readRight(testModules + "/filter-test");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->name, "filter-test");
  EXPECT_EQ(module->papers.size(), 1U);
  EXPECT_EQ(module->connectors.size(), 3U);
  EXPECT_TRUE(module->connector("guide")->optional);
  EXPECT_EQ(module->connector("input")->channels, (std::vector<Channels>{Channels::rgba, Channels::rgb}));
  EXPECT_EQ(module->connector("nothing"), nullptr);
  const ParameterDescription* gains = module->parameter("gains");
  ASSERT_NE(gains, nullptr);
  EXPECT_EQ(gains->defaults, ParameterValues(6, 1.0));
  EXPECT_TRUE(gains->perLevel);
  EXPECT_EQ(gains->range->maximum, 4.0);
  EXPECT_EQ(module->parameter("strength")->defaults, ParameterValues{1.0}) << "a whole number is a number";
  EXPECT_EQ(module->parameter("mode")->choices, (std::vector<std::string>{"soft", "hard"}));
  EXPECT_TRUE(module->parameter("levels")->structural);
  const NodeDescription* node = module->node("main");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->kind, NodeKind::stencil);
  EXPECT_EQ(node->footprint.kind, FootprintKind::halo);
  EXPECT_EQ(node->footprint.amount, 1.0F);
  EXPECT_EQ(node->stencil.levels.parameter, "levels");
  EXPECT_EQ(node->stencil.weights, (std::vector<float>{0.25F, 0.5F, 0.25F}));
  EXPECT_EQ(node->stencil.features, std::vector<std::string>{"guide"});
  EXPECT_EQ(node->stencil.tap.size(), 2U);
  EXPECT_FALSE(module->isSource());
  EXPECT_FALSE(module->isSink());
  EXPECT_TRUE(readRight(testModules + "/i-test")->isSource());
  EXPECT_TRUE(readRight(testModules + "/o-test")->isSink());
}

TEST(ReadModule, ReadsEveryKeyOfAStencil) {
  const Folder folder;
  const auto module = readRight(written(folder, R"toml(parameter = [
  { name = "radius", type = "int", default = 2, range = [1, 3], structural = true },
  { name = "precision", type = "choice", choices = ["f16", "f32"], default = "f32", structural = true },
  { name = "sigma", type = "float", default = 1.0 },
]
[[node]]
name = "estimate"
kind = "reduce"
shader = "m.glsl"
inputs = [{ name = "image", source = "input" }]
outputs = [{ name = "sigma", channels = "y", format = "f32", colour = "data", array = 1 }]
reduce = { bins = 256, value = "uvec2" }
[[node]]
name = "filter"
kind = "stencil"
shader = "m.glsl"
when = "radius != 3"
footprint = "halo(14)"
bind = { sigma = "estimate.sigma" }
inputs = [{ name = "state", source = "input" }]
outputs = [{ name = "output", format = "@precision", connector = "output" }, { name = "first" }]
[node.stencil]
radius = "radius"
support = "circular"
dilated = false
levels = 3
state = { channels = "any4", format = "@precision" }
tap = [{ name = "value", type = "vec2", storage = "f16" }]
synthesis = true
tap_level = 0
tap_output = "first"
[[node]]
name = "spread"
kind = "kernel"
shader = "m.glsl"
footprint = "scale(0.5)"
inputs = [{ name = "a", source = "filter.first" }]
outputs = [{ name = "b" }]
kernel = { workgroup = [64, 4], extent_of = "a" }
)toml"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->summary, "ein schöner Filter");
  EXPECT_EQ(module->connector("input")->formats, (std::vector<Format>{Format::f16, Format::f32}));
  const NodeDescription& estimate = *module->node("estimate");
  EXPECT_EQ(estimate.footprint.kind, FootprintKind::global);
  EXPECT_EQ(estimate.reduce.bins, 256U);
  EXPECT_EQ(estimate.reduce.value, "uvec2");
  EXPECT_EQ(estimate.outputs[0].arrayCount, 1U);
  const NodeDescription& filter = *module->node("filter");
  EXPECT_EQ(filter.footprint.amount, 14.0F);
  EXPECT_EQ(filter.bind.at("sigma"), "estimate.sigma");
  EXPECT_EQ(filter.outputs[0].format->parameter, "precision");
  EXPECT_EQ(filter.stencil.support, Support::circular);
  EXPECT_FALSE(filter.stencil.dilated);
  EXPECT_EQ(filter.stencil.levels.value, 3);
  EXPECT_EQ(filter.stencil.state.format->parameter, "precision");
  EXPECT_EQ(filter.stencil.tap[0].storage, Format::f16);
  EXPECT_TRUE(filter.stencil.synthesis);
  EXPECT_EQ(filter.stencil.tapLevel, 0);
  const NodeDescription& spread = *module->node("spread");
  EXPECT_EQ(spread.footprint.kind, FootprintKind::scale);
  EXPECT_EQ(spread.footprint.amount, 0.5F);
  EXPECT_EQ(spread.kernel.workgroup[0], 64U);
  EXPECT_EQ(spread.kernel.extentOf, "a");
}

TEST(ReadModule, HaloOfAParameterIsItsLargest) {
  const Folder folder;
  const auto module = readRight(written(folder, R"toml(
parameter = [{ name = "r", type = "int", default = 2, range = [1, 5], structural = true }]
[[node]]
name = "filter"
kind = "stencil"
shader = "m.glsl"
inputs = [{ name = "state", source = "input" }]
outputs = [{ name = "output", connector = "output" }]
stencil = { radius = "r", tap = [{ name = "value", from = "state" }] }
)toml"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->nodes[0].footprint.amount, 5.0F);
}

TEST(Registry, EarlierFoldersWin) {
  const Folder folder;
  for (const char* name : {"m", "o-test"}) {
    fs::create_directories(folder.file(name));
    folder.write(name + std::string("/module.toml"), R"toml(name = "m"
summary = "mine"
connector = [{ name = "input", direction = "input" }]
node = [{ name = "n", kind = "sink", inputs = [{ name = "i", source = "input" }] }]
)toml");
  }
  Diagnostics diagnostics;
  Registry mineLast({"/no/such/folder", testModules, folder.file("")});
  EXPECT_EQ(mineLast.find("o-test", diagnostics)->summary, "a sink for any image");
  EXPECT_EQ(mineLast.find("m", diagnostics)->summary, "mine");
  EXPECT_EQ(mineLast.find("m", diagnostics), mineLast.find("m", diagnostics)) << "read once";
  EXPECT_EQ(mineLast.find("nothing", diagnostics), nullptr);
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_TRUE(mineLast.hint("bilateral-study").ends_with("/tools/bench/modules finds it"));
  const std::vector<std::string> names = mineLast.names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "o-test"), 1);
  Registry mineFirst({folder.file(""), testModules});
  EXPECT_EQ(mineFirst.find("o-test", diagnostics), nullptr) << "its name is not its folder's";
  EXPECT_TRUE(diagnostics.hasErrors());
}

TEST(Registry, SearchPathInOrder) {
  setenv("LACUNA_MODULES", "/env/one:/env/two::/given", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  const std::vector<std::string> path = moduleSearchPath({"/given", "relative"});
  unsetenv("LACUNA_MODULES");
  unsetenv("XDG_DATA_HOME");
  ASSERT_EQ(path.size(), 7U);
  EXPECT_EQ(std::vector<std::string>(path.begin(), path.begin() + 5),
            (std::vector<std::string>{"/given", "relative", "/env/one", "/env/two", "/data/lacuna/modules"}));
  const fs::path program = fs::read_symlink("/proc/self/exe");
  EXPECT_EQ(path[5], (program.parent_path().parent_path() / "lib/lacuna/modules").string());
  EXPECT_EQ(path[6], LACUNA_MODULE_FOLDER);
}

TEST(Describe, TextNamesEverything) {
  const auto module = readRight(testModules + "/filter-test");
  const std::string text = print(*module);
  for (const std::string expected :
       {"filter-test\n  a filter with", "Nobody 2000", "guide", "mv, optional", "motion, where there is one",
        "float, default 1, from 0 to 10, unit: times", "6 x float, default 1, from 0 to 4, one a level",
        "int, default 3, from 1 to 6, structural", "choice, soft|hard, default \"soft\"",
        "main  stencil, halo(1), levels: levels"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\nis not in\n" << text;
}

TEST(Describe, JsonHoldsEverything) {
  const auto module = readRight(testModules + "/filter-test");
  const auto json = readJson(printJson(*module));
  EXPECT_EQ(json["name"], "filter-test");
  EXPECT_EQ(json["connectors"].size(), module->connectors.size());
  EXPECT_EQ(json["connectors"][0]["channels"], (std::vector<std::string>{"rgba", "rgb"}));
  EXPECT_EQ(json["parameters"].size(), module->parameters.size());
  EXPECT_EQ(json["parameters"][0]["range"], (std::vector<double>{0.0, 10.0}));
  EXPECT_TRUE(json["parameters"][1]["range"].is_null());
  EXPECT_EQ(json["parameters"][6]["default"][0], true);
  EXPECT_EQ(json["nodes"][0]["levels"], "levels");
  EXPECT_EQ(json["nodes"][0]["footprint"], "halo(1)");
}

TEST(Describe, Footprints) {
  EXPECT_EQ(textOf(Footprint{FootprintKind::halo, 3}), "halo(3)");
  EXPECT_EQ(textOf(Footprint{FootprintKind::halo, 3, 2}), "halo(3, 2)");
}

TEST(Condition, Forms) {
  const auto one = [](const char* text) { return When(text).conditions.at(0); };
  EXPECT_TRUE(one("p").holds(true));
  EXPECT_FALSE(one(" ! p ").holds(true));
  EXPECT_TRUE(one("p==0").holds(0.0));
  EXPECT_FALSE(one("p != 0").holds(int64_t{0}));
  EXPECT_TRUE(one("p != soft").holds(std::string("hard")));
  EXPECT_TRUE(one("p == false").holds(false));
  EXPECT_FALSE(one("p").holds(std::string()));
  EXPECT_EQ(one("p").parameter, "p");
  for (const char* wrong : {"!", "p > 3", "p q", "== 3", "!p == 3", "p and", "p or q and r", "p and and q"})
    EXPECT_TRUE(When(wrong).isWrong) << wrong;
}

TEST(Condition, Joined) {
  const When both("p == 0 and !q and r != hard");
  ASSERT_EQ(both.conditions.size(), 3U);
  EXPECT_FALSE(both.any);
  EXPECT_EQ(both.conditions[0].value, "0");
  EXPECT_TRUE(both.conditions[1].negated);
  EXPECT_EQ(both.conditions[2].parameter, "r");
  const When either("p == 0 or q");
  ASSERT_EQ(either.conditions.size(), 2U);
  EXPECT_TRUE(either.any);
  EXPECT_EQ(either.conditions[1].parameter, "q");
}

}  // namespace
}  // namespace lacuna
