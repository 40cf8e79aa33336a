// Bodies of modules, prepared to be joined with others: names, includes, members.

#include "tests/shader/body_support.h"

namespace lacuna::test {
namespace {

using Names = std::set<std::string>;

TEST(FileScope, FindsEveryKindOfDeclaration) {
  EXPECT_EQ(fileScopeNames("float f(float x) { float local = x; return local; }"), Names{"f"});
  EXPECT_EQ(fileScopeNames("struct S { float x; vec2 y[3]; };\nS make();"), (Names{"S", "make"}));
  EXPECT_EQ(fileScopeNames("const float a = 1.0, b = f(2.0, 3.0), c[2] = float[](1.0, 2.0);"),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(
      fileScopeNames("const float[] w = float[](1.0, 2.0); const vec3[2] v = vec3[](vec3(0), vec3(1));"),
      (Names{"w", "v"}));
  EXPECT_EQ(fileScopeNames("const float t[2][2] = {{1.0, 2.0}, {3.0, 4.0}}; int after;"),
            (Names{"t", "after"}));
  EXPECT_EQ(fileScopeNames("shared float tile[size], other[2 * size.x];"), (Names{"tile", "other"}));
  EXPECT_EQ(fileScopeNames("#define LIMIT 3\n  #  define SQ(x) ((x)*(x))\n#undef LIMIT"),
            (Names{"LIMIT", "SQ"}));
  EXPECT_EQ(fileScopeNames("precision highp float;\nprecision mediump int;"), Names{});
  EXPECT_EQ(fileScopeNames("// float no();\n/* int no; */ float yes(); // int no;"), Names{"yes"});
  EXPECT_EQ(
      fileScopeNames("highp vec4[2] g(in int n, inout float m) { for (int i = 0; i < n; ++i) { int j; } }"),
      Names{"g"});
  EXPECT_EQ(
      fileScopeNames("#define STORE spirv_instruction(id = 5368)\nSTORE void store(int to);\nint after;"),
      (Names{"STORE", "store", "after"}));
}

class Bodies : public testing::Test {
 protected:
  std::string load(const std::string& text, std::map<std::string, std::string> bound = {},
                   std::set<std::string> standIns = {}) {
    folder.write("module/body.glsl", text);
    BodyRequest request;
    request.folder = folder.file("module");
    request.file = "body.glsl";
    request.includePath = {folder.file("path")};
    request.prefix = "n3";
    request.bound = std::move(bound);
    request.standIns = std::move(standIns);
    std::string out = loadBody(request).text;
    const std::string line = "#line 1 \"" + file("module/body.glsl") + "\"\n";
    EXPECT_EQ(out.compare(0, line.size(), line), 0);
    return out.substr(line.size());
  }
  std::string file(const std::string& name) const { return folder.file(name); }
  std::string failure(const std::string& text) {
    try {
      load(text);
    } catch (const ShaderSourceError& error) {
      return error.what();
    }
    return "no error";
  }

  Folder folder;
};

TEST_F(Bodies, PrefixWhatStandsAtFileScope) {
  EXPECT_EQ(load("float f(float x) { return f2(x); }\n"), "float n3_f(float x) { return f2(x); }\n");
  EXPECT_EQ(load("struct S { float f; };\nfloat f(S s) { return s.f; }\n"),
            "struct n3_S { float f; };\nfloat n3_f(n3_S s) { return s.f; }\n");
  EXPECT_EQ(load("struct A { int n; };\nstruct B { A[2] a; A b[3], c; };\n"),
            "struct n3_A { int n; };\nstruct n3_B { n3_A[2] a; n3_A b[3], c; };\n");
  EXPECT_EQ(load("const int N = 3;\nstruct B { float a[N], N; };\n"),
            "const int n3_N = 3;\nstruct n3_B { float a[n3_N], N; };\n");
  EXPECT_EQ(load("#define TWICE(x) (K * (x))\n#define K 2\nfloat a = TWICE(1);\n"),
            "#define n3_TWICE(x) (n3_K * (x))\n#define n3_K 2\nfloat n3_a = n3_TWICE(1);\n");
  EXPECT_EQ(load("float w() { return 1.0; }\nfloat g() { float w = 2.0; return w; }\n"),
            "float n3_w() { return 1.0; }\nfloat n3_g() { float n3_w = 2.0; return n3_w; }\n");
}

// An array that nothing reads has one element, whatever the index.
TEST_F(Bodies, IndicesOfStandInsAreZero) {
  const auto load = [&](const std::string& text) { return Bodies::load(text, {}, {"sums"}); };
  EXPECT_EQ(load("void run() { array_sums.data[7] = array_rows.data[at[2]]; }\n"),
            "void n3_run() { array_sums.data[0 * int(7)] = array_rows.data[at[2]]; }\n");
  EXPECT_EQ(load("void run() { array_rows.data[1] = array_sums . data [at[array_sums.data[i]] + 1u]; }\n"),
            "void n3_run() { array_rows.data[1] = array_sums . data [0 * int(at[array_sums.data[0 * int(i)]] "
            "+ 1u)]; "
            "}\n");
  EXPECT_EQ(load("#define PUT(i, v) array_sums.data[i] = v\nint n = array_sums.data.length();\n"),
            "#define n3_PUT(i, v) array_sums.data[0 * int(i)] = v\nint n3_n = array_sums.data.length();\n");
  EXPECT_EQ(load("bool b = wanted_sums;\n"), "bool n3_b = n3_wanted_sums;\n");
}

TEST_F(Bodies, MembersKeepReservedNamesReadable) {
  EXPECT_EQ(load("vec4 f(Inputs i) { return i.input + i . output * param.precision[1]; }\n"),
            "vec4 n3_f(n3_Inputs i) { return i.input_ + i . output_ * n3_param.precision_[1]; }\n");
  EXPECT_EQ(load("void output(State s, inout Outputs o) { o.output = s; }\n"),
            "void n3_output_(n3_State s, inout n3_Outputs o) { o.output_ = s; }\n");
  EXPECT_EQ(load("float m = has_mask ? 1.0 : 0.0;\n"), "float n3_m = n3_has_mask ? 1.0 : 0.0;\n");
  EXPECT_EQ(load("float n = param.noise + param.noisy;\n", {{"noise", "array_bound_noise.data[0]"}}),
            "float n3_n = array_bound_noise.data[0] + n3_param.noisy;\n");
}

TEST_F(Bodies, IncludesOnceEachWithTheirOwnLines) {
  folder.write("module/near.glsl", "#include \"deep/er.glsl\"\nfloat near();\n");
  folder.write("module/deep/er.glsl", "float deeper();\n");
  folder.write("shared/aside.glsl", "float aside();\n");
  folder.write("path/far.glsl", "float far();");
  const std::string text = load(
      "#include \"near.glsl\"\n\n  #include \"shared/aside.glsl\"\n#include \"far.glsl\"\n#include "
      "\"near.glsl\"\n/*\n#include \"none.glsl\"\n*/ float own();\n");
  const std::string body = file("module/body.glsl");
  EXPECT_EQ(text, "#line 1 \"" + file("module/near.glsl") + "\"\n#line 1 \"" + file("module/deep/er.glsl") +
                      "\"\nfloat n3_deeper();\n#line 2 \"" + file("module/near.glsl") +
                      "\"\nfloat n3_near();\n#line 2 \"" + body + "\"\n\n#line 1 \"" +
                      file("shared/aside.glsl") + "\"\nfloat n3_aside();\n#line 4 \"" + body +
                      "\"\n#line 1 \"" + file("path/far.glsl") + "\"\nfloat n3_far();\n#line 5 \"" + body +
                      "\"\n#line 6 \"" + body + "\"\n/*\n#include \"none.glsl\"\n*/ float n3_own();\n");
}

TEST_F(Bodies, MistakesNameFileAndLine) {
  const std::string body = file("module/body.glsl");
  const auto expect = [&](const std::string& text, const std::string& start) {
    const std::string message = failure(text);
    EXPECT_TRUE(message.starts_with(start)) << message;
  };
  expect("\n#include \"none.glsl\"\n", body + ":2:10: error: there is no file \"none.glsl\" to include\n");
  expect("#include <none.glsl>\n", body + ":1:1: error: expected #include \"FILE\", with quotes\n");
  expect("#include \"\"\n", body + ":1:10: error: there is no file \"\" to include\n");
  expect("float f();\n#line 7\n", body + ":2:1: error: bodies may not have #line\n");
  expect("float f() {\n  if (true) {\n  return 1.0;\n}\n", body + ":1:11: error: this '{' is never closed\n");
  expect("float f() {\n  return (1.0;\n}\n",
         body + ":2:10: error: this '(' is still open where '}' closes at " + body + ":3\n");
  expect("float f() { return 1.0; }\n\n}\n", body + ":3:1: error: this '}' closes nothing\n");
  folder.write("module/open.glsl", "// first\nfloat open() {\n");
  expect("float f();\n#include \"open.glsl\"\nfloat g();\n",
         file("module/open.glsl") + ":2:14: error: this '{' is never closed\n");
  folder.write("module/ring.glsl", "float ring();\n");
  EXPECT_EQ(failure("/* ( */ float f(); // {\n#if 1\nfloat g() {\n#else\nfloat g() {\n#endif\n}\n"),
            "no error");
}

}  // namespace
}  // namespace lacuna::test
