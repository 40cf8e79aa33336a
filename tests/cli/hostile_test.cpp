// Graphs and names from elsewhere: refused at once, with a message.

#include <fmt/format.h>

#include <chrono>

#include "tests/support/environment.h"
#include "tests/support/program.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.file("graph"));
    writeRandomPng(folder_.file("graph/in.png"), {9, 7});
  }

  Outcome check(const std::string& graph, const std::vector<std::string>& options = {}) const {
    spill(folder_.file("graph/graph.cfg"), graph);
    std::vector<std::string> words = {"check", folder_.file("graph/graph.cfg")};
    words.insert(words.end(), options.begin(), options.end());
    return runProgram(words);
  }

  const Folder folder_;
};

// Each function calls the one before twice, a million calls in all: no mistake, and too much for a compiler.
TEST_F(Hostile, ShadersThatTakeForEver) {
  std::string body = "float f0(float x) { return x * x; }\n";
  for (int i = 1; i <= 20; ++i)
    body += fmt::format("float f{0}(float x) {{ return f{1}(x) + f{1}(x + 1.0); }}\n", i, i - 1);
  body += "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = vec4(f20(i.input.r)); }\n";
  fs::create_directories(folder_.file("modules/endless"));
  spill(folder_.file("modules/endless/main.glsl"), body);
  spill(folder_.file("modules/endless/module.toml"),
        "name = \"endless\"\nsummary = \"never ready\"\n"
        "[[connector]]\nname = \"input\"\ndirection = \"input\"\nchannels = [\"rgba\"]\n"
        "[[connector]]\nname = \"output\"\ndirection = \"output\"\n"
        "[[node]]\nname = \"main\"\nkind = \"pointwise\"\nshader = \"main.glsl\"\n"
        "inputs = [{ name = \"input\", source = \"input\" }]\n"
        "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  spill(folder_.file("graph/graph.cfg"),
        "lacuna:1\nmodule:i-png:01\nmodule:endless:01\nmodule:o-png:01\nparam:i-png:01:filename:in.png\n"
        "connect:i-png:01:output:endless:01:input\nconnect:endless:01:output:o-png:01:input\n"
        "param:o-png:01:filename:out.png\n");
  const auto run = [&](bool terminal = false) {
    return runProgram({"run", folder_.file("graph/graph.cfg"), "--modules", folder_.file("modules")},
                      {.folder = folder_.path(), .terminal = terminal});
  };
  {
    const Environment limit("LACUNA_SHADER_SECONDS", "2.3");
    const Outcome outcome = run(true);
    EXPECT_NE(outcome.err.find("lacuna: compiling the shader of i-png:01"), std::string::npos) << outcome.err;
  }
  {
    const Environment limit("LACUNA_SHADER_SECONDS", "0.5");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("is still compiling after 0.5 seconds; LACUNA_SHADER_SECONDS=N allows N"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("endless:01"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("lacuna: compiling"), std::string::npos) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder_.file("out.png")));
  const Environment wrong("LACUNA_SHADER_SECONDS", "soon");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("LACUNA_SHADER_SECONDS is 'soon', but must be a number above 0"),
            std::string::npos)
      << outcome.err;
}

// Each of its shaders compiles quickly, but Mesa's CPU driver compiles them one after the other.
TEST_F(Hostile, RandomGraphsThatTheDriverCompilesForEver) {
  spill(folder_.file("deep.safetensors"), weightsFile(deepNetwork(testRandom(), {unet::Plane::colour}, 4)));
  writeRandomPng(folder_.file("in.png"), {24, 16});
  const Environment fresh("MESA_SHADER_CACHE_DISABLE", "true");
  const std::vector<std::string> denoise = {
      "denoise",   "in.png",           "-o",       "out.png", "--method", "cnn-unet",
      "--weights", "deep.safetensors", "--device", "cpu",     "-p",       "cnn-unet:01:arithmetic=matrices"};
  EXPECT_EQ(runProgram(denoise, {.folder = folder_.path()}).code, 0) << "the other compiler's work is kept";
  fs::remove(folder_.file("out.png"));
  const Environment limit("LACUNA_SHADER_SECONDS", "2");
  const Outcome outcome = runProgram(denoise, {.folder = folder_.path()});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(
      outcome.err.find("the graph is still compiling after 2 seconds; LACUNA_SHADER_SECONDS=N allows N\n"
                       "  now the pipeline of "),
      std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(folder_.file("out.png")));
}

// A device that is at work can't be stopped, so the program ends. Mesa's CPU driver leaves a loop after 65535
// turns, which take many pixels a while.
TEST_F(Hostile, FramesThatNeverEnd) {
  writeRandomPng(folder_.file("graph/in.png"), {600, 400});
  fs::create_directories(folder_.file("modules/spin"));
  spill(folder_.file("modules/spin/turn.glsl"),
        "void apply(Inputs i, inout Outputs o, Pixel p) {\n  float x = i.input.r;\n"
        "  while (x >= 0.0) { x = fract(x + 0.1); }\n  o.output = vec4(x);\n}\n");
  spill(folder_.file("modules/spin/module.toml"),
        "name = \"spin\"\nsummary = \"never done\"\n"
        "[[connector]]\nname = \"input\"\ndirection = \"input\"\nchannels = [\"rgba\"]\n"
        "[[connector]]\nname = \"output\"\ndirection = \"output\"\n"
        "[[node]]\nname = \"main\"\nkind = \"pointwise\"\nshader = \"turn.glsl\"\n"
        "inputs = [{ name = \"input\", source = \"input\" }]\n"
        "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  spill(folder_.file("graph/graph.cfg"),
        "lacuna:1\nmodule:i-png:01\nmodule:spin:01\nmodule:o-png:01\nparam:i-png:01:filename:in.png\n"
        "connect:i-png:01:output:spin:01:input\nconnect:spin:01:output:o-png:01:input\n"
        "param:o-png:01:filename:out.png\n");
  const Environment limit("LACUNA_GPU_SECONDS", "0.2");
  const Outcome outcome =
      runProgram({"run", folder_.file("graph/graph.cfg"), "--modules", folder_.file("modules")},
                 {.folder = folder_.path()});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  for (const char* part :
       {"the device is still computing ", "spin:01:main", "turn.glsl", "after 0.2 seconds"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  EXPECT_NE(outcome.err.find("LACUNA_GPU_SECONDS=N allows N"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_.file("out.png")));
}

}  // namespace
}  // namespace lacuna::test
