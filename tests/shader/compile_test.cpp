// From modules to SPIR-V: parts that share names, mistakes of authors, arithmetic that no driver may
// rearrange.

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>
#include <random>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "tests/shader/body_support.h"

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

  // Dispatches of a chain of modules from memory to memory.
  std::vector<Pass> chain(const std::vector<std::string>& modules) {
    std::string text = "lacuna:1\nmodule:i-memory:in\nmodule:o-memory:out\n";
    std::string last = "i-memory:in";
    for (const std::string& each : modules) {
      text += "module:" + each + ":01\nconnect:" + last + ":output:" + each + ":01:input\n";
      last = each + ":01";
    }
    text += "connect:" + last + ":output:o-memory:out:input\n";
    const Schedule schedule =
        generateShaders(scheduleOfText(text, {folder.path().string(), LACUNA_MODULE_FOLDER}, "baseline",
                                       {Channels::rgba, Format::f16, ColourTag::rec709, {64, 48}, 0}),
                        {LACUNA_MODULE_FOLDER});
    std::vector<Pass> dispatches;
    for (const Pass& pass : schedule.passes) {
      if (pass.kind == PassKind::dispatch) {
        dispatches.push_back(pass);
      }
    }
    return dispatches;
  }

  std::string failure(const std::vector<std::string>& modules) {
    try {
      for (const Pass& pass : chain(modules)) {
        compileGlsl(pass.glsl, pass.name);
      }
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string file(const std::string& module) const {
    return (folder.path() / module / "body.glsl").string();
  }

  TemporaryFolder folder;
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
  expectContains(both, (folder.path() / "including/helper.glsl").string() + ":2: error: ");
  expectContains(both, file("including") + ":2: error: 'bad'");
  pointwise("good", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }\n");
  expectContains(failure({"good", "mistyped"}), file("mistyped") + ":4: error: ");
}

TEST_F(Modules, MissingDefinitionsAreListedWithTheirDeclarations) {
  stencil("nothing", "// soon\n");
  EXPECT_EQ(
      failure({"nothing"}),
      file("nothing") +
          ": the body of node 'main' must also define\n  struct Centre { ... };\n  struct Acc { ... };\n"
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
  EXPECT_EQ(failure({"unfinished"}),
            file("unfinished") +
                ": the body of node 'main' must also define\n  State finish(Acc a, Centre c, Pixel p)");
  stencil("finished", all + "State finish(Acc a, Centre c, Pixel p) { return a.v / 25.0; }\n");
  EXPECT_EQ(failure({"finished"}), "no error");
  pointwise("misnamed", "void aply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input; }\n");
  EXPECT_EQ(
      failure({"misnamed"}),
      file("misnamed") +
          ": the body of node 'main' must also define\n  void apply(Inputs i, inout Outputs o, Pixel p)");
  module("idle", "",
         "kind = \"kernel\"\nshader = \"body.glsl\"\ninputs = [{ name = \"input\", source = \"input\" }]\n"
         "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  EXPECT_EQ(failure({"idle"}),
            file("idle") + ": the body of node 'main' must also define\n  void run(Pixel p)");
}

// Results of float arithmetic without the decoration, and decorations on it in all.
std::pair<int, int> contraction(const SpirvWords& words) {
  std::set<uint32_t> floats;
  std::set<uint32_t> decorated;
  std::map<uint32_t, uint32_t> element;  // vector or matrix -> component
  int bare = 0;
  for (const bool counting : {false, true}) {
    for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
      const auto op = static_cast<spv::Op>(words[i] & 0xffffU);
      if (op == spv::Op::OpTypeFloat) {
        floats.insert(words[i + 1]);
      } else if ((op == spv::Op::OpTypeVector || op == spv::Op::OpTypeMatrix) &&
                 floats.count(words[i + 2]) != 0) {
        floats.insert(words[i + 1]);
      } else if (op == spv::Op::OpDecorate &&
                 words[i + 2] == static_cast<uint32_t>(spv::Decoration::NoContraction)) {
        decorated.insert(words[i + 1]);
      } else if (counting) {
        const bool arithmetic =
            (op >= spv::Op::OpSNegate && op <= spv::Op::OpDot) && floats.count(words[i + 1]) != 0;
        const bool fma = op == spv::Op::OpExtInst && words[i + 4] == GLSLstd450Fma;
        bare += (arithmetic || fma) && decorated.count(words[i + 2]) == 0 ? 1 : 0;
      }
    }
  }
  return {bare, static_cast<int>(decorated.size())};
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

std::string guidedGraph() {
  return "lacuna:1\nmodule:i-memory:in\nmodule:i-memory:normal\nmodule:i-memory:depth\nmodule:atrous-guided:"
         "01\nmodule:o-memory:out\n"
         "connect:i-memory:in:output:atrous-guided:01:input\nconnect:i-memory:normal:output:atrous-guided:01:"
         "normal\n"
         "connect:i-memory:depth:output:atrous-guided:01:depth\nconnect:atrous-guided:01:output:o-memory:out:"
         "input\n"
         "param:atrous-guided:01:levels:4\n";
}

std::string eawGraph() {
  return "lacuna:1\nmodule:i-memory:in\nmodule:noise:01\nmodule:exposure:01\nmodule:eaw:01\nmodule:o-memory:"
         "out\n"
         "connect:i-memory:in:output:noise:01:input\nconnect:noise:01:output:exposure:01:input\nconnect:"
         "exposure:01:output:eaw:01:input\n"
         "connect:eaw:01:output:o-memory:out:input\nparam:eaw:01:levels:4\n";
}

// Under a sanitizer the compiler takes ten times as long: there a sixth of the shaders, another one each
// time.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t everyNth = 6;
#else
constexpr size_t everyNth = 1;
#endif

// Every shader of both filters, as the validator of SPIRV-Tools and the definition of exactness want it.
TEST(BuiltInFilters, ShadersAreValidAndExactUnderEverySchedule) {
  spvtools::SpirvTools validator(SPV_ENV_VULKAN_1_2);
  std::string messages;
  validator.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { messages += text; });
  std::map<std::string, std::string> shaders;  // text -> where from
  for (const bool synthesis : {true, false}) {
    for (const StencilSchedule& schedule : allSchedules(synthesis)) {
      const Schedule generated = generateShaders(
          scheduleOfText(synthesis ? eawGraph() : guidedGraph(), {LACUNA_MODULE_FOLDER}, print(schedule),
                         {Channels::rgba, Format::f16, ColourTag::rec709, {64, 48}, 0}),
          {LACUNA_MODULE_FOLDER});
      for (const Pass& pass : generated.passes) {
        if (pass.kind == PassKind::dispatch) {
          shaders.emplace(pass.glsl, print(schedule) + ", " + pass.name);
        }
      }
    }
  }
  EXPECT_GT(shaders.size(), 50U);
  std::vector<std::string> texts;
  std::vector<std::string> names;
  size_t index = std::random_device{}() % everyNth;
  for (const auto& [text, name] : shaders) {
    if (index++ % everyNth == 0) {
      texts.push_back(text);
      names.push_back(name);
    }
  }
  const auto compiled = ShaderCache(ShaderCache::defaultFolder()).compileAll(texts, names);
  for (size_t s = 0; s < compiled.size(); ++s) {
    messages.clear();
    EXPECT_TRUE(validator.Validate(*compiled[s])) << names[s] << ": " << messages;
    EXPECT_EQ(contraction(*compiled[s]).first, 0) << names[s];
  }
}

}  // namespace
}  // namespace lacuna::test
