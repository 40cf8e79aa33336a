// From modules to SPIR-V: parts that share names, mistakes of authors, arithmetic that no driver may
// rearrange.

#include <fmt/ranges.h>

#include "tests/shader/body_support.h"
#include "tests/support/contraction.h"

namespace lacuna::test {
namespace {

const std::string ends = R"([[connector]]
name = "input"
direction = "input"
doc = "in"

[[connector]]
name = "output"
direction = "output"
doc = "out"

[[parameter]]
name = "amount"
type = "float"
default = 1.0
doc = "any"

)";

class Modules : public testing::Test {
 protected:
  void pointwise(const std::string& name, const std::string& body) {
    module(
        name, body,
        "kind = \"pointwise\"\nshader = \"body.glsl\"\ninputs = [{ name = \"input\", source = \"input\" }]\n"
        "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  }
  void stencil(const std::string& name, const std::string& body) {
    module(name, body,
           "kind = \"stencil\"\nshader = \"body.glsl\"\ninputs = [{ name = \"state\", source = \"input\" }]\n"
           "outputs = [{ name = \"output\", channels = \"y\", connector = \"output\" "
           "}]\n[node.stencil]\nsynthesis = true\n"
           "state = { channels = \"rgba\", format = \"f16\" }\ntap = [{ name = \"c\", type = \"vec4\" }]\n");
  }
  void module(const std::string& name, const std::string& body, const std::string& node) {
    folder.write(name + "/body.glsl", body);
    folder.write(name + "/module.toml", "name = \"" + name + "\"\nsummary = \"s\"\npapers = []\n\n" + ends +
                                            "[[node]]\nname = \"main\"\n" + node);
  }

  // A chain of modules from memory to memory.
  FrameGraph scheduled(const std::vector<std::string>& modules) {
    return scheduleOfText(fmt::format("i-memory:in {} o-memory:out\n", fmt::join(modules, " ")),
                          {folder.path(), LACUNA_MODULE_FOLDER}, "baseline",
                          {Channels::rgba, Format::f16, ColourTag::rec709, {64, 48}, 0});
  }

  // Its dispatches.
  std::vector<Pass> chain(const std::vector<std::string>& modules) {
    FrameGraph schedule = scheduled(modules);
    generateShaders(schedule, {LACUNA_MODULE_FOLDER});
    std::vector<Pass> dispatches;
    for (const Pass& pass : schedule.passes)
      if (pass.kind == PassKind::dispatch)
        dispatches.push_back(pass);
    return dispatches;
  }

  std::string failure(const std::vector<std::string>& modules) {
    try {
      for (const Pass& pass : chain(modules))
        compileGlsl(pass.glsl, pass.name);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string file(const std::string& module) const { return folder.file(module + "/body.glsl"); }

  Folder folder;
};

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(Modules, PartsOfOneShaderShareNames) {
  const std::string helpers =
      "#define K 2.0\nconst float half_ = 0.5, scale = K;\nstruct Pair { vec3 a; float scale; };\n"
      "Pair pair(vec4 v) { return Pair(v.rgb, v.a); }\n";
  pointwise("one", helpers +
                       "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = vec4(pair(i.input).a * "
                       "scale * param.amount, 1.0); }\n");
  pointwise("two", helpers +
                       "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input * half_ + "
                       "pair(i.input).scale; }\n");
  const auto passes = chain({"one", "two"});
  ASSERT_EQ(passes.size(), 1U);
  EXPECT_NO_THROW(compileGlsl(passes[0].glsl, "both"));
}

TEST_F(Modules, CompilersErrorsShowTheAuthorsLines) {
  const std::string before = "// A first line.\n\n";
  pointwise("undeclared",
            before + "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input * amuont; }\n");
  expectContains(failure({"undeclared"}), file("undeclared") + ":3: error: 'amuont' : undeclared identifier");
  pointwise("mistyped",
            before + "void apply(Inputs i, inout Outputs o, Pixel p) {\n  o.output = i.input.rgb;\n}\n");
  expectContains(failure({"mistyped"}), file("mistyped") + ":4: error: ");
  pointwise("semicolon", before +
                             "float f() { return 1.0 }\nvoid apply(Inputs i, inout Outputs o, Pixel p) { "
                             "o.output = i.input; }\n");
  expectContains(failure({"semicolon"}), file("semicolon") + ":3: error: ");
  pointwise("unknown-input", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.mask; }\n");
  expectContains(failure({"unknown-input"}), file("unknown-input") + ":1: error: 'mask' : no such field");
  pointwise("unknown-parameter",
            "\nvoid apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input * param.amuont; }\n");
  expectContains(failure({"unknown-parameter"}),
                 file("unknown-parameter") + ":2: error: 'amuont' : no such field");
  pointwise(
      "refuses",
      "\n\n#error \"not ready\"\nvoid apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }\n");
  expectContains(failure({"refuses"}), file("refuses") + ":3: error: '#error' : not ready");
  folder.write("including/helper.glsl", "float helper() {\n  return vec2(1.0);\n}\n");
  pointwise("including",
            "#include \"helper.glsl\"\nvoid apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input * "
            "helper() + bad; }\n");
  const std::string both = failure({"including"});
  expectContains(both, folder.file("including/helper.glsl") + ":2: error: ");
  expectContains(both, file("including") + ":2: error: 'bad'");
  pointwise("good", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }\n");
  expectContains(failure({"good", "mistyped"}), file("mistyped") + ":4: error: ");
}

TEST_F(Modules, DeepExpressionsAreRefused) {
  std::string sum = "i.input";
  for (int terms = 1; terms < 30000; ++terms)
    sum += "+i.input";
  pointwise("deep", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = " + sum + "; }\n");
  expectContains(failure({"deep"}), "deep: at most 8000 are allowed");
}

// Also in a body that is fused with the one before it; a shader with mistakes is not kept.
TEST_F(Modules, MistakesThatCompilersAcceptAreReviewed) {
  const std::string head = "void apply(Inputs i, inout Outputs o, Pixel p) ";
  pointwise("good", head + "{ o.output = i.input; }\n");
  pointwise("fine", head + "{ o.output = i.input; }\n");
  pointwise("lacks-alpha", head + "{ o.output.rgb = i.input.rgb; }\n");
  const ShaderCache cache(folder.file("cache"));
  const auto compiled = [&](const std::vector<std::string>& modules) {
    return compileShaders(shade(scheduled(modules), {LACUNA_MODULE_FOLDER}), cache);
  };
  EXPECT_NO_THROW(compiled({"good", "fine"}));
  EXPECT_THROW(compiled({"lacks-alpha"}), ShaderSourceError);
  for (int run = 0; run < 2; ++run) {
    try {
      compiled({"good", "lacks-alpha"});
      ADD_FAILURE() << "no error";
    } catch (const ShaderSourceError& error) {
      expectContains(error.what(), file("lacks-alpha") + ":1: error: 'apply' never sets 'o.output.a'");
    }
  }
}

TEST_F(Modules, MissingDefinitionsAreListedWithTheirDeclarations) {
  stencil("nothing", "// soon\n");
  EXPECT_EQ(
      failure({"nothing"}),
      file("nothing") +
          ":1: error: the body of node 'main' must also define\n  struct Centre { ... };\n  struct Acc { ... "
          "};\n"
          "  Centre centre(Tap t, Pixel p)\n  Acc start(Centre c)\n"
          "  void gather(inout Acc a, Centre c, Tap t, Offset o)\n  State finish(Acc a, Centre c, Pixel p)\n"
          "  void load(inout Tap t, Sample s)\n  State detail(State fine, State coarse, Pixel p)\n"
          "  void output(State s, inout Outputs o, Pixel p)");
  const std::string all =
      "struct Centre { int n; };\nstruct Acc { vec4 v; };\nvoid load(inout Tap t, Sample s) { t.c = s.state; "
      "}\n"
      "Centre centre(Tap t, Pixel p) { return Centre(0); }\nAcc start(Centre c) { return Acc(vec4(0.0)); }\n"
      "void gather(inout Acc a, Centre c, Tap t, Offset o) { a.v += o.weight * t.c; }\n"
      "State detail(State fine, State coarse, Pixel p) { return fine - coarse; }\n"
      "void output(State s, inout Outputs o, Pixel p) { o.output = s.x; }\n";
  stencil("unfinished", all);
  EXPECT_EQ(
      failure({"unfinished"}),
      file("unfinished") +
          ":1: error: the body of node 'main' must also define\n  State finish(Acc a, Centre c, Pixel p)");
  stencil("finished", all + "State finish(Acc a, Centre c, Pixel p) { return a.v / 25.0; }\n");
  EXPECT_EQ(failure({"finished"}), "no error");
  pointwise("misnamed", "void aply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }\n");
  expectContains(
      failure({"misnamed"}),
      file("misnamed") + ":1:6: error: the body of node 'main' must define 'apply', but defines 'aply'\n");
  module("idle", "",
         "kind = \"kernel\"\nshader = \"body.glsl\"\ninputs = [{ name = \"input\", source = \"input\" }]\n"
         "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  EXPECT_EQ(failure({"idle"}),
            file("idle") + ":1: error: the body of node 'main' must also define\n  void run(Pixel p)");
}

const char* const arithmetic = R"(#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { vec4 v[]; };
vec4 mixed(mat4 m, vec4 a) { return m * a + a * m + outerProduct(a, a)[1] * dot(a, a.wzyx) - mod(a, 3.0) / (1.0 - a); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  v[i] = fma(v[i], v[i + 1u], mixed(mat4(v[i], v[i + 1u], v[i + 2u], v[i + 3u]) * 2.0, -v[i])) * float(i * 3u + 7u);
})";

TEST(NoContraction, EveryFloatResultOnce) {
  const SpirvWords words = compileGlsl(arithmetic, "arithmetic");
  const auto [bare, decorated] = contraction(words);
  EXPECT_EQ(bare, 0);
  EXPECT_GE(decorated, 12);
  EXPECT_EQ(decorateNoContraction(words), words);
}

}  // namespace
}  // namespace lacuna::test
