// Operations of bodies, counted by hand.

#include "graph/shader/generate/filter_text.h"

#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

void expectCount(const std::string& body, double plain, double special) {
  const Operations counted = countFunction(
      "struct S { vec3 colour; float w; };\n"
      "float twice(float v) { return 2.0 * v; }\n"
      "vec3 shade(vec3 v) { return v * 0.5 + v; }\n"
      "void f(inout S s, vec3 v, float x) {\n" +
          body + "\n}\n",
      "f");
  EXPECT_EQ(counted.plain, plain) << body;
  EXPECT_EQ(counted.special, special) << body;
}

TEST(BodyWork, OperatorsCountTheirComponents) {
  expectCount("float a = x + x * x;", 2, 0);
  expectCount("vec3 d = v - s.colour;", 3, 0);
  expectCount("s.colour = fma(v, v, s.colour);", 3, 0);
  expectCount("s.colour.xy = v.xy * x;", 2, 0);
  expectCount("s.w += x;", 1, 0);
  expectCount("float a = -x;", 0, 0);
  expectCount("vec4 a = vec4(v, -1.0);", 0, 0);
  expectCount("if (x < 1.0 && x > 0.0) { s.w = x * x; }", 4, 0);
}

TEST(BodyWork, CallsCostWhatTheyDo) {
  expectCount("float a = exp2(x);", 0, 1);
  expectCount("vec3 a = sqrt(v);", 0, 3);
  expectCount("float a = 1.0 / x;", 1, 1);
  expectCount("float a = dot(v, v);", 3, 0);
  expectCount("float a = twice(x) + abs(x);", 2, 0);
  expectCount("vec3 a = shade(v);", 6, 0);  // once, not a component
  expectCount("vec3 a = max(v, vec3(0.0));", 3, 0);
}

TEST(BodyWork, LoopsRepeat) {
  expectCount("for (int i = 0; i < 8; ++i) { s.w += x; }", 8 * (1 + 2), 0);
  expectCount("for (int i = 0; i < n; ++i) { s.w += exp2(x); }", 4 * (1 + 2), 4);
}

// Read off modules/eaw/levels.glsl and modules/atrous-guided/levels.glsl.
TEST(BodyWork, FiltersByHand) {
  const NodeGraph eaw = graphOf(eawText(3), {64, 64});
  const FilterWork light = countWork(filterText(eaw, nodeNamed(eaw, ":atrous"), {LACUNA_MODULE_FOLDER}));
  EXPECT_EQ(light.tap.plain, 11);
  EXPECT_EQ(light.tap.special, 1);
  EXPECT_EQ(light.load.plain, 0);
  EXPECT_EQ(light.tapWords, 4U);
  EXPECT_EQ(light.pixelWords, 5U + 4U);
  const NodeGraph guided = graphOf(guidedText(3), {64, 64});
  const FilterWork heavy =
      countWork(filterText(guided, nodeNamed(guided, ":levels"), {LACUNA_MODULE_FOLDER}));
  EXPECT_EQ(heavy.tap.plain, 19);
  EXPECT_EQ(heavy.tap.special, 2);
  EXPECT_GT(heavy.load.plain, 10);
  EXPECT_EQ(heavy.tapWords, 8U);
  EXPECT_EQ(heavy.pixelWords, 7U + 5U);
}

// Chains that compute the same have one text, wherever their modules are and whatever their names.
TEST(BodyWork, TextsTellFiltersApart) {
  const auto text = [](const std::string& graphText, const std::string& end, Format format) {
    const NodeGraph graph = graphOf(graphText, {64, 64}, format);
    return filterText(graph, nodeNamed(graph, end), {LACUNA_MODULE_FOLDER});
  };
  const std::string plain = text(eawText(3), ":atrous", Format::f16);
  EXPECT_EQ(plain.find(LACUNA_MODULE_FOLDER), std::string::npos);
  EXPECT_EQ(plain, text(eawText(3, "param:eaw:01:edges:2\n"), ":atrous", Format::f16));
  EXPECT_NE(plain, text(eawText(3, "param:eaw:01:precision:f32\n"), ":atrous", Format::f16));
  EXPECT_NE(plain, text(guidedText(3), ":levels", Format::f16));
}

}  // namespace
}  // namespace lacuna::test
