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

// A filter that depends on all frames before.
TEST_F(Hostile, FramesThatDependOnABillion) {
  const std::string graph =
      "lacuna:1\nmodule:i-png:01\nmodule:accum:01\nmodule:o-png:01\nparam:i-png:01:filename:in.png\n"
      "param:i-png:01:still:true\nconnect:i-png:01:output:accum:01:input\n"
      "connect:accum:01:output:o-png:01:input\nparam:o-png:01:filename:\"%d.png\"\n";
  ASSERT_EQ(check(graph).code, 0) << check(graph).err;
  const Outcome outcome =
      runProgram({"run", folder_.file("graph/graph.cfg"), "--frames", "999999999", "--warm-up", "2"},
                 {.folder = folder_.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("1 frame and 2 of warm-up"), std::string::npos) << outcome.err;
}

TEST_F(Hostile, PicturesThatNoFileHolds) {
  const std::string graph =
      "lacuna:1\nmodule:i-png:01\nmodule:resize:01\nmodule:o-png:01\nparam:i-png:01:filename:in.png\n"
      "connect:i-png:01:output:resize:01:input\nconnect:resize:01:output:o-png:01:input\n"
      "param:o-png:01:filename:out.png\nparam:resize:01:width:{}\nparam:resize:01:height:3\n";
  EXPECT_EQ(check(fmt::format(fmt::runtime(graph), 65535)).code, 0);
  const Outcome outcome = check(fmt::format(fmt::runtime(graph), 65536));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("'width' is 65536"), std::string::npos) << outcome.err;
}

// Files that a graph from elsewhere names as a scene, a mesh or a module, but that are something else.
TEST_F(Hostile, FilesThatAreSomethingElseAreNotQuoted) {
  spill(folder_.file("secret"), "# nobody's business\nroot:x:0:0:root:/root:/bin/bash\n");
  const auto expectRefused = [&](const std::string& graph, const std::vector<std::string>& options,
                                 const std::string& message) {
    const Outcome outcome = check(graph, options);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("root"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("nobody"), std::string::npos) << outcome.err;
  };
  const std::string traced =
      "lacuna:1\nmodule:pathtrace:01\nmodule:o-png:01\nconnect:pathtrace:01:output:o-png:01:input\n"
      "param:o-png:01:filename:out.png\nparam:pathtrace:01:filename:";
  expectRefused(traced + "../secret\n", {}, "secret: error: the file is not a scene");
  spill(folder_.file("graph/a.scene"), "scene:1\nmesh a \"../secret\"\n");
  expectRefused(traced + "a.scene\n", {}, "secret' is not an OBJ file");
  fs::create_directories(folder_.file("modules/linked"));
  fs::create_symlink(folder_.file("secret"), folder_.file("modules/linked/module.toml"));
  expectRefused("lacuna:1\nmodule:linked:01\n", {"--modules", folder_.file("modules")},
                "module.toml: error: the file is a link to a place outside the module's folder");
}

TEST_F(Hostile, FilesThatAreNoGraphsAreNotQuoted) {
  const Outcome outcome = check("root:x:0:0:secret:/root:/bin/bash\ndaemon:x:1:1\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("graph.cfg: error: the file is not a graph: "), std::string::npos)
      << outcome.err;
  for (const char* text : {"root", "secret", "daemon"}) {
    EXPECT_EQ(outcome.err.find(text), std::string::npos) << outcome.err;
  }
}

TEST_F(Hostile, IncludesFromElsewhere) {
  spill(folder_.file("more.cfg"), "param:exposure:01:stops:1\n");
  const std::string graph = exposureGraph("in.png", "out.png", "include:../more.cfg\n");
  const Outcome outcome = check(graph);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("more.cfg' is outside the folder of the graph"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("stops"), std::string::npos) << outcome.err;
  EXPECT_EQ(check(graph, {"--include-root", folder_.path()}).code, 0);
  EXPECT_EQ(check(graph, {"--include-root", folder_.file("none")}).code, 2);
}

TEST_F(Hostile, NamesWithEscapeCodes) {
  const std::string name = folder_.file("\x1b[31mred\x1b[0m.cfg");
  spill(name, "lacuna:1\nwrong\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", name},
                                                {"run", name + "x"},
                                                {"fmt", name},
                                                {"fmt", name + "x"},
                                                {"compare", name, name},
                                                {"info", name},
                                                {"describe", name}}) {
    const Outcome outcome = runProgram(words);
    EXPECT_NE(outcome.code, 0) << words[0];
    EXPECT_NE(outcome.err, "") << words[0];
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << words[0] << ": " << outcome.err;
  }
}

TEST_F(Hostile, SummariesWithEscapeCodes) {
  const std::string module = folder_.file("soft");
  ASSERT_EQ(runProgram({"new", module, "--kind", "pointwise"}).code, 0);
  std::string text = slurp(module + "/module.toml");
  text.insert(text.find("summary = \"") + 11, "\\u202E\\u001b[31m\\u0007\\u2066caf\\u00e9");
  spill(module + "/module.toml", text);
  for (const char* command : {"modules", "describe soft"}) {
    std::vector<std::string> words = {command, "--modules", folder_.path()};
    if (words[0] != "modules") {
      words = {"describe", "soft", "--modules", folder_.path()};
    }
    const std::string out = runProgram(words).out;
    EXPECT_NE(out.find("??[31m??caf\xc3\xa9"), std::string::npos) << out;
  }
}

// Each function calls the one before twice, a million calls in all: no mistake, and too much for a compiler.
TEST_F(Hostile, ShadersThatTakeForEver) {
  std::string body = "float f0(float x) { return x * x; }\n";
  for (int i = 1; i <= 20; ++i) {
    body += fmt::format("float f{0}(float x) {{ return f{1}(x) + f{1}(x + 1.0); }}\n", i, i - 1);
  }
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

// Drivers crash if they get no memory, which can't be caught, so a warning is printed before.
TEST_F(Hostile, AddressSpaceThatIsTooSmallForDrivers) {
  writeRandomPng(folder_.file("in.png"), {40, 30});
  const Outcome outcome =
      runProgram({"denoise", "in.png", "-o", "out.png"}, {.folder = folder_.path(), .limit = "-v 400000"});
  EXPECT_NE(
      outcome.err.find("lacuna: warning: the address space is limited to 390 MiB (ulimit -v); Vulkan drivers "
                       "need about 1024 MiB, and may crash when they get less\n"),
      std::string::npos)
      << outcome.err;
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
       {"the device is still computing ", "spin:01:main", "turn.glsl", "after 0.2 seconds"}) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }
  EXPECT_NE(outcome.err.find("LACUNA_GPU_SECONDS=N allows N"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_.file("out.png")));
}

// Messages are bounded in time and size, whatever a file holds.
TEST_F(Hostile, ManyMistakes) {
  std::string lines = "lacuna:1\n";
  for (int i = 0; i < 400'000; ++i) {
    lines += "wrong:line\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  const Outcome many = check(lines);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(many.code, 2);
  EXPECT_LT(many.err.size(), 1U << 20U);
  EXPECT_NE(many.err.find("only the first 1000 errors are shown\n"), std::string::npos);
  const Outcome longLine = check("lacuna:1\n" + std::string(8'000'000, 'x') + "\n");
  EXPECT_EQ(longLine.code, 2);
  EXPECT_LT(longLine.err.size(), 10'000U);
}

}  // namespace
}  // namespace lacuna::test
