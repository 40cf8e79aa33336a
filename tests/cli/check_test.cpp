// lacuna check with the bodies of modules, and --json of check, run and test.

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

using Json = nlohmann::json;

class CheckBodies : public testing::Test {
 protected:
  // A module called `soft`, whose body has `to` in place of `from`.
  std::string makeModule(const std::string& from = {}, const std::string& to = {}) {
    const std::string module = folder.file("soft");
    EXPECT_EQ(runProgram({"new", module, "--kind", "stencil"}).code, 0);
    std::string body = slurp(module + "/main.glsl");
    if (!from.empty()) {
      const size_t at = body.find(from);
      EXPECT_NE(at, std::string::npos);
      body.replace(at, from.size(), to);
      std::ofstream(module + "/main.glsl") << body;
    }
    return module;
  }

  const Folder folder;
};

TEST_F(CheckBodies, TakesModulesByFolderFileAndName) {
  const std::string module = makeModule();
  for (const std::string& target : {module, module + "/", module + "/module.toml"}) {
    const Outcome outcome = runProgram({"check", target});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(runProgram({"check", "."}, {module}).code, 0);
  EXPECT_EQ(runProgram({"check", "module.toml"}, {module}).code, 0);
  EXPECT_EQ(runProgram({"check", "soft", "--modules", folder.path()}).code, 0);
  const Outcome none = runProgram({"check", folder.path()});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find(": the folder has no module.toml; expected graph files"), std::string::npos)
      << none.err;
  const Outcome unknown = runProgram({"check", "sofd", "--modules", folder.path()});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no module of this name\n  hint: did you mean 'soft'?"), std::string::npos)
      << unknown.err;
}

TEST_F(CheckBodies, MayBeginWithAByteOrderMark) {
  const std::string module = makeModule();
  for (const char* name : {"/main.glsl", "/module.toml"}) {
    spill(module + name, "\xef\xbb\xbf" + slurp(module + name));
  }
  const Outcome outcome = runProgram({"check", folder.file("soft")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(CheckBodies, ReportsMistakesOfBodiesInModulesAndGraphs) {
  const std::string module = makeModule("inout Acc a", "Acc a");
  const std::string graph = module + "/test/small.cfg";
  const std::string expected =
      module + "/main.glsl:11:13: error: parameter 1 of 'gather' must be 'inout Acc', not 'Acc'";
  const std::vector<std::vector<std::string>> commands = {
      {"check", module},
      {"check", graph, "--modules", folder.path()},
      {"run", graph, "--modules", folder.path(), "-o", "o-pfm:01=" + folder.file("out.pfm")}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = runProgram(command);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("generated"), std::string::npos) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder.file("out.pfm")));
  EXPECT_EQ(runProgram({"check", graph, "--modules", folder.path(), "--no-shaders"}).code, 0);
}

TEST_F(CheckBodies, SayHowImagesAreRead) {
  const std::string module = folder.file("point");
  ASSERT_EQ(runProgram({"new", module, "--kind", "pointwise"}).code, 0);
  spill(module + "/main.glsl",
        "void apply(Inputs i, inout Outputs o, Pixel p) {\n"
        "  vec4 a = texture(input, p.position);\n"
        "  ivec2 s = textureSize(input, 0);\n"
        "  o.output = a;\n}\n");
  const Outcome outcome = runProgram({"check", module});
  EXPECT_EQ(outcome.code, 2);
  for (const char* text :
       {"main.glsl:2:12: error: there is no texture(): bodies don't access images themselves",
        "hint: `i.input` is the value of `input` at the pixel",
        "main.glsl:3:13: error: there is no textureSize()", "hint: `p.extent` is the size"}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
  }
}

TEST_F(CheckBodies, NameTheImagesForWhichABodyIsWrong) {
  const std::string module = folder.file("point");
  ASSERT_EQ(runProgram({"new", module, "--kind", "pointwise"}).code, 0);
  std::string description = slurp(module + "/module.toml");
  const std::string from = "channels = [\"rgba\"]";
  ASSERT_NE(description.find(from), std::string::npos) << description;
  description.replace(description.find(from), from.size(), "channels = [\"y\", \"rgba\"]");
  spill(module + "/module.toml", description);
  spill(module + "/main.glsl",
        "void apply(Inputs i, inout Outputs o, Pixel p) {\n  float y = i.input;\n  o.output = i.input;\n}\n");
  const Outcome outcome = runProgram({"check", module});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("(where 'input' is rgba)"), std::string::npos) << outcome.err;
  spill(module + "/main.glsl", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.inptu; }\n");
  const Outcome both = runProgram({"check", module});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err.find("(where"), std::string::npos) << both.err;
}

TEST_F(CheckBodies, WarnOfKeyframesBehindTheOnlyFrame) {
  writeRandomPng(folder.file("in.png"), {8, 6});
  const auto check = [&](const std::string& more) {
    spill(folder.file("g.cfg"),
          exposureGraph("in.png", "out_%d.png",
                        "keyframe:0:exposure:01:stops:0\nkeyframe:10:exposure:01:stops:1\n" + more));
    return runProgram({"check", "g.cfg", "--no-shaders"}, {folder.path()}).err;
  };
  const std::string warning =
      "warning: 'stops' of exposure:01 has a keyframe at frame 10, but the graph has one frame, 0";
  EXPECT_NE(check("").find(warning), std::string::npos) << check("");
  EXPECT_EQ(check("frames:11\nparam:i-png:01:still:true\n"), "");
}

TEST_F(CheckBodies, NameTheGraphThatComesWithTheProgram) {
  const Outcome outcome =
      runProgram({"run", "svgf-exr.cfg", "-i", "a_%04d.exr", "-o", "b_%04d.exr"}, {folder.path()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(
      outcome.err.starts_with("svgf-exr.cfg: error: the file cannot be read: No such file or directory\n"))
      << outcome.err;
  EXPECT_NE(outcome.err.find("pipelines/svgf-exr.cfg\n"), std::string::npos) << outcome.err;
}

TEST_F(CheckBodies, NameNativeCodeThatCrashes) {
  const std::string modules = LACUNA_TEST_MODULES;
  spill(folder.file("g.cfg"),
        "lacuna:1\nmodule:any-source:07\nmodule:o-pfm:01\nconnect:any-source:07:output:o-pfm:01:input\n"
        "param:any-source:07:filename:x\nparam:any-source:07:where:read\nparam:any-source:07:how:crash\n"
        "param:o-pfm:01:filename:\"out.pfm\"\n");
  const Outcome outcome = runProgram({"run", "g.cfg", "--modules", modules}, {folder.path()});
  EXPECT_EQ(outcome.code, 1000 + SIGSEGV);
  EXPECT_NE(
      outcome.err.find("lacuna: error: the native code of any-source:07 crashed: a mistake in that module"),
      std::string::npos)
      << outcome.err;
}

TEST_F(CheckBodies, ReportsBodiesAndTheGraphTogether) {
  const std::string module = makeModule("param.edge", "param.egde");
  std::ofstream(module + "/test/small.cfg", std::ios::app) << "param:soft:01:levls:2\n";
  const Outcome outcome = runProgram({"check", module + "/test/small.cfg", "--modules", folder.path()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'edge'?"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("did you mean 'levels'?"), std::string::npos) << outcome.err;
}

TEST_F(CheckBodies, AsJson) {
  const std::string module = makeModule("param.edge", "param.egde");
  const Outcome outcome = runProgram({"check", module, "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "");
  const Json out = readJson(outcome.out);
  ASSERT_EQ(out["messages"].size(), 1U) << outcome.out;
  const Json& message = out["messages"][0];
  EXPECT_EQ(message["file"], module + "/main.glsl");
  EXPECT_EQ(message["line"], 12);
  EXPECT_EQ(message["column"], 50);
  EXPECT_EQ(message["severity"], "error");
  EXPECT_EQ(message["message"], "there is no parameter 'egde'");
  EXPECT_EQ(message["hint"], "did you mean 'edge'?");
  EXPECT_EQ(out["exitCode"], 2);
}

TEST_F(CheckBodies, RunAndTestAsJson) {
  const std::string module = makeModule();
  const std::string file = folder.file("out.pfm");
  const Json run = jsonOf({"run", module + "/test/small.cfg", "--modules", folder.path(), "-o",
                           "o-pfm:01=" + file, "--json", "--time"});
  EXPECT_EQ(run["frames"], 1);
  EXPECT_EQ(run["files"], Json::array({file}));
  EXPECT_EQ(run["exitCode"], 0);
  EXPECT_FALSE(run["passes"].empty());
  const Json passed = jsonOf({"test", module, "--json"});
  EXPECT_EQ(passed["tests"][0]["result"], "passed");
  fs::copy_file(module + "/test/input.pfm", module + "/test/expected/small.pfm",
                fs::copy_options::overwrite_existing);
  const Outcome failed = runProgram({"test", module, "--json"});
  EXPECT_EQ(failed.code, 1);
  const Json out = readJson(failed.out);
  EXPECT_EQ(out["tests"][0]["result"], "failed");
  EXPECT_FALSE(out["messages"].empty());
}

// An error about a parameter in native code is reported at the line that set it, even if it only shows in a
// later frame: only the first frame's size is known before.
TEST_F(CheckBodies, ErrorsWhileFramesRunNameTheLine) {
  const std::string graph = folder.file("graph.cfg");
  const auto image = [](int side) {
    return fmt::format("PF\n{0} {0}\n-1.0\n", side) + std::string(size_t(side * side) * 12, '\0');
  };
  std::ofstream(folder.file("in0000.pfm"), std::ios::binary) << image(4);
  std::ofstream(folder.file("in0001.pfm"), std::ios::binary) << image(5);
  std::ofstream(graph) << "lacuna:1\nframes:2\nmodule:i-pfm:01\nmodule:o-pfm:01\n"
                          "connect:i-pfm:01:output:o-pfm:01:input\n"
                          "param:i-pfm:01:filename:\"in%04d.pfm\"\n"
                          "param:o-pfm:01:filename:\"out%04d.pfm\"\n";
  const Outcome outcome = runProgram({"run", graph, "--json", "-q"}, {folder.path()});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const Json out = readJson(outcome.out);
  ASSERT_EQ(out["messages"].size(), 1U) << outcome.out;
  EXPECT_EQ(out["messages"][0]["file"], graph);
  EXPECT_EQ(out["messages"][0]["line"], 6) << outcome.out;
  EXPECT_EQ(out["exitCode"], 4);
}

}  // namespace
}  // namespace lacuna::test
